package suite

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// accepted judges the answer to an event that has to be accepted. known says that the target has taken
// an event like it before; if not, a refusal by policy shows that it does not let our keys in.
func accepted(what string, o client.Observation, known bool) outcome {
	if ok, is := o.(client.OKFrame); is {
		switch {
		case ok.Accepted:
			return outcome{}
		case !known && policyPrefix(ok.Prefix):
			return outcome{verdict: Unsupported, reason: fmt.Sprintf("%s: refused by policy: %v", what, o)}
		}
		return violated("%s: refused: %v", what, o)
	}
	return unlessInconclusive(what, o)
}

// policyPrefix tells the refusals that speak of who may write, not of what was written.
func policyPrefix(prefix string) bool {
	return slices.Contains([]string{"restricted", "blocked", "pow", "auth-required", "payment-required"}, prefix)
}

// unlessInconclusive makes an unfitting answer a violation, if it proves anything.
func unlessInconclusive(what string, o client.Observation) outcome {
	if o == nil || client.Inconclusive(o) {
		return inconclusive(what, o)
	}
	switch o.(type) {
	case client.NoRoom, client.NoPlace, client.TooManyFilters:
		return outcome{verdict: Unsupported, reason: fmt.Sprintf("%s: %v", what, o)}
	}
	return violated("%s: %v", what, o)
}

// unable is the outcome of something that the check rests on and that was not to be had: never a violation
// of what the check is about.
func unable(what string, o client.Observation) outcome {
	out := unlessInconclusive(what, o)
	if out.verdict == Fail {
		out.verdict = DependencyFail
	}
	return out
}

// refusedBadly tells the answers to something refusable that are a violation if the accepted twin is
// answered properly: HTTP 5xx, a dropped connection, an answer that is none.
func refusedBadly(o client.Observation) bool {
	switch o := o.(type) {
	case client.HTTPAnswer:
		return o.Status >= http.StatusInternalServerError
	case client.TransportError:
		return o.Phase != "dial" && o.Phase != "sleep"
	case client.BadAnswer:
		return true
	}
	return false
}

// holds reports whether ev is among the events.
func holds(events []*nostr.Event, ev *nostr.Event) bool {
	return slices.ContainsFunc(events, func(other *nostr.Event) bool { return other.ID == ev.ID })
}

// describe names an event for reasons.
func describe(ev *nostr.Event) string {
	names := map[int]string{
		client.KindAnnouncement: "announcement", client.KindState: "state", client.KindIssue: "issue",
		client.KindComment: "comment", client.KindNote: "note", client.KindPatch: "patch",
		client.KindPullRequest: "pull request", client.KindUpdate: "pull request update",
	}
	name := names[ev.Kind]
	if name == "" {
		name = fmt.Sprintf("event of kind %d", ev.Kind)
	}
	return fmt.Sprintf("%s %.12s", name, ev.ID)
}
