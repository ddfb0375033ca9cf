package sim_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// deaf is a server that does not hear some of what relays say.
type deaf struct {
	core.Machine
	hears func(in core.Input) bool
}

func (d *deaf) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if !d.hears(in) {
		in = core.TimerFired{}
	}
	d.Machine.Step(now, in, out)
}

// deafTo is a plant of servers that do not hear events of a kind.
func deafTo(kind int) func() sim.Options {
	return func() sim.Options {
		return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
			return &deaf{m, func(in core.Input) bool {
				said, is := in.(core.PeerSaid)
				if !is {
					return true
				}
				event, is := said.Msg.(relay.EventFor)
				return !is || event.Event.Kind != kind
			}}
		}}
	}
}

// asking is a plant that changes what relays are asked; nil takes it back.
func asking(change func(req relay.Req) *relay.Req) func() sim.Options {
	return func() sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if said, is := e.(core.SendPeer); is {
				if req, is := said.Msg.(relay.Req); is {
					changed := change(req)
					if changed == nil {
						return nil
					}
					said.Msg = *changed
					return []core.Effect{said}
				}
			}
			return []core.Effect{e}
		})
	}
}

// filtered is asking with filters left out.
func filtered(out func(f relay.Filter) bool) func() sim.Options {
	return asking(func(req relay.Req) *relay.Req {
		req.Filters = slices.DeleteFunc(slices.Clone(req.Filters), out)
		if len(req.Filters) == 0 {
			return nil
		}
		return &req
	})
}

func tagged(letters string) func(f relay.Filter) bool {
	return func(f relay.Filter) bool {
		return slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return strings.IndexByte(letters, t.Letter) >= 0 })
	}
}

func live(f relay.Filter) bool { return f.Limit != nil && *f.Limit == 0 }

// once is a plant of servers that connect to a relay once in their lives.
func once() sim.Options {
	return sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
		dialed := map[string]bool{}
		return &doctored{m, func(_ core.Input, effects []core.Effect) []core.Effect {
			return slices.DeleteFunc(effects, func(e core.Effect) bool {
				d, is := e.(core.DialPeer)
				again := is && dialed[d.URL]
				if is {
					dialed[d.URL] = true
				}
				return again
			})
		}}
	}}
}

// paged has servers go through the past in small pages.
func paged(opts func() sim.Options) func() sim.Options {
	return func() sim.Options {
		o := opts()
		o.Config = func(_ int, cfg *core.Config) { cfg.Sync.NoNegentropy, cfg.Sync.PageLimit = true, 5 }
		return o
	}
}

// Servers that sync wrongly lack in the end what others have, and that is seen.
func TestWhatServersLackIsSeen(t *testing.T) {
	for _, p := range []struct {
		name string
		opts func() sim.Options
	}{
		{"announcements are not heard", deafTo(30617)},
		{"states are not heard", deafTo(30618)},
		{"issues are not heard", deafTo(1621)},
		{"pull requests are not heard", deafTo(1618)},
		{"deletions are not heard", deafTo(5)},
		{"vanishings are not heard", deafTo(62)},
		{"states are not asked for", filtered(tagged("d"))},
		{"what names repositories is not asked for", filtered(tagged("aAq"))},
		{"nothing is asked for live", filtered(live)},
		{"a relay is connected to once", once},
		{"what a comparison names is not fetched", filtered(func(f relay.Filter) bool { return f.IDs != nil })},
		{"nothing but the first page is read", paged(filtered(func(f relay.Filter) bool { return f.Until != nil }))},
		{"the last event of an answer by ids is left out", asking(func(req relay.Req) *relay.Req {
			if f := req.Filters[0]; len(f.IDs) > 0 {
				req.Filters = []relay.Filter{f}
				req.Filters[0].IDs = f.IDs[:len(f.IDs)-1]
			}
			return &req
		})},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := embedded(t, "two")
			s.Invariants = slices.DeleteFunc(s.Invariants, func(id string) bool { return id == "INV-41" }) // that is another matter
			for seed := uint64(1); ; seed++ {
				o := run(t, s, seed, p.opts())
				if slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == "INV-07 lacks" }) {
					return
				}
				if len(o.Violations) > 0 || seed == 12 {
					t.Fatalf("seed %d: got violations %v, want what is lacking", seed, o.Violations)
				}
			}
		})
	}
}

