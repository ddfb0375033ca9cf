package suite

import (
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// becomes makes somebody a member, or one no more.
func (w *world) becomes(actor string, member bool) outcome {
	if member && !slices.Contains(memberNames(), actor) {
		panic("suite: invariant: a member called " + actor)
	}
	if err := w.run.enlist(w.ctx, w.key(actor).Pubkey, member); err != nil {
		return outcome{verdict: Inconclusive, reason: "the members cannot be set: " + err.Error()}
	}
	return outcome{}
}

// challengedFirst judges that a challenge comes on a connection before anything is asked; a server may greet in words before it. That none
// comes is seen by the answer to a question.
func (w *world) challengedFirst() outcome {
	relay, out := w.doorway(nobody)
	if !out.held() {
		return out
	}
	for range greetingsMax {
		raw, o := relay.Next(w.ctx)
		label, challenge := client.Label(raw)
		if _, silent := o.(client.Silence); silent {
			a := w.answerOn(relay, w.questionOf("REQ"))
			if a.none != nil {
				return unlessInconclusive("a question without an authentication", a.none)
			}
			return violated("no challenge comes on connecting, and a question is answered by %v", a)
		}
		switch {
		case o != nil:
			return unlessInconclusive("the first message", o)
		case label == "AUTH" && challenge != "":
			return outcome{}
		case label != "NOTICE":
			return violated("before a challenge comes %.80s", raw)
		}
	}
	return violated("%d messages on connecting, and none is a challenge", greetingsMax)
}

// knock authenticates on nobody's connection with one fault, or none: on another one where the refusal before has ended it.
func (w *world) knock(actor, fault string) outcome {
	turnedAway := w.private.asked.verb == "AUTH" && w.private.answer.refused()
	out, ended := w.knockOnce(actor, fault)
	if !ended || !turnedAway {
		return out
	}
	w.note("the connection ends with the refusal")
	w.private.conns[nobody].Close()
	delete(w.private.conns, nobody)
	out, _ = w.knockOnce(actor, fault)
	return out
}

// knockOnce reports, besides, whether the connection is at its end.
func (w *world) knockOnce(actor, fault string) (out outcome, ended bool) {
	relay, out := w.doorway(nobody)
	if !out.held() {
		return out, false
	}
	if out := w.challengedOn(relay); !out.held() {
		return out, false
	}
	challenge := relay.Challenge()
	if fault == ofAnother {
		if other := w.anotherChallenge(); other != "" { // to use it on this connection is the fault
			challenge, fault = other, "nothing wrong"
		}
	}
	ev, raw := w.proof(actor, challenge, fault)
	w.private.asked = question{"AUTH", ev.ID, nil}
	o := relay.Authenticate(w.ctx, raw, ev.ID)
	if ok, is := o.(client.OKFrame); is {
		w.private.answer = answered{label: "OK", accepted: ok.Accepted, prefix: ok.Prefix, text: fmt.Sprint(ok.Prefix, ": ", ok.Text)}
		return outcome{}, false
	}
	w.private.answer = answered{none: o}
	return outcome{}, lostConnection(o)
}

// ofAnother is the fault of a challenge that was meant for another connection.
const ofAnother = "the challenge of another connection"

// anotherChallenge is that of a connection beside, or "" if it gets none.
func (w *world) anotherChallenge() string {
	relay, o := w.client.Relay(w.ctx)
	if o != nil {
		return ""
	}
	defer relay.Close()
	if !w.challengedOn(relay).held() {
		return ""
	}
	return relay.Challenge()
}

// letIn judges the last authentication.
func (w *world) letIn() outcome {
	switch a := w.private.answer; {
	case a.none != nil:
		return unlessInconclusive("the authentication", a.none)
	case !a.accepted:
		return violated("a proper authentication of a member is answered by %v", a)
	}
	return outcome{}
}

// listenTo opens a subscription for everything that is written about the owner's repository, whatever comes of it.
func (w *world) listenTo(who string) outcome {
	relay, out := w.doorway(who)
	if !out.held() {
		return out
	}
	stored, o := relay.Subscribe(w.ctx, subListen, w.aboutOwners())
	member := slices.Contains(memberNames(), who)
	_, closed := o.(client.ClosedFrame)
	switch {
	case !member && len(stored) > 0:
		return violated("who is no member is sent %s", describe(stored[0]))
	case member && o != nil:
		return unable("the subscription of a member", o)
	case o != nil && !closed && !w.shownOut(who, o):
		return unlessInconclusive("a subscription", o)
	}
	return outcome{}
}

// shownOut reports whether a connection has ended because of who has authenticated on it: nothing more comes there.
func (w *world) shownOut(who string, o client.Observation) bool {
	return w.private.refuse[who] != nil && lostConnection(o)
}

const subListen = "listen"

func (w *world) aboutOwners() client.Filter {
	return client.Filter{Kinds: []int{client.KindIssue}, Tags: map[string][]string{"a": {client.RepoAddress(w.key("owner").Pubkey, w.identifier)}}}
}

// tellsMembers publishes an issue as a member, and waits until a subscription of the owner has heard it.
func (w *world) tellsMembers(actor string) outcome {
	hears, out := w.inside("owner")
	if !out.held() {
		return out
	}
	const sub = "hears"
	if _, o := hears.Subscribe(w.ctx, sub, w.aboutOwners()); o != nil {
		return unable("the subscription of a member", o)
	}
	speaks, out := w.inside(actor)
	if !out.held() {
		return out
	}
	ev := w.elsewhereIssue(actor, w.tick(), "for members")
	w.private.heard = ev
	if out := accepted("publish the issue of a member", speaks.Publish(w.ctx, ev), true); !out.held() {
		return out
	}
	if o := hears.Await(w.ctx, sub, ev.ID); o != nil {
		return unable("the issue of a member, for another one", o)
	}
	return outcome{}
}

// heardNothing judges that a connection was not sent what members wrote. A question that is refused is the barrier behind it.
func (w *world) heardNothing(who string) outcome {
	relay, out := w.doorway(who)
	if !out.held() {
		return out
	}
	const barrier = "behind"
	if o := relay.SendRaw(w.ctx, fmt.Appendf(nil, `["REQ",%q,%s]`, barrier, w.aboutOwners().JSON())); o != nil && !w.shownOut(who, o) {
		return unlessInconclusive("a question behind what members wrote", o)
	}
	for range client.MaxHeld {
		raw, o := relay.Next(w.ctx)
		label, sub := client.Label(raw)
		switch {
		case w.shownOut(who, o): // behind all that came
			return outcome{}
		case o != nil:
			return unlessInconclusive("the answer to a question behind what members wrote", o)
		case label == "EVENT":
			return violated("who is no member is sent %.120s", raw)
		case sub == barrier:
			return outcome{}
		}
	}
	return violated("%d messages, and none answers a question", client.MaxHeld)
}

// isShutOut judges that a subscription was ended by the server.
func (w *world) isShutOut(who string) outcome {
	relay, out := w.doorway(who)
	if !out.held() {
		return out
	}
	for range greetingsMax {
		raw, o := relay.Next(w.ctx)
		label, sub := client.Label(raw)
		switch {
		case o == nil && label == "CLOSED" && sub == subListen:
			return outcome{}
		case o == nil:
			continue
		case lostConnection(o):
			w.note("the connection ends")
			return outcome{}
		}
		a := w.answerOn(relay, w.questionOf("REQ"))
		if a.none != nil {
			return unlessInconclusive("a question of who is a member no more", a.none)
		}
		return violated("nothing tells that the subscription is over, and a question is answered by %v", a)
	}
	return violated("%d messages, and none tells that the subscription is over", greetingsMax)
}

// tokenPublished publishes an event that authenticates, as a member.
func (w *world) tokenPublished(actor string, kind int) outcome {
	relay, out := w.inside(actor)
	if !out.held() {
		return out
	}
	tags := [][]string{{"u", w.client.CloneURL(w.key("owner").Pubkey, w.identifier)}, {"method", "GET"}}
	if kind == client.KindAuth {
		tags = [][]string{{"relay", w.client.RelayURL()}, {"challenge", relay.Challenge()}}
	}
	ev := client.Build(w.key(actor), kind, tags, "", w.client.Now())
	w.private.heard = ev
	if o := relay.Publish(w.ctx, ev); client.Inconclusive(o) {
		return inconclusive("an event that authenticates", o)
	}
	return outcome{}
}

// notFound judges that no member finds what was published last.
func (w *world) notFound() outcome {
	return w.membersFind(func(events []*nostr.Event) outcome {
		if holds(events, w.private.heard) {
			return violated("%s is served", describe(w.private.heard))
		}
		return outcome{}
	})
}

// membersFind asks, as a member, for what was published last.
func (w *world) membersFind(judge func([]*nostr.Event) outcome) outcome {
	relay, out := w.inside("contributor")
	if !out.held() {
		return out
	}
	events, o := relay.Query(w.ctx, client.Filter{IDs: []string{w.private.heard.ID}})
	if o != nil {
		return unlessInconclusive("query", o)
	}
	return judge(events)
}

// foundByMembers judges that a member finds what was published last.
func (w *world) foundByMembers() outcome {
	return w.membersFind(func(events []*nostr.Event) outcome {
		if !holds(events, w.private.heard) {
			return violated("%s is not found", describe(w.private.heard))
		}
		return outcome{}
	})
}
