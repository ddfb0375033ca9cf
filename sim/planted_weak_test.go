package sim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// mishearing is a server that takes what relays say for something else.
type mishearing struct {
	core.Machine
	hears func(msg relay.ServerMessage) relay.ServerMessage
}

func (m *mishearing) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if said, is := in.(core.PeerSaid); is {
		said.Msg = m.hears(said.Msg)
		in = said
	}
	m.Machine.Step(now, in, out)
}

func hearing(hears func(msg relay.ServerMessage) relay.ServerMessage) func() sim.Options {
	return func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine { return &mishearing{m, hears} }}
	}
}

// unlimited hears nothing of limits.
func unlimited(msg relay.ServerMessage) relay.ServerMessage {
	switch msg := msg.(type) {
	case relay.Closed:
		msg.Text = strings.Replace(msg.Text, "rate-limited: slow down", "error: no", 1)
		return msg
	case relay.NegError:
		msg.Text = strings.Replace(msg.Text, "rate-limited: slow down", "error: no", 1)
		return msg
	case relay.Notice:
		msg.Text = "hello"
		return msg
	}
	return msg
}

// whole takes the refusal of a question for the end of its answer.
func whole(msg relay.ServerMessage) relay.ServerMessage {
	if closed, is := msg.(relay.Closed); is {
		return relay.EOSE{Sub: closed.Sub}
	}
	return msg
}

// The scenarios of weak spots of syncing hold, and do not when their mistakes are made; docs/sync.md lists them.
func TestWeakSpotsAreSeen(t *testing.T) {
	until := filtered(func(f relay.Filter) bool { return f.Until != nil })
	for _, p := range []struct {
		scenario, name, breaks string
		opts                   func() sim.Options
	}{
		{"67-asked-too-much", "notices of limits are not read", "INV-41 asked-while-limited", hearing(unlimited)},
		{"70-first-contact", "a relay is tried once", "INV-07 lacks", once},
		{"73-no-end", "a refusal is taken for the end of an answer", "INV-07 lacks", hearing(whole)},
		{"75-one-second", "a full second ends the pages", "INV-07 lacks", until},
	} {
		t.Run(p.scenario+"/"+p.name, func(t *testing.T) {
			t.Parallel()
			s := embedded(t, "weak/"+p.scenario)
			for seed := range uint64(16) {
				o := run(t, s, seed, p.opts())
				if slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == p.breaks }) {
					return
				}
				if len(o.Violations) > 0 {
					t.Fatalf("seed %d: got violations %v, want %s", seed, o.Violations, p.breaks)
				}
			}
			t.Errorf("no violation, want %s", p.breaks)
		})
	}
	for _, name := range scenarios.Names() {
		if !strings.HasPrefix(name, "weak/") {
			continue
		}
		t.Run(name+"/honest", func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(6) {
				held(t, run(t, embedded(t, name), seed, sim.Options{}))
			}
		})
	}
}
