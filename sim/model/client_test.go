package model_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/invariant"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/model"
)

const begin = instant.Instant(1_767_225_600 * int64(time.Second))

// A desk is a server with a model beside it, and clients who ask it everything that can be asked.
type desk struct {
	server  *core.Server
	model   *model.Model
	spoil   func(in core.Input, effects []core.Effect) []core.Effect
	now     instant.Instant
	key     kernel.Key
	n       uint64
	people  []identity.Identity
	events  []*nostr.Event
	objects map[repo.OID]bool
	late    []core.Input // answers that take their time
}

func newDesk(seed uint64, atOnce int, spoil func(core.Input, []core.Effect) []core.Effect) *desk {
	d := &desk{now: begin, key: kernel.NewKey(seed, "desk"), objects: map[repo.OID]bool{}, spoil: spoil}
	for i := range 3 {
		d.people = append(d.people, identity.New(seed, fmt.Sprintf("person%d", i)))
	}
	d.server = core.New(core.Config{Service: repo.Service{Host: "desk.example"}, SearchAtOnce: atOnce})
	d.model = model.New(model.Config{Server: "desk", Host: "desk.example"})
	d.model.Missing = func(_ repo.ID, oids []repo.OID) ([]repo.OID, error) { return d.missing(oids), nil }
	d.step(core.Started{})
	for conn := range core.ConnID(4) {
		d.step(core.ConnOpened{Conn: conn + 1})
	}
	return d
}

func (d *desk) missing(oids []repo.OID) []repo.OID {
	return slices.DeleteFunc(slices.Clone(oids), func(oid repo.OID) bool { return d.objects[oid] })
}

func (d *desk) step(in core.Input) {
	var out core.Effects
	d.server.Step(d.now, in, &out)
	effects := out.List
	if d.spoil != nil {
		effects = d.spoil(in, effects)
	}
	d.model.Stepped(d.now, in, effects)
	for _, e := range out.List {
		switch e := e.(type) {
		case core.CreateRepository:
			d.step(core.RepositoryDone{Request: e.Request, OK: true})
		case core.UpdateRefs:
			d.step(core.RepositoryDone{Request: e.Request, OK: true})
		case core.AskObjects:
			d.step(core.ObjectFacts{Request: e.Request, Missing: d.missing(e.OIDs)})
		case core.SearchEvents:
			d.late = append(d.late, core.EventsFound{Request: e.Request, Found: e.Question.Find()})
		}
	}
}

func (d *desk) draw(below int) int {
	d.n++
	return int(d.key.With(d.n).Below(int64(below)))
}

func (d *desk) publish(who, kind, at int, tags ...nostr.Tag) {
	ev := &nostr.Event{
		Kind: kind, CreatedAt: nostr.Timestamp(begin/1e9) + nostr.Timestamp(at), Tags: tags, Content: fmt.Sprint(len(d.events)),
	}
	d.people[who].Stamp(ev)
	d.events = append(d.events, ev)
	d.send(relay.Event{Event: ev, IDOK: true})
}

func (d *desk) send(msg relay.ClientMessage) {
	d.step(core.Message{Conn: core.ConnID(d.draw(4) + 1), Msg: msg, SigOK: true})
}

