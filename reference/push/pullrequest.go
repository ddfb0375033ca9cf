package push

import (
	"fmt"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// Named is what is known of the event whose id a ref below refs/nostr/ carries.
type Named struct {
	Known  bool     // it is held or stored, or about to be
	Kind   int      // of the event; 0 is a kind like any other
	Commit repo.OID // of a pull request or an update of one
	Served bool     // it is stored and for this repository, so that its ref stays
}

// pullRequest judges one command below refs/nostr/. No state, announcement author or maintainer is asked for: anybody
// may push what no event contradicts (G01-PR-01).
func pullRequest(c gitproto.Command, named func(event string) Named) policy.Ruling {
	event, ok := repo.PullRequestOf(c.Ref)
	if !ok {
		return refuse("G01-PR-02", "Invalid event ID format in ref: "+c.Ref)
	}
	known := named(event)
	switch {
	case !known.Known:
	case known.Kind != repo.KindPullRequest && known.Kind != repo.KindPullRequestUpdate:
		return refuse("G01-PR-10", fmt.Sprintf("event %s is of kind %d and no pull request", event, known.Kind))
	case c.New.IsZero() && known.Served:
		return refuse("G01-PR-11", "the ref belongs to the accepted PR event "+event)
	case !c.New.IsZero() && c.New != known.Commit:
		requirement, where := "G01-PR-03", " (purgatory)"
		if known.Served {
			requirement, where = "G01-PR-11", ""
		}
		return refuse(requirement, fmt.Sprintf("PR event %s%s specifies commit %s, but push contains %s",
			event, where, known.Commit, c.New))
	}
	return policy.Ruling{Decision: policy.Accept, Requirement: "G01-PR-01"}
}
