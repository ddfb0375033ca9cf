package suite

import (
	"cmp"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// A Cause is a requirement that other checks rest on and that was seen to be broken: what they judge was not reached.
type Cause struct {
	ID     string // of the broken requirement
	Checks int    // that could not be judged because of it
	Reason string // what was seen, in the first of them
}

// The requirements that nearly every check rests on.
const (
	restsOnRelay        = "N01-WS-01"
	restsOnAnswers      = "N01-EV-01"
	restsOnQueries      = "N01-REQ-01"
	restsOnRelated      = "G01-REL-01"
	restsOnReplies      = "G01-REL-02"
	restsOnRelease      = "G01-PURG-07"
	restsOnRepository   = "G01-GIT-01"
	restsOnPush         = "G01-PUSH-01"
	restsOnFetch        = "G01-GIT-02"
	restsOnHead         = "G01-HEAD-01"
	restsOnShallow      = "G01-GIT-09"
	restsOnException    = "G01-ANN-14" // by which the announcement of a maintainer need not list the service
	restsOnLifetime     = "N40-01"
	restsOnParticipants = "G03-06"
	restsOnVersions     = "N01-REP-01" // a version takes the place of those of its own address alone
)

// dueTo names the requirement that an unfitting answer breaks, for checks of something else that rest on it.
func (o outcome) dueTo(requirement string) outcome {
	o.cause = cmp.Or(o.cause, requirement)
	return o
}

// toldNo marks a violation as one that the server has put into words.
func toldNo(o outcome) outcome {
	o.told = o.verdict == Fail
	return o
}

// restsOnEvent is the requirement by which a proper event is accepted.
func (w *world) restsOnEvent(ev *nostr.Event) string {
	if ev.Tags.Find("expiration") != nil {
		return restsOnLifetime
	}
	if ev.Kind == client.KindAnnouncement && !listsUs(w.client, ev) {
		return restsOnException
	}
	return restsOnKind(ev.Kind)
}

// restsOnKind is the requirement by which a proper event of a kind is accepted.
func restsOnKind(kind int) string {
	switch kind {
	case client.KindAnnouncement:
		return "G01-ANN-01"
	case client.KindState:
		return "N34-ST-01"
	case client.KindPullRequest, client.KindUpdate:
		return "G01-PURG-03"
	case client.KindComment:
		return restsOnReplies
	}
	return restsOnRelated
}

// causes lists what checks could not be judged for, the most frequent first.
func causes(checks []CheckResult) []Cause {
	var all []Cause
	for _, c := range checks {
		if c.Cause == "" {
			continue
		}
		at := slices.IndexFunc(all, func(x Cause) bool { return x.ID == c.Cause })
		if at < 0 {
			all = append(all, Cause{ID: c.Cause, Reason: c.Reason})
			at = len(all) - 1
		}
		all[at].Checks++
	}
	slices.SortStableFunc(all, func(a, b Cause) int { return cmp.Compare(b.Checks, a.Checks) })
	return all
}

// blame makes a requirement violated that others were seen to fail for, where no check of its own has seen it hold. One that holds
// elsewhere is blamed as well where the server has said no to what it has to take and nothing else is violated: what has no other name
// would be told by none.
func (r *run) blame(results []RequirementResult, checks []CheckResult, all []Cause) {
	for i := range results {
		row := &results[i]
		at := slices.IndexFunc(all, func(c Cause) bool { return c.ID == row.Requirement.ID })
		if at >= 0 && row.Verified == 0 && !row.Verdict.Violated() && row.Checks > 0 {
			row.broken(all[at].Reason)
		}
	}
	if slices.ContainsFunc(results, func(row RequirementResult) bool { return row.Verdict == Fail }) {
		return
	}
	for _, c := range checks {
		at := slices.IndexFunc(results, func(row RequirementResult) bool { return row.Requirement.ID == c.Cause })
		if at >= 0 && c.told && c.Verdict == DependencyFail && results[at].Verdict == Pass {
			results[at].broken(c.Check.ID + ": " + c.Reason)
		}
	}
}

// broken makes a row violated for a reason that was seen in checks of others.
func (row *RequirementResult) broken(reason string) {
	row.Verdict, row.Reason = Fail, reason
	if row.Requirement.Score == spec.Should {
		row.Verdict = Warn
	}
}
