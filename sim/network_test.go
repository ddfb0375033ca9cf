package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/trace"
)

// talkative is a core that says one thing more, once.
type talkative struct {
	core.Machine
	steps *int
}

// sayAt is the step in which it does.
const sayAt = 100

func (k *talkative) Step(now instant.Instant, in core.Input, out *core.Effects) {
	k.Machine.Step(now, in, out)
	if *k.steps++; *k.steps == sayAt {
		out.List = append(out.List, core.Send{Conn: 2, Msg: relay.Notice{Text: "by the way"}})
	}
}

// account is the list of records of a run, without what counts all records before.
func account(t *testing.T, s scenarios.Scenario, seed uint64, opts sim.Options) []trace.Record {
	t.Helper()
	var list []trace.Record
	opts.Sink = func(r trace.Record) {
		r.Seq, r.Hash = 0, ""
		list = append(list, r)
	}
	run(t, s, seed, opts)
	return list
}

// One harmless message more is one record more, in worlds of people, of crashes and of hunts: what is drawn about anything
// else is drawn by what that is.
func TestOneNoticeMoreIsOneRecordMore(t *testing.T) {
	for _, name := range []string{"first", "crash", "hunt_flapping"} {
		s := embedded(t, name)
		s.Duration = min(s.Duration, 3*time.Hour)
		s.Faults = slices.DeleteFunc(s.Faults, func(f fault.Fault) bool { return f.At+f.For > s.Duration })
		for seed := uint64(1); seed <= 5; seed++ {
			plain := account(t, s, seed, sim.Options{})
			steps := 0
			more := account(t, s, seed, sim.Options{
				Alone: true, // a notice that nothing is behind is a difference, which ends a run
				Wrap:  func(_ int, m core.Machine) core.Machine { return &talkative{m, &steps} },
			})
			at := slices.IndexFunc(more, func(r trace.Record) bool {
				return r.Fact == "notice_received" && r.Detail == "by the way" || r.Fact == "message_lost" && !slices.Contains(plain, r)
			})
			if at < 0 {
				t.Fatalf("%s, seed %d: the notice is nowhere", name, seed)
			}
			if diff := cmp.Diff(plain, slices.Delete(more, at, at+1)); diff != "" {
				t.Errorf("%s, seed %d: one notice more changes other records (-without +with):\n%s", name, seed, diff)
			}
		}
	}
}
