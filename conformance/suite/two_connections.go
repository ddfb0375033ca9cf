package suite

import (
	"fmt"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// What two clients send at the same moment reaches a server in either order, and both may be looked at before one of them is kept. What
// is left must be what one after the other leaves.

// An encounter is two events that are sent at the same moment.
type encounter struct {
	name        string
	left, right *nostr.Event
	kept        *nostr.Event // the one that has to be taken
	served      *nostr.Event // the one that is served behind both; nil if none is
	gone        *nostr.Event // the one that is not; nil if there is none
}

// encounterOf signs what is sent together in one round.
func (w *world) encounterOf(what, actor string, round int) encounter {
	p := encounter{name: fmt.Sprintf("round %d", round+1)}
	switch what {
	case "two versions of an article":
		version := func(content string) *nostr.Event {
			tags := [][]string{{"d", p.name}, {"a", w.run.lighthouse.address}}
			return client.Build(w.key(actor), client.KindArticle, append(tags, w.markers()...), content, w.tick())
		}
		p.left, p.right = version("older"), version("newer")
		p.kept, p.served, p.gone = p.right, p.right, p.left
	case "two copies of an issue":
		p.left = w.issue(actor, p.name, w.tick())
		p.right, p.kept, p.served = p.left, p.left, p.left
	case "two copies of an announcement":
		p.left = w.announcementOf(w.repository(actor, ""), "")
		p.right, p.kept = p.left, p.left
	case "an issue and the request to delete it":
		p.left = w.issue(actor, p.name, w.tick())
		tags := [][]string{{"e", p.left.ID}, {"k", fmt.Sprint(p.left.Kind)}}
		p.right = client.Build(w.key(actor), client.KindDeletion, append(tags, w.markers()...), "", w.tick())
		p.kept, p.gone = p.right, p.left
	case "two announcements of the repository":
		p.left = w.announcementOf(w.repository(actor, ""), "")
		p.right = w.announcementOf(w.repository(actor, ""), "")
		p.kept, p.served, p.gone = p.right, p.right, p.left
	default:
		panic("suite: invariant: unknown encounter " + what)
	}
	return p
}

// A crossing is two connections of one client.
type crossing struct{ left, right *client.Relay }

func (w *world) crossing() (c crossing, out outcome) {
	if c.left, out = w.beside(); !out.held() {
		return c, out
	}
	c.right, out = w.beside()
	return c, out
}

// sendAtOnce sends both, in every other round the right one first, and waits for both answers. It reports whether there is something to
// judge: a server may have faults of the moment.
func (w *world) sendAtOnce(c crossing, p encounter, round int) (judged bool, out outcome) {
	one, other := c.left, c.right
	first, second := p.left, p.right
	if round%2 == 1 {
		one, other, first, second = c.right, c.left, p.right, p.left
	}
	if o := one.SendBeside(w.ctx, eventFrame(first), other, eventFrame(second)); o != nil {
		return false, inconclusive("events from two connections", o)
	}
	answers := [2]client.Observation{c.left.AwaitOK(w.ctx, p.left), c.right.AwaitOK(w.ctx, p.right)}
	for i, ev := range []*nostr.Event{p.left, p.right} {
		w.sent.last = ev
		w.answered(answers[i])
		switch {
		case asksFirst(answers[i]):
			return false, notApplicable("the server does not take events from two connections at once: %v", answers[i])
		case ev != p.kept:
		case faulty(answers[i]), !taken(answers[i]) && ev.Kind == client.KindDeletion: // who does not know the event may refuse that
			return false, outcome{}
		case !taken(answers[i]):
			w.sent.again = func() outcome { return w.publish(p.kept) }
			return false, w.accepted()
		}
	}
	return true, outcome{}
}

// pairsAtOnce has so many encounters. What is looked at afterwards is what of each has to be served, or must not be; one that met a fault of
// the moment is not looked at, unless every one did.
func (w *world) pairsAtOnce(actor, what string, rounds int) outcome {
	return w.needLighthouse().then(func() outcome {
		c, out := w.crossing()
		if !out.held() {
			return out
		}
		w.sent.posted, w.sent.dressing = nil, dressing{}
		var last *nostr.Event // of those that met no fault
		var answer client.Observation
		for round := range rounds {
			p := w.encounterOf(what, actor, round)
			judged, out := w.sendAtOnce(c, p, round)
			if !out.held() {
				return out
			}
			if !judged {
				w.note("%s: %v", p.name, w.sent.answer)
				continue
			}
			last, answer = w.sent.last, w.sent.answer
			if p.served != nil {
				w.remember("issue", p.name, p.served)
				w.sent.posted, w.sent.dressing.names = append(w.sent.posted, p.served), append(w.sent.dressing.names, p.name)
			}
			if p.gone != nil {
				w.sent.dressing.former = append(w.sent.dressing.former, p.gone)
			}
		}
		switch {
		case last != nil:
			w.sent.last, w.sent.answer = last, answer
			return outcome{}
		case w.sent.last.Kind == client.KindDeletion:
			return notApplicable("the server takes no request to delete what comes with it: %v", w.sent.answer)
		}
		return w.accepted()
	})
}

// eachPair sends so many pairs from two connections at once, and judges each that met no fault of the moment. Where there was none such
// nothing is shown.
func (w *world) eachPair(rounds int, pair func(round int) encounter, judge func(encounter) outcome) outcome {
	c, out := w.crossing()
	if !out.held() {
		return out
	}
	seen := false
	for round := range rounds {
		p := pair(round)
		judged, out := w.sendAtOnce(c, p, round)
		if out.held() && judged {
			seen = true
			out = judge(p)
		}
		if !out.held() {
			return out
		}
	}
	return w.unlessNever(seen)
}

// unlessNever is the outcome behind all rounds: where none was judged, nothing is shown.
func (w *world) unlessNever(judged bool) outcome {
	if judged {
		return outcome{}
	}
	return notApplicable("the server does not take events from two connections at once: %v", w.sent.answer)
}

// newestOfPairs judges after each of so many pairs of announcements that the newer one is served and the older one is not.
func (w *world) newestOfPairs(actor string, rounds int) outcome {
	pair := func(round int) encounter { return w.encounterOf("two announcements of the repository", actor, round) }
	return w.eachPair(rounds, pair, func(p encounter) outcome { return w.newerAlone(p.served, p.gone) })
}

// latestOfPairs judges after each of so many pairs of states that the newer one is what can be pushed, and the older one is not served.
func (w *world) latestOfPairs(actor string, rounds int) outcome {
	commits := []string{"side", "second", "third"}
	pair := func(round int) encounter {
		var p encounter
		for i, ev := range []**nostr.Event{&p.left, &p.right} {
			w.git.state = [][]string{{"refs/heads/main", commits[(round+i)%len(commits)]}}
			*ev = w.buildState(actor, w.tick(), w.git.state)
			w.git.states = append(w.git.states, w.git.state)
		}
		p.kept = p.right
		w.remember("state", "", p.right)
		return p
	}
	return w.eachPair(rounds, pair, func(p encounter) outcome {
		return w.push(actor, w.git.state, nil).then(w.succeeded).then(func() outcome { return w.newerAlone(p.right, p.left) })
	})
}

// newerAlone judges that of two events the newer one is served and the older one is not.
func (w *world) newerAlone(newer, older *nostr.Event) outcome {
	return w.servedVerbatim(newer).then(func() outcome { return w.noneServed([]*nostr.Event{older}, false) })
}

// askedAtOnce posts so many issues and opens a subscription for the actor's on another connection at about the same moment: each comes
// among what is stored, or behind it. A relay that looks up what is stored before it listens for what is new misses what comes in between.
func (w *world) askedAtOnce(actor string, rounds int) outcome {
	return w.needLighthouse().then(func() outcome {
		c, out := w.crossing()
		if !out.held() {
			return out
		}
		if w.run.foundLater() > 0 {
			return notApplicable("events are found here some time after they were taken: who asks in between may meet them neither way")
		}
		seen := false
		for round := range rounds {
			ev := w.issue(actor, fmt.Sprintf("round %d", round+1), w.tick())
			if o := w.sendTogether(c.left, []*nostr.Event{ev}); o != nil {
				return inconclusive("an event from one of two connections", o)
			}
			w.idle(time.Duration(round) * askedApart)
			if out := w.meets(c, ev, fmt.Sprintf("crossing-%d", round)); !out.held() {
				return out
			}
			seen = seen || !faulty(w.sent.answer)
		}
		return w.unlessNever(seen)
	})
}

// askedApart is by how much later somebody asks in each round: how long a relay takes to keep an event nobody knows.
const askedApart = 150 * time.Microsecond

// meets judges that a subscription that is opened while an event is under way gets it. An id of one before may still be ended late.
func (w *world) meets(c crossing, ev *nostr.Event, sub string) outcome {
	stored, o := c.right.Subscribe(w.ctx, sub, client.Filter{Authors: []string{ev.PubKey}, Kinds: []int{ev.Kind}})
	if o != nil {
		return unlessInconclusive("subscribe", o)
	}
	w.sent.last = ev
	answer := c.left.AwaitOK(w.ctx, ev)
	w.answered(answer)
	if asksFirst(answer) {
		return notApplicable("the server does not take events from two connections at once: %v", answer)
	}
	if faulty(answer) {
		return w.unsubscribed(c, sub)
	}
	w.sent.again = func() outcome { return w.publish(ev) }
	if out := w.accepted().asSetup(); !out.held() {
		return out
	}
	if holds(stored, ev) {
		return w.unsubscribed(c, sub)
	}
	o = c.right.Await(w.ctx, sub, ev.ID)
	if _, silent := o.(client.Silence); silent {
		return w.alive().then(func() outcome {
			return violated("%s came to a subscription that was opened while it was under way neither among what was stored nor live", describe(ev))
		})
	}
	if o != nil {
		return unlessInconclusive("the subscription", o)
	}
	return w.unsubscribed(c, sub)
}

func (w *world) unsubscribed(c crossing, sub string) outcome {
	if o := c.right.Unsubscribe(w.ctx, sub); o != nil {
		return inconclusive("the end of a subscription", o)
	}
	return outcome{}
}

// answeredOnBoth judges that each of two connections on which one event comes at the same moment gets its answer, whatever that is.
func (w *world) answeredOnBoth(actor string, rounds int) outcome {
	c, out := w.crossing()
	if !out.held() {
		return out
	}
	var silent client.Observation
	for range rounds {
		ev := w.buildPull(pulling{actor: actor, label: "pull request", commit: "side"})
		if o := c.left.SendBeside(w.ctx, eventFrame(ev), c.right, eventFrame(ev)); o != nil {
			return inconclusive("events from two connections", o)
		}
		left, right := c.left.AwaitOK(w.ctx, ev), c.right.AwaitOK(w.ctx, ev)
		_, one := left.(client.OKFrame)
		_, other := right.(client.OKFrame)
		if one && other {
			continue
		}
		missing := right
		if !one {
			missing = left
		}
		switch _, is := missing.(client.Silence); {
		case asksFirst(missing):
			return notApplicable("the server does not take events from two connections at once: %v", missing)
		case !is: // it has an answer, as that this is too fast
			continue
		case !one && !other:
			return inconclusive("an event from two connections", missing)
		}
		if silent != nil {
			return violated("of two connections that have sent one event at once, one has no answer, and that twice: %v", missing)
		}
		silent = missing
	}
	if silent != nil {
		return inconclusive("an event from two connections", silent)
	}
	return outcome{}
}
