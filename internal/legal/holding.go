package legal

import (
	"time"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// withoutPurgatory is the one SHOULD that a server misses for each kind that it does not hold (AMB-04).
const withoutPurgatory = "it has no purgatory for them, which is a SHOULD"

// held are servers that differ in what waits for git data, and in what a state and a push do to refs.
func held() []Server {
	manner := func(m core.Manner) func(*core.Config) {
		return func(c *core.Config) { c.Manner = m }
	}
	return []Server{
		{
			Name: "nothing-held", What: "serves everything at once",
			config: manner(core.Manner{AnnouncementsAtOnce: true, StatesAtOnce: true, PullRequestsAtOnce: true}),
			Owes: map[string]string{
				"G01-PURG-01": withoutPurgatory, "G01-PURG-02": withoutPurgatory, "G01-PURG-03": withoutPurgatory,
			},
		},
		{
			Name: "states-held", What: "holds states and pull requests, and serves announcements at once, as the oldest text has it",
			config: manner(core.Manner{AnnouncementsAtOnce: true}),
			Owes:   map[string]string{"G01-PURG-01": withoutPurgatory},
		},
		{
			Name: "announcements-held", What: "holds announcements and nothing else",
			config: manner(core.Manner{StatesAtOnce: true, PullRequestsAtOnce: true}),
			Owes:   map[string]string{"G01-PURG-02": withoutPurgatory, "G01-PURG-03": withoutPurgatory},
		},
		{
			Name: "pull-requests-not-held", What: "serves pull requests at once",
			config: manner(core.Manner{PullRequestsAtOnce: true}),
			Owes:   map[string]string{"G01-PURG-03": withoutPurgatory},
		},
		{
			Name: "each-ref-alone", What: "judges each ref of a push alone",
			Near: []string{"G01-PUSH-1", "N34-ST-03"}, config: manner(core.Manner{EachRefAlone: true}),
		},
		{
			Name: "plain-git", What: "is git behind a hook: holds nothing, judges each ref alone, knows no atomic push, and moves refs by pushes only",
			config: manner(core.Manner{
				AnnouncementsAtOnce: true, StatesAtOnce: true, PullRequestsAtOnce: true, EachRefAlone: true, PushesOnly: true,
			}),
			habits: func() []habit { return []habit{oneByOne()} },
			Owes: map[string]string{
				"G01-PURG-01": withoutPurgatory, "G01-PURG-02": withoutPurgatory, "G01-PURG-03": withoutPurgatory,
				"G01-XR-01": "it keeps no siblings alike, which is a SHOULD",
			},
		},
		{
			Name: "pushes-not-atomic", What: "takes the refs of a push one after the other, and reports each",
			Near:   []string{"G01-PUSH-25", "G01-PUSH-10", "N34-ST-03", "G01-PUSH-20"},
			config: manner(core.Manner{EachRefAlone: true}),
			habits: func() []habit { return []habit{oneByOne()} },
		},
		{
			Name: "prunes-on-a-state", What: "takes refs away as soon as a state no longer names them",
			Near:   []string{"G01-PUSH-07", "G01-PUSH-08", "N34-ST-07"},
			config: manner(core.Manner{Prunes: true}),
		},
		{
			Name: "purgatory-lost-at-restart", What: "forgets what it holds when it is restarted",
			Near: []string{"G01-PURG-14"}, Mortal: true,
			filter: func() defect.Filter {
				return defect.Filter{In: func(i core.Input) (core.Input, bool) {
					if started, is := i.(core.Started); is {
						started.Held = nil
						return started, true
					}
					return i, true
				}}
			},
		},
		{
			Name: "orderly-stop-of-half-a-minute", What: "takes 30 s to stop in order",
			Near: []string{"G01-PURG-14"}, Mortal: true,
			habits: func() []habit { return []habit{{stops: 30 * time.Second}} },
		},
		{
			Name: "maintainers-list-back", What: "takes nobody for a maintainer who does not list the other back",
			Near: []string{"G01-MNT"}, Model: string(repo.Reciprocal),
			config: func(c *core.Config) { c.Model = repo.Reciprocal },
		},
	}
}
