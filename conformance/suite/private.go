package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/features"
)

// ofPrivate reports whether a check is about services that are for members alone (GRASP-08).
func ofPrivate(c features.Check) bool { return folderOf(c) == "grasp08" }

// memberNames are the actors that are members wherever a check is about that. Nobody else may be: of the tester's keys these two
// get the first ones, and all others have fresh ones.
func memberNames() []string { return []string{"owner", "contributor"} }

// private is what a check does at a service that is for members.
type private struct {
	conns  map[string]*client.Relay // by who has authenticated on it: an actor, or nobody
	refuse map[string]client.Observation
	asked  question // the last one
	answer answered
	heard  *nostr.Event // what a member published for who listens
	token  tokened
	open   []string // what names a repository beside that is for everybody
	waits  []waited // of refusals, by series
}

func (p *private) hangUp() {
	for _, who := range slices.Sorted(maps.Keys(p.conns)) {
		p.conns[who].Close()
	}
	p.conns = nil
}

// nobody is who has not authenticated.
const nobody = "nobody"

// doorway returns a connection on which somebody has authenticated, with whatever success, or nobody has.
func (w *world) doorway(who string) (*client.Relay, outcome) {
	if relay := w.private.conns[who]; relay != nil {
		return relay, outcome{}
	}
	relay, o := w.client.Relay(w.ctx)
	if o != nil {
		return nil, unlessInconclusive("connect", o).dueTo(restsOnRelay)
	}
	if w.private.conns == nil {
		w.private.conns, w.private.refuse = make(map[string]*client.Relay), make(map[string]client.Observation)
	}
	w.private.conns[who] = relay
	if who == nobody {
		return relay, outcome{}
	}
	out := w.challengedOn(relay).then(func() outcome {
		ev, raw := w.proof(who, relay.Challenge(), "")
		o := relay.Authenticate(w.ctx, raw, ev.ID)
		switch ok, is := o.(client.OKFrame); {
		case !is:
			return unable("the authentication of the "+who, o)
		case !ok.Accepted:
			w.private.refuse[who] = o
		}
		return outcome{}
	})
	return relay, out
}

// challengedOn waits for the challenge of a connection: it may come at once, or with the first refusal.
func (w *world) challengedOn(relay *client.Relay) outcome {
	if relay.Challenge() == "" {
		_, o := relay.Query(w.ctx, client.Filter{Limit: new(int)}) // reads what came before
		_, closed := o.(client.ClosedFrame)
		switch {
		case o != nil && !closed:
			return unable("a question without an authentication", o)
		case closed && relay.AwaitChallenge(w.ctx) == nil: // it may come behind the refusal
			return outcome{}
		}
	}
	if relay.Challenge() == "" {
		return outcome{verdict: DependencyFail, reason: "no challenge comes"}
	}
	return outcome{}
}

// inside is doorway for a member, who is let in.
func (w *world) inside(who string) (*client.Relay, outcome) {
	relay, out := w.doorway(who)
	if !out.held() {
		return nil, out
	}
	if o := w.private.refuse[who]; o != nil {
		return nil, unable("the authentication of a member, the "+who, o)
	}
	return relay, outcome{}
}

// A question is one message and the name by which the answer to it is known.
type question struct {
	verb, name string
	frame      []byte
}

// questionOf is a question about the owner's repository. The event of an EVENT is that of a member, whoever sends it.
func (w *world) questionOf(verb string) question {
	filter := client.Filter{Authors: []string{w.key("owner").Pubkey}, Kinds: []int{client.KindAnnouncement}}
	name := "ask-" + strings.ToLower(verb)
	switch verb {
	case "REQ", "COUNT":
		return question{verb, name, fmt.Appendf(nil, `[%q,%q,%s]`, verb, name, filter.JSON())}
	case "NEG-OPEN":
		return question{verb, name, fmt.Appendf(nil, `[%q,%q,%s,"6100000200"]`, verb, name, filter.JSON())} // nothing is had
	case "EVENT":
		ev := w.elsewhereIssue("contributor", w.tick(), "asked for")
		return question{verb, ev.ID, fmt.Appendf(nil, `["EVENT",%s]`, client.EventJSON(ev))}
	}
	panic("suite: invariant: unknown verb " + verb)
}

