package suite

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// breaths is how often events are sent in one breath, each time others, until none of them meets a fault of the moment.
const breaths = 3

// publishInOneBreath publishes the events of a table (name, kind, date, tags) one behind the other and then waits for their answers. A
// name that comes again stands for a copy. What counts as the answer is that to the newest event; of its copies that of the first that
// was not taken.
func (w *world) publishInOneBreath(actor string, table [][]string) outcome {
	return w.needLighthouse().then(func() outcome {
		for try := range breaths {
			events, out := w.drafted(actor, table, int64(try))
			if !out.held() {
				return out
			}
			answers, out := w.answersTogether(events)
			if !out.held() {
				return out
			}
			if slices.ContainsFunc(answers, faulty) && try < breaths-1 {
				continue
			}
			w.countNewest(events, answers)
			break
		}
		return outcome{}
	})
}

// answersTogether are the answers to events that are sent in one breath. All of them are waited for, whatever they are.
func (w *world) answersTogether(events []*nostr.Event) ([]client.Observation, outcome) {
	relay, out := w.beside()
	if !out.held() {
		return nil, out
	}
	if o := w.sendTogether(relay, events); o != nil {
		return nil, inconclusive("events in one breath", o)
	}
	answers := make([]client.Observation, len(events))
	for i, ev := range events {
		answers[i] = relay.AwaitOK(w.ctx, ev)
	}
	if at := slices.IndexFunc(answers, asksFirst); at >= 0 {
		return nil, notApplicable("the server does not take events in one breath: %v", answers[at])
	}
	return answers, outcome{}
}

// countNewest keeps all answers, and that to the newest event as the one that counts.
func (w *world) countNewest(events []*nostr.Event, answers []client.Observation) {
	var newest *nostr.Event
	var counts client.Observation
	for i, ev := range events {
		w.sent.last = ev
		w.answered(answers[i])
		copied := newest != nil && newest.ID == ev.ID
		if newest == nil || ev.CreatedAt > newest.CreatedAt || copied && taken(counts) {
			newest, counts = ev, answers[i]
		}
	}
	w.sent.last, w.sent.answer = newest, counts
	w.sent.again = func() outcome { return w.publish(newest) }
}

func taken(o client.Observation) bool {
	ok, is := o.(client.OKFrame)
	return is && ok.Accepted
}

// asksFirst reports whether an answer asks for something before the event: a slower pace, or who sends it.
func asksFirst(o client.Observation) bool {
	if _, is := o.(client.RateLimited); is {
		return true
	}
	ok, is := o.(client.OKFrame)
	return is && !ok.Accepted && ok.Prefix == "auth-required"
}

// faulty reports whether an answer tells of a fault of the server, which may be one of the moment.
func faulty(o client.Observation) bool {
	ok, is := o.(client.OKFrame)
	return is && !ok.Accepted && ok.Prefix == "error"
}

// drafted are the events of a table, signed and not sent, each so many seconds later than it says.
func (w *world) drafted(actor string, table [][]string, later int64) ([]*nostr.Event, outcome) {
	key := w.key(actor)
	fill := w.filler(key)
	byName := map[string]*nostr.Event{}
	var events []*nostr.Event
	for _, row := range table[1:] {
		ev := byName[row[0]]
		if ev == nil {
			text := w.lighthouseWords().Replace(fill.Replace(row[3]))
			for name, other := range byName {
				text = strings.ReplaceAll(text, "{id of "+name+"}", other.ID)
			}
			tags, err := tagsIn(text)
			if err != nil {
				return nil, harnessError("tags %s: %v", text, err)
			}
			ev = client.Build(key, int(number(row[1])), append(tags, w.markers()...), w.run.purpose(), w.dated(row[2])+later)
			byName[row[0]] = ev
			w.remember("event", row[0], ev)
		}
		events = append(events, ev)
	}
	return events, outcome{}
}

// tagsIn reads tags that stand one behind the other.
func tagsIn(text string) (tags [][]string, err error) {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var tag []string
		if err := d.Decode(&tag); errors.Is(err, io.EOF) {
			return tags, nil
		} else if err != nil {
			return nil, err
		}
		tags = append(tags, tag)
	}
}

// closeInOneBreath opens a subscription and closes it without waiting for anything, and opens another of the same content as a control.
func (w *world) closeInOneBreath(actor string) outcome {
	return w.needLighthouse().then(func() outcome {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		filter := client.Filter{Authors: []string{w.key(actor).Pubkey}}
		w.relay.open = "breath"
		for _, frame := range []string{`["REQ","breath",` + filter.JSON() + `]`, `["CLOSE","breath"]`} {
			if o := relay.SendRaw(w.ctx, []byte(frame)); o != nil {
				return inconclusive("a subscription in one breath", o)
			}
		}
		if _, o := relay.Subscribe(w.ctx, subAfter, filter); o != nil {
			return unlessInconclusive("subscribe", o)
		}
		return outcome{}
	})
}

// postBeforeSubscribing posts an issue and opens a subscription without waiting for anything.
func (w *world) postBeforeSubscribing(actor, name string) outcome {
	return w.needLighthouse().then(func() outcome {
		relay, out := w.connect()
		if !out.held() {
			return out
		}
		if w.run.foundLater() > 0 {
			return notApplicable("events are found here some time after they were taken: who asks in between may meet them neither way")
		}
		ev := w.issue(actor, name, w.tick())
		w.remember("issue", name, ev)
		if o := w.sendTogether(relay, []*nostr.Event{ev}); o != nil {
			return inconclusive("an event in one breath", o)
		}
		events, o := relay.Subscribe(w.ctx, "breath", client.Filter{Authors: []string{ev.PubKey}})
		if o != nil {
			return unlessInconclusive("subscribe", o)
		}
		w.relay.subscribed, w.relay.open = events, "breath"
		o = relay.AwaitOK(w.ctx, ev)
		if asksFirst(o) || faulty(o) {
			return notApplicable("the server does not take events in one breath: %v", o)
		}
		w.sent.again = func() outcome { return w.publish(ev) }
		w.answered(o)
		return outcome{}
	})
}

// cameAnyway judges that the event of one breath has come before the end of what was stored, or comes live.
func (w *world) cameAnyway() outcome {
	if out := w.accepted().asSetup(); !out.held() {
		return out
	}
	ev := w.sent.last
	if holds(w.relay.subscribed, ev) {
		return outcome{}
	}
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	o := relay.Await(w.ctx, w.relay.open, ev.ID)
	if _, silent := o.(client.Silence); silent {
		if out := w.alive(); !out.held() {
			return out
		}
		return violated("%s came neither among what was stored nor live", describe(ev))
	}
	if o != nil {
		return unlessInconclusive("the subscription", o)
	}
	return outcome{}
}
