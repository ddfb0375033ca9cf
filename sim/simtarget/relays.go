package simtarget

import (
	"context"
	"fmt"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// A fakeRelay is a fake relay in virtual time: the model of package relayhost. Its target's lock guards it.
type fakeRelay struct {
	target *Target
	model  *relayhost.Host
	closed bool
}

var (
	_ target.Relays    = (*Target)(nil)
	_ target.FakeRelay = (*fakeRelay)(nil)
)

// NewRelay implements target.Relays. Relays are called relay1.example, relay2.example and so on.
func (t *Target) NewRelay(ctx context.Context) (target.FakeRelay, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := canceled(ctx); err != nil {
		return nil, err
	}
	t.relaysNamed++
	name := fmt.Sprintf("relay%d.example", t.relaysNamed)
	model, err := relayhost.New(relayhost.Config{Name: name}, t.engine.Now())
	if err != nil {
		return nil, fmt.Errorf("start relay: %w", err)
	}
	r := &fakeRelay{target: t, model: model}
	t.relays[name] = r
	return r, nil
}

// URL implements target.FakeRelay.
func (r *fakeRelay) URL() string { return "ws://" + r.model.Name() }

// Put implements target.FakeRelay.
func (r *fakeRelay) Put(events ...*nostr.Event) {
	r.do(func(now instant.Instant) []relayhost.Said { return r.model.Put(now, nil, events...) })
}

// Stray implements target.FakeRelay.
func (r *fakeRelay) Stray(events ...*nostr.Event) {
	r.target.mu.Lock()
	defer r.target.mu.Unlock()
	r.model.Stray(events...)
}

// Drop implements target.FakeRelay.
func (r *fakeRelay) Drop(ids ...string) {
	r.target.mu.Lock()
	defer r.target.mu.Unlock()
	r.model.Drop(ids...)
}

// Behave implements target.FakeRelay.
func (r *fakeRelay) Behave(b target.RelayBehavior) error {
	if err := b.Validate(); err != nil {
		return err
	}
	var err error
	r.do(func(now instant.Instant) (said []relayhost.Said) {
		said, err = r.model.Behave(now, relayhost.Behaving(b), nil)
		return said
	})
	if err != nil {
		return fmt.Errorf("relay behavior: %w", err)
	}
	return nil
}

// Visits implements target.FakeRelay.
func (r *fakeRelay) Visits() []target.RelayVisit {
	r.target.mu.Lock()
	defer r.target.mu.Unlock()
	var out []target.RelayVisit
	for _, v := range r.model.Visits() {
		visit := target.RelayVisit{Conn: int(v.Conn), At: timeOf(v.At), Taken: v.Opening == relayhost.Taken}
		if v.Ended != 0 {
			visit.Ended = timeOf(v.Ended)
		}
		out = append(out, visit)
	}
	return out
}

// Asked implements target.FakeRelay.
func (r *fakeRelay) Asked() []target.RelayMessage {
	r.target.mu.Lock()
	defer r.target.mu.Unlock()
	asked := r.model.Asked()
	out := make([]target.RelayMessage, len(asked))
	for i, a := range asked {
		out[i] = relayhost.Told(a.Msg)
		out[i].At, out[i].Conn = timeOf(a.At), int(a.Conn)
	}
	return out
}

// Close implements target.FakeRelay. Who is connected is cut off, and nobody finds the name any more.
func (r *fakeRelay) Close() error {
	r.do(func(now instant.Instant) (said []relayhost.Said) {
		if r.closed {
			return nil
		}
		r.closed = true
		delete(r.target.relays, r.model.Name())
		return r.model.End(now, nil)
	})
	return nil
}

// do lets the model do something, and carries on what it says.
func (r *fakeRelay) do(f func(now instant.Instant) []relayhost.Said) {
	t := r.target
	t.mu.Lock()
	defer t.mu.Unlock()
	r.carry(f(t.engine.Now()))
	t.engine.Settle()
}