// serve brings one repository to where it is served, which everything else may refer to.
func (d *desk) serve() {
	owner := repo.PubKey(d.people[0].PubKey)
	id := repo.ID{Owner: owner, Identifier: "demo"}
	service := repo.Service{Host: "desk.example"}
	oid := repo.OID("1111111111111111111111111111111111111111")
	d.publish(0, 30617, 0, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", service.CloneURL(id, "http")}, nostr.Tag{"relays", service.RelayURL("ws")})
	d.publish(0, 30618, 0, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", string(oid)})
	commands := []gitproto.Command{{Ref: "refs/heads/main", Old: repo.ZeroOID, New: oid}}
	d.objects[oid] = true
	d.step(core.PushOffered{Push: 1, Repo: id, Commands: commands})
	d.step(core.PushDone{Push: 1, Report: gitstore.Report{Unpack: "ok", Results: []gitstore.Result{{Ref: "refs/heads/main", OK: true}}}})
}

// filter makes up a filter of some of what there is.
func (d *desk) filter() relay.Filter {
	var f relay.Filter
	some := func() *nostr.Event { return d.events[d.draw(len(d.events))] }
	at := func() *int64 { n := int64(begin/1e9) + int64(d.draw(40)); return &n }
	for range d.draw(3) {
		switch d.draw(7) {
		case 0:
			f.IDs = append(f.IDs, some().ID)
		case 1:
			f.Authors = append(f.Authors, d.people[d.draw(3)].PubKey)
		case 2:
			f.Kinds = append(f.Kinds, some().Kind)
		case 3:
			f.Since = at()
		case 4:
			f.Until = at()
		case 5:
			n := d.draw(6)
			f.Limit = &n
		case 6:
			f.Tags = []relay.TagFilter{{Letter: 't', Values: []string{fmt.Sprint(d.draw(3)), fmt.Sprint(d.draw(3))}}}
		}
	}
	return f
}

// work is what clients do, many times.
func (d *desk) work() []invariant.Violation {
	d.serve()
	about := nostr.Tag{"a", "30617:" + d.people[0].PubKey + ":demo"}
	for range 150 {
		if len(d.model.Differences) > 0 {
			break
		}
		who, at, topic := d.draw(3), d.draw(40), nostr.Tag{"t", fmt.Sprint(d.draw(3))}
		switch d.draw(14) {
		case 0, 1:
			d.publish(who, 1621, at, about, topic)
		case 2:
			d.publish(who, 10317, at, topic) // replaceable
		case 3:
			d.publish(who, 30078, at, nostr.Tag{"d", fmt.Sprint(d.draw(2))}, about, topic)
		case 4:
			d.publish(who, 20001, at, about, topic) // ephemeral
		case 5:
			d.publish(who, 1, at, topic) // about nothing
		case 6: // not the two that everything rests on
			d.publish(who, 5, at, nostr.Tag{"e", d.events[max(2, d.draw(len(d.events)))%len(d.events)].ID})
		case 7:
			d.publish(who, 5, at, nostr.Tag{"a", fmt.Sprintf("30078:%s:%d", d.people[d.draw(3)].PubKey, d.draw(2))})
		case 8:
			ev := d.events[d.draw(len(d.events))]
			d.send(relay.Event{Event: ev, IDOK: d.draw(4) > 0})
		case 9, 10:
			filters := []relay.Filter{d.filter(), d.filter()}[:1+d.draw(2)]
			d.send(relay.Req{Sub: fmt.Sprint(d.draw(3)), Filters: filters})
		case 11:
			d.send(relay.Close{Sub: fmt.Sprint(d.draw(3))})
		case 12:
			d.send(relay.Count{Sub: "count", Filters: []relay.Filter{d.filter()}})
		case 13:
			d.now += instant.Instant(time.Second)
		}
		if len(d.late) > 0 && d.draw(3) == 0 {
			in := d.late[0]
			d.late = d.late[1:]
			d.step(in)
		}
	}
	return d.model.Differences
}

func TestTheServerAnswersAsTheModelSays(t *testing.T) {
	for seed := range uint64(40) {
		for _, atOnce := range []int{0, 20} { // units that a question may cost in a step
			for _, v := range newDesk(seed, atOnce, nil).work() {
				t.Errorf("seed %d, %d units at once: %s: %s", seed, atOnce, v, v.Detail)
			}
		}
	}
}

// sends changes the messages to clients.
func sends(change func(relay.ServerMessage) []relay.ServerMessage) func(core.Input, []core.Effect) []core.Effect {
	return func(_ core.Input, effects []core.Effect) []core.Effect {
		var list []core.Effect
		for _, e := range effects {
			s, is := e.(core.Send)
			if !is {
				list = append(list, e)
				continue
			}
			for _, msg := range change(s.Msg) {
				list = append(list, core.Send{Conn: s.Conn, Msg: msg})
			}
		}
		return list
	}
}

// answers changes the events that a REQ is answered with.
func answers(change func([]core.Effect) []core.Effect) func(core.Input, []core.Effect) []core.Effect {
	return func(in core.Input, effects []core.Effect) []core.Effect {
		if m, is := in.(core.Message); is {
			if _, is := m.Msg.(relay.Req); is {
				return change(slices.Clone(effects))
			}
		}
		return effects
	}
}

func isEvent(e core.Effect) bool {
	s, is := e.(core.Send)
	if is {
		_, is = s.Msg.(relay.EventFor)
	}
	return is
}

// Each mistake in what clients are told is seen, and called what it is.
func TestMistakesInAnswersAreSeen(t *testing.T) {
	one := func(msg relay.ServerMessage) []relay.ServerMessage { return []relay.ServerMessage{msg} }
	for _, c := range []struct {
		name, want string
		spoil      func(core.Input, []core.Effect) []core.Effect
	}{
		{"content altered", "G01-ANN-20 model-altered", sends(func(msg relay.ServerMessage) []relay.ServerMessage {
			if m, is := msg.(relay.EventFor); is {
				ev := *m.Event
				ev.Content += "x"
				return one(relay.EventFor{Sub: m.Sub, Event: &ev})
			}
			return one(msg)
		})},
		{"EOSE left out", "N01-REQ-01 model-no-eose", sends(func(msg relay.ServerMessage) []relay.ServerMessage {
			if _, is := msg.(relay.EOSE); is {
				return nil
			}
			return one(msg)
		})},
		{"EOSE twice", "N01-REQ-01 model-unasked-eose", sends(func(msg relay.ServerMessage) []relay.ServerMessage {
			if _, is := msg.(relay.EOSE); is {
				return []relay.ServerMessage{msg, msg}
			}
			return one(msg)
		})},
		{"OK twice", "N01-EV-01 model-unasked-answer", sends(func(msg relay.ServerMessage) []relay.ServerMessage {
			if _, is := msg.(relay.OK); is {
				return []relay.ServerMessage{msg, msg}
			}
			return one(msg)
		})},
		{"OK left out", "N01-EV-01 model-not-answered", sends(func(msg relay.ServerMessage) []relay.ServerMessage {
			if m, is := msg.(relay.OK); is && m.Text == "" {
				return nil
			}
			return one(msg)
		})},
		{"refusal without a prefix", "N01-EV-01 model-no-prefix", sends(func(msg relay.ServerMessage) []relay.ServerMessage {
			if m, is := msg.(relay.OK); is && !m.Accepted {
				return one(relay.OK{ID: m.ID, Text: "no"})
			}
			return one(msg)
		})},
		{"one more counted", "N01-CNT-01 model-count", sends(func(msg relay.ServerMessage) []relay.ServerMessage {
			if m, is := msg.(relay.Counted); is {
				return one(relay.Counted{Sub: m.Sub, Count: m.Count + 1})
			}
			return one(msg)
		})},
		{"live events doubled", "N01-REQ-01 model-sent-unasked", func(in core.Input, effects []core.Effect) []core.Effect {
			if m, is := in.(core.Message); is {
				if _, is := m.Msg.(relay.Event); is {
					return append(slices.Clone(effects), slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool { return !isEvent(e) })...)
				}
			}
			return effects
		}},
		{"live events lost", "G01-PURG-08 model-not-sent", func(in core.Input, effects []core.Effect) []core.Effect {
			if m, is := in.(core.Message); is {
				if _, is := m.Msg.(relay.Event); is {
					return slices.DeleteFunc(slices.Clone(effects), isEvent)
				}
			}
			return effects
		}},
		{"the last of an answer lost", "N01-REQ-01 model-other-number", answers(func(effects []core.Effect) []core.Effect {
			if len(effects) > 1 {
				return slices.Delete(effects, len(effects)-2, len(effects)-1)
			}
			return effects
		})},
		{"an answer out of order", "N01-REQ-02 model-other-order", answers(func(effects []core.Effect) []core.Effect {
			if len(effects) > 2 && isEvent(effects[1]) {
				effects[0], effects[1] = effects[1], effects[0]
			}
			return effects
		})},
		{"a record left out", "N01-EV-03 model-became-otherwise", func(_ core.Input, effects []core.Effect) []core.Effect {
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				r, is := e.(core.Record)
				return is && r.Op == core.OpStore && r.Event.Kind == 1621
			})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var last []invariant.Violation
			for seed := range uint64(20) {
				last = newDesk(seed, 0, c.spoil).work()
				if len(last) > 0 && last[0].String() == c.want {
					return
				}
			}
			t.Errorf("20 seeds: got %v in the last, want %s", last, c.want)
		})
	}
}
