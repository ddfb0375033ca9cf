package suite

import (
	"context"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server that answers one sort of request and never another one is not dead: what it does not answer is a finding of its
// own, for which the sort that is answered, on the same connection, is the twin.

// muteTries is how many connections have to show the same.
const muteTries = 2

// mute asks for a query and an event, on one connection after the other, and reports whether one sort alone is answered.
func (r *run) mute(ctx context.Context) bool {
	r.mu.Lock()
	known := r.accused[restsOnAnswers] != "" || r.accused[restsOnQueries] != ""
	r.mu.Unlock()
	if known {
		return true
	}
	if !r.mayWrite() {
		return false
	}
	var requirement, why string
	for try := range muteTries {
		relay, o := r.client.Relay(ctx)
		if o != nil {
			return false
		}
		found, reason := r.muteOn(ctx, relay, int64(try))
		relay.Close()
		if found == "" || (requirement != "" && found != requirement) {
			return false
		}
		requirement, why = found, reason
	}
	r.accuseOf(requirement, why)
	return true
}

func (r *run) muteOn(ctx context.Context, relay *client.Relay, at int64) (requirement, why string) {
	_, asked := relay.Query(ctx, client.Filter{Limit: new(int)})
	key := r.newKey("mute", false)
	sent := relay.Publish(ctx, client.Note(key, r.markers(), r.purpose(), r.base()+at))
	_, told := sent.(client.OKFrame)
	switch {
	case unanswered(asked) && told:
		return restsOnQueries, "a query has no end: " + asked.String() + "; an event on the same connection was answered"
	case asked == nil && unanswered(sent):
		if _, again := relay.Query(ctx, client.Filter{Limit: new(int)}); again == nil {
			return restsOnAnswers, "an event is not answered: " + sent.String() + "; queries on the same connection are"
		}
	}
	return "", ""
}

// unanswered reports whether there was no answer on a connection that lasts.
func unanswered(o client.Observation) bool {
	_, silent := o.(client.Silence)
	return silent
}

// accuseOf keeps the first violation of a requirement that the run itself has seen.
func (r *run) accuseOf(requirement, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.accused == nil {
		r.accused = make(map[string]string)
	}
	if r.accused[requirement] == "" {
		r.accused[requirement] = why
	}
}

// untold is the outcome of an event whose sender was told nothing, and that is served all the same. Where the check is not
// about answers, it could not be judged for this.
func (w *world) untold(ev *nostr.Event) outcome {
	fresh, o := w.client.Relay(w.ctx)
	if o != nil {
		return outcome{}
	}
	defer fresh.Close()
	events, o := fresh.Query(w.ctx, client.Filter{IDs: []string{ev.ID}})
	if o != nil || !holds(events, ev) {
		return outcome{}
	}
	out := violated("%s is served, and its sender was never told that it is taken: %v", describe(ev), w.sent.answer).dueTo(restsOnAnswers)
	if !strings.HasPrefix(w.check.Requirements[0], "N01-EV-") {
		out.verdict = DependencyFail
	}
	return out
}

// ends judges that a query has an end. Where none comes, an event on the same connection shows whether anything does.
func (w *world) ends() outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	_, o := relay.Query(w.ctx, client.Filter{Authors: []string{w.key("contributor").Pubkey}})
	if o == nil {
		return outcome{}
	}
	if !unanswered(o) {
		return w.unanswering(o)
	}
	sent := relay.Publish(w.ctx, client.Note(w.key("contributor"), w.markers(), w.run.purpose(), w.tick()))
	if _, told := sent.(client.OKFrame); told {
		return violated("a query has no end: %v; an event on the same connection was answered: %v", o, sent)
	}
	return inconclusive("query", o)
}

// staysOpen judges that a connection is usable behind the answer to an event.
func (w *world) staysOpen(event func() *nostr.Event, accepted bool) outcome {
	return w.staysOpenBehind("the answer to an event", func(relay *client.Relay) outcome {
		answer := relay.Publish(w.ctx, event())
		ok, told := answer.(client.OKFrame)
		switch {
		case !told:
			return unlessInconclusive("publish", answer)
		case ok.Accepted != accepted:
			return notApplicable("the answer to the event is %v", ok)
		}
		return outcome{}
	})
}

// unlessEnded is the outcome of a query on a connection that lasts.
func unlessEnded(o client.Observation) outcome {
	if o == nil {
		return outcome{}
	}
	return unlessInconclusive("query", o)
}

// uncountable is the outcome of a count that was not answered: a violation, if a query behind it is.
func (w *world) uncountable(relay *client.Relay, what string, o client.Observation) outcome {
	if unanswered(o) && w.run.facts.nips[45] {
		if _, asked := relay.Query(w.ctx, client.Filter{Limit: new(int)}); asked == nil {
			return violated("%s is not answered: %v; a query behind it is, and NIP-45 is listed", what, o)
		}
	}
	return unlessInconclusive(what, o)
}

// hopeless ends a check that needs a sort of answer that the server was seen never to give, unless that is what it is about.
func (w *world) hopeless(requirement string) outcome {
	w.run.mu.Lock()
	why := w.run.accused[requirement]
	w.run.mu.Unlock()
	if why == "" || slices.Contains(w.check.Requirements, requirement) {
		return outcome{}
	}
	return outcome{verdict: DependencyFail, cause: requirement, reason: why}
}

// hopelessly ends a check before it begins if one of its steps needs a sort of answer that is never given here.
func (w *world) hopelessly() outcome {
	for _, needed := range []struct {
		sees        sight
		requirement string
	}{{answers, restsOnAnswers}, {servedEvents, restsOnQueries}} {
		if w.run.registry.some(w.check, func(s step) bool { return s.sees == needed.sees }) {
			if out := w.hopeless(needed.requirement); !out.held() {
				return out
			}
		}
	}
	return w.stillness()
}
