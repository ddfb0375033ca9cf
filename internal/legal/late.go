package legal

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/core"
)

// releaseBound is why a server that releases late owes the rows that bound a release.
const releaseBound = "it releases later than the bound of this row"

// late are servers that take their time where the text gives it to them, or asks for no haste.
func late() []Server {
	var all []Server
	for name, unready := range map[string]page{
		"not-found": {http.StatusNotFound, "no such repository\n"},
		"failing":   {http.StatusInternalServerError, "fatal: not a git repository\n"},
		"forbidden": {http.StatusForbidden, "not ready\n"},
		"empty":     {http.StatusOK, ""},
	} {
		all = append(all, Server{
			Name: "repositories-" + name + "-at-first",
			What: fmt.Sprintf("makes repositories in the background, and answers %d for half a second", unready.status),
			habits: func() []habit {
				return []habit{inBackground(500*time.Millisecond, 500*time.Millisecond, false, unready)}
			},
		})
	}
	return append(all,
		Server{
			Name: "owners-one-after-the-other", What: "makes room for each new owner in 8 to 14 s, one after the other, and takes no state before",
			config: func(c *core.Config) { c.Manner.AnnouncementsAtOnce = true },
			habits: func() []habit {
				return []habit{inBackground(8*time.Second, 14*time.Second, true, page{http.StatusNotFound, "no such repository\n"})}
			},
			Owes: map[string]string{"G01-PURG-01": withoutPurgatory},
		},
		Server{
			Name: "sweeps-every-half-minute", What: "releases what it holds by a sweep every 30 s",
			Near:   []string{"G01-ANN-16", "G01-PURG-1"},
			habits: func() []habit { return []habit{sweeping(30 * time.Second)} },
			Owes: map[string]string{
				"G01-PURG-07": releaseBound, "G01-PURG-08": releaseBound, "G01-PURG-09": releaseBound, "G01-PURG-10": releaseBound,
				"G01-PURG-21": releaseBound, "G01-PR-04": releaseBound, "G01-PURG-22": releaseBound, "G01-XR-03": releaseBound,
				"G01-PUSH-30": releaseBound,
			},
		},
		Server{
			Name: "releases-in-the-fifth-second", What: "releases what it holds 4.5 s after a push at most",
			habits: func() []habit { return []habit{sweeping(4500 * time.Millisecond)} },
			Owes:   map[string]string{"G01-PURG-21": "refs and events are apart for more than two seconds, which is a SHOULD"},
		},
		Server{
			Name: "releases-a-second-behind", What: "releases what it holds a second after the push, or when the next push or event comes, and serves until then what it served before",
			Near: []string{"G01-LAT", "G01-PURG-0", "G01-PURG-1", "G01-PUSH-0", "N01-REP-01"},
			core: func(m core.Machine) core.Machine { return &releasesLater{Machine: m, lag: time.Second} },
		},
		Server{
			Name: "refs-a-second-behind", What: "moves the refs of a state a second later, or as soon as somebody pushes",
			Near:   []string{"G01-PURG-09", "G01-PURG-21", "G01-PR-16", "G01-PUSH-14"},
			habits: func() []habit { return []habit{lagging(time.Second)} },
		},
		Server{
			Name: "refs-beside-two-seconds-behind", What: "moves the refs of the other repositories of an identifier two seconds after a push, or as soon as somebody pushes there",
			Near:   []string{"G01-MNT-0", "G01-XR", "G01-PUSH-1", "G01-PURG-22"},
			habits: func() []habit { return []habit{laggingBeside(2 * time.Second)} },
		},
		Server{
			Name: "heads-four-seconds-behind", What: "points HEAD four seconds after the push or the state that it follows",
			Near: []string{"G01-HEAD", "G01-PUSH-1", "G01-PURG-22", "G01-MNT", "G01-GIT-1"},
			core: func(m core.Machine) core.Machine { return &headsLater{Machine: m, lag: 4 * time.Second} },
		},
		Server{
			Name: "heads-at-main-at-first", What: "points HEAD of a new repository at main, and elsewhere four seconds after the push or the state that it follows",
			Near: []string{"G01-HEAD", "G01-PUSH-1", "G01-PURG-22", "G01-MNT", "G01-LAT"},
			core: func(m core.Machine) core.Machine {
				return &headsLater{Machine: m, lag: 4 * time.Second, fresh: "refs/heads/main"}
			},
		},
		Server{
			Name: "three-seconds-late", What: "takes three seconds for every answer",
			habits: func() []habit { return []habit{slow(3 * time.Second)} },
		},
		Server{
			Name: "eight-seconds-late", What: "takes eight seconds for every answer",
			habits: func() []habit { return []habit{slow(8 * time.Second)} },
		},
		Server{
			Name: "acknowledges-late", What: "sends the OK of an event a second after the event itself is out",
			habits: func() []habit {
				return []habit{{says: func(_ time.Time, _ *line, msg []byte) (time.Duration, bool) {
					if strings.HasPrefix(string(msg), `["OK"`) {
						return time.Second, true
					}
					return 0, true
				}}}
			},
		},
	)
}

// inBackground makes repositories in the background: each is there some time between least and most after its
// announcement was accepted. In turn, only one is made at a time, one for each owner, and states are refused before.
func inBackground(least, most time.Duration, inTurn bool, unready page) habit {
	ready := map[place]time.Time{}
	owners := map[string]time.Time{}
	asked := map[string]place{} // by id of an announcement
	var free time.Time
	return habit{
		hears: func(at time.Time, _ *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "EVENT" || m.event == nil {
				return nil, true
			}
			where := placeOf(m.event)
			switch m.event.Kind {
			case kindAnnouncement:
				asked[m.event.ID] = where
			case kindState:
				if until, known := ready[where]; inTurn && known && at.Before(until) {
					return refusal(m.event, "invalid: the repository is not ready yet"), false
				}
			}
			return nil, true
		},
		says: func(at time.Time, _ *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			where, is := asked[m.name]
			if _, known := ready[where]; m.verb != "OK" || !m.yes || !is || known {
				return 0, true
			}
			if !inTurn {
				ready[where] = at.Add(least)
				return 0, true
			}
			if _, known := owners[where.owner]; !known {
				if free.Before(at) {
					free = at
				}
				free = free.Add(least + time.Duration(len(owners)%4)*(most-least)/3)
				owners[where.owner] = free
			}
			ready[where] = owners[where.owner]
			return 0, true
		},
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			where, is := gitPlace(req)
			f.mu.Lock()
			until, known := ready[where]
			f.mu.Unlock()
			if is && known && f.Now().Before(until) && req.Method != http.MethodOptions {
				return unready.to(req), nil
			}
			return next(req)
		},
	}
}
