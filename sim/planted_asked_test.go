package sim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

// sends is a plant that replaces every message to a client by others.
func sends(change func(msg relay.ServerMessage) []relay.ServerMessage) sim.Options {
	return each(func(e core.Effect) []core.Effect {
		s, is := e.(core.Send)
		if !is {
			return []core.Effect{e}
		}
		var out []core.Effect
		for _, msg := range change(s.Msg) {
			out = append(out, core.Send{Conn: s.Conn, Msg: msg})
		}
		return out
	})
}

// The model judges what is reconciled, who shows who they are, and what an operator keeps out: each is answered wrongly here.
func TestModelSeesWrongAnswersToWhatIsAsked(t *testing.T) {
	one := func(msg relay.ServerMessage) []relay.ServerMessage { return []relay.ServerMessage{msg} }
	for _, p := range []struct {
		breaks, scenario string
		change           func(msg relay.ServerMessage) []relay.ServerMessage
	}{
		{"N77-04 model-other-set", "odd", func(msg relay.ServerMessage) []relay.ServerMessage {
			if a, is := msg.(relay.NegAnswer); is && len(a.Message) > 40 {
				a.Message = slices.Clone(a.Message)
				a.Message[len(a.Message)-1] ^= 1
				return one(a)
			}
			return one(msg)
		}},
		{"N77-01 model-set-unanswered", "odd", func(msg relay.ServerMessage) []relay.ServerMessage {
			if _, is := msg.(relay.NegAnswer); is {
				return nil
			}
			return one(msg)
		}},
		{"N42-01 model-proof", "odd", func(msg relay.ServerMessage) []relay.ServerMessage {
			if ok, is := msg.(relay.OK); is && strings.HasPrefix(ok.Text, "auth-required: the event that authenticates") {
				return one(relay.OK{ID: ok.ID, Accepted: true})
			}
			return one(msg)
		}},
		{"N70-01 model-not-challenged", "odd", func(msg relay.ServerMessage) []relay.ServerMessage {
			if _, is := msg.(relay.Challenge); is {
				return nil
			}
			return one(msg)
		}},
		{"N01-EV-01 model-other-answer", "ruled", func(msg relay.ServerMessage) []relay.ServerMessage {
			if ok, is := msg.(relay.OK); is && strings.HasSuffix(ok.Text, "is blacklisted") {
				ok.Text = strings.Replace(ok.Text, "blocked", "restricted", 1)
				return one(ok)
			}
			return one(msg)
		}},
	} {
		t.Run(p.breaks, func(t *testing.T) {
			t.Parallel()
			s, _, err := scenarios.Embedded(p.scenario)
			if err != nil {
				t.Fatal(err)
			}
			if o := run(t, s, 1, sim.Options{}); len(o.Violations) > 0 {
				t.Fatalf("without the mistake: got %v, want nothing", o.Violations)
			}
			o := run(t, s, 1, sends(p.change))
			if !slices.ContainsFunc(o.Violations, func(v invariant.Violation) bool { return v.String() == p.breaks }) {
				t.Errorf("got violations %v, want %s", o.Violations, p.breaks)
			}
		})
	}
}