// Who asks for more than is new, or for the same again and again, is seen doing it.
func TestStormsAreSeen(t *testing.T) {
	follow := following(embedded(t, "two"), nil)
	follow.Config = func(_ int, cfg *core.Config) { cfg.Sync.On = false }
	for _, p := range []struct {
		name, breaks string
		opts         sim.Options
	}{
		{"everything is asked for each minute", "INV-41 asked-again", follow},
		{"all is asked for four times more", "INV-41 asked-too-much", each(func(e core.Effect) []core.Effect {
			list := []core.Effect{e}
			if said, is := e.(core.SendPeer); is {
				if req, is := said.Msg.(relay.Req); is {
					req.Sub += "+"
					more := core.SendPeer{Peer: said.Peer, Msg: req}
					list = append(list, more, more, more, more)
				}
			}
			return list
		})},
		{"everything is compared each minute", "INV-41 asked-too-much", sim.Options{Config: func(_ int, cfg *core.Config) {
			cfg.Sync.DailyMin, cfg.Sync.DailyMax = time.Minute, time.Minute+time.Second
		}}},
		{"old subscriptions stay beside the new ones", "INV-41 sent-again", oldOnesStay()},
	} {
		o := run(t, embedded(t, "two"), 1, p.opts)
		if len(o.Violations) == 0 || o.Violations[0].String() != p.breaks {
			t.Errorf("%s: got violations %v, want %s", p.name, o.Violations, p.breaks)
		}
	}
}

// Who connects to itself, or to a relay that it is connected to, is seen (REF-SYNC-19).
func TestWrongConnectionsAreSeen(t *testing.T) {
	dials := func(change func(d core.DialPeer) []core.Effect) sim.Options {
		return each(func(e core.Effect) []core.Effect {
			if d, is := e.(core.DialPeer); is {
				return change(d)
			}
			return []core.Effect{e}
		})
	}
	for _, p := range []struct {
		breaks string
		opts   sim.Options
	}{
		{"INV-41 asks-itself", dials(func(d core.DialPeer) []core.Effect {
			if d.URL == "ws://server2.example" {
				d.URL = "ws://server1.example"
			}
			return []core.Effect{d}
		})},
		{"INV-41 connected-twice", dials(func(d core.DialPeer) []core.Effect {
			return []core.Effect{d, core.DialPeer{Peer: d.Peer + 1000, URL: d.URL}}
		})},
	} {
		o := run(t, embedded(t, "two"), 1, p.opts)
		if len(o.Violations) == 0 || o.Violations[0].String() != p.breaks {
			t.Errorf("got violations %v, want %s", o.Violations, p.breaks)
		}
	}
}

// oldOnesStay makes live subscriptions anew for each new thing, and ends none of those that had been.
func oldOnesStay() sim.Options {
	opts := each(func(e core.Effect) []core.Effect {
		if said, is := e.(core.SendPeer); is {
			if end, is := said.Msg.(relay.Close); is && strings.HasPrefix(end.Sub, "l") {
				return nil
			}
		}
		return []core.Effect{e}
	})
	opts.Config = func(_ int, cfg *core.Config) { cfg.Sync.LiveMax = 1 }
	return opts
}

// In pages they get the same as by comparing (INV-08), whatever the size of a page.
func TestPagedServersLackNothing(t *testing.T) {
	for seed := range uint64(6) {
		opts := paged(func() sim.Options { return sim.Options{} })()
		held(t, run(t, embedded(t, "two"), seed, opts))
	}
}

// Another way to sync is right as well: who asks for everything each minute lacks nothing.
func TestFollowersLackNothing(t *testing.T) {
	s := embedded(t, "two")
	s.Invariants = slices.DeleteFunc(s.Invariants, func(id string) bool { return id == "INV-41" }) // that is another matter
	for seed := range uint64(4) {
		opts := following(s, nil)
		opts.Config = func(_ int, cfg *core.Config) { cfg.Sync.On = false }
		o := run(t, s, seed, opts)
		held(t, o)
		for _, c := range o.Checked {
			if c.Name == "INV-07" && c.N == 0 {
				t.Errorf("seed %d: nothing was judged", seed)
			}
		}
	}
}