// An answered message is what came for a question.
type answered struct {
	label, prefix, text string
	accepted            bool               // of OK
	none                client.Observation // why there is no answer
}

func (a answered) String() string {
	switch {
	case a.none != nil:
		return a.none.String()
	case a.label == "OK":
		return fmt.Sprintf("OK %t %q", a.accepted, a.text)
	}
	return fmt.Sprintf("%s %q", a.label, a.text)
}

// refused reports whether an answer turns the question away.
func (a answered) refused() bool {
	return a.none == nil && (a.label == "CLOSED" || a.label == "NEG-ERR" || a.label == "OK" && !a.accepted)
}

// answerOn asks on a connection.
func (w *world) answerOn(relay *client.Relay, q question) answered {
	raw, o := answerFor(w, relay, q.name, q.frame)
	if o != nil {
		return answered{none: o}
	}
	var parts []json.RawMessage
	var a answered
	if json.Unmarshal(raw, &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[0], &a.label) != nil || !strings.Contains(string(raw), q.name) {
		return answered{none: client.Silence{After: w.client.Settle(), Awaited: "the answer to " + q.verb}}
	}
	switch {
	case a.label == "OK" && len(parts) > 3:
		a.accepted = string(parts[2]) == "true"
		_ = json.Unmarshal(parts[3], &a.text) // a reason that is none stays empty
	case a.label == "COUNT" && len(parts) > 2:
		var counted struct {
			Count int `json:"count"`
		}
		_ = json.Unmarshal(parts[2], &counted) // what is no number counts nothing
		a.text = strconv.Itoa(counted.Count)
	case len(parts) > 2:
		_ = json.Unmarshal(parts[2], &a.text)
	}
	if prefix, _, found := strings.Cut(a.text, ":"); found {
		a.prefix = prefix
	}
	return a
}

// askAs asks on somebody's connection.
func (w *world) askAs(who, verb string) outcome {
	relay, out := w.doorway(who)
	if !out.held() {
		return out
	}
	w.private.asked = w.questionOf(verb)
	w.private.answer = w.answerOn(relay, w.private.asked)
	if _, ended := w.private.answer.none.(client.TransportError); ended && w.private.refuse[who] != nil {
		w.note("the connection ends with the refusal")
		w.private.answer = answered{label: "CLOSED", prefix: "restricted"}
	}
	return outcome{}
}

// turnedAway judges the answer to the last question; prefix is "" if any will do.
func (w *world) turnedAway(prefix string) outcome {
	a := w.private.answer
	switch {
	case a.none != nil:
		return unlessInconclusive("the answer to "+w.private.asked.verb, a.none)
	case a.prefix == "rate-limited":
		return inconclusive("the answer to "+w.private.asked.verb, client.RateLimited{Text: a.text})
	case !a.refused():
		return violated("%s is answered by %v", w.private.asked.verb, a)
	case prefix != "" && a.prefix != prefix:
		return violated("%s is refused by %v, and not as %s", w.private.asked.verb, a, prefix)
	}
	return outcome{}
}

// takenOf judges that the last question is answered on a member's connection.
func (w *world) takenOf(who string) outcome {
	relay, out := w.inside(who)
	if !out.held() {
		return out
	}
	a := w.answerOn(relay, w.private.asked)
	switch {
	case a.none != nil:
		return unlessInconclusive("the answer to "+w.private.asked.verb, a.none)
	case a.refused(), w.private.asked.verb == "REQ" && a.label != "EVENT", a.label == "COUNT" && a.text == "0":
		return violated("%s of a member is answered by %v", w.private.asked.verb, a)
	}
	return outcome{}
}
