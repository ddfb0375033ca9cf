package sim_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/trace"
	"github.com/graspkit/graspkit/sim/workload"
)

func TestClientsInsistOnAnAnswer(t *testing.T) {
	published := func(loss int64) map[string]int {
		s := short(t)
		s.Links.Loss, s.Links.Duplicate = loss, 0
		s.People.Retried = 1_000_000
		s.People.Team[workload.OpIssue], s.People.Stranger[workload.OpIssue] = 1, 1 // of which each is published once
		sent := map[string]int{}
		held(t, run(t, s, 1, sim.Options{Sink: func(r trace.Record) {
			if r.Fact == "publish" && r.Kind == 1621 && r.At < sim.Start.Add(s.Duration) {
				sent[r.Event]++
			}
		}}))
		return sent
	}
	for id, n := range published(0) {
		if n != 1 {
			t.Errorf("nothing is lost: got event %s sent %d times, want once", id, n)
		}
	}
	most := 0
	for _, n := range published(400_000) {
		most = max(most, n)
	}
	if most < 2 || most > 4 {
		t.Errorf("much is lost: got an event sent %d times, want 2 to 4", most)
	}
}

func TestClientsReconnectAndLook(t *testing.T) {
	s := short(t)
	s.Servers = 2
	s.Owner.Every = 20 * time.Second
	s.People.Team[workload.OpReconnect], s.People.Team[workload.OpLook], s.People.Team[workload.OpWork] = 1, 1, 2
	o := run(t, s, 1, sim.Options{})
	held(t, o)
	for _, fact := range []string{"reconnected", "looked", "event_accepted_to_client"} {
		if o.Fact(fact) == 0 {
			t.Errorf("fact %s: got none, want some", fact)
		}
	}
}

// What goes to some servers only is seen at those alone.
func TestSomeServersHaveNoPart(t *testing.T) {
	for partly, apart := range map[int64]bool{0: false, 500_000: true} {
		s := short(t)
		s.Servers, s.Links.Loss = 2, 0
		s.People.Partly = partly
		at := map[string]map[string]bool{}
		held(t, run(t, s, 1, sim.Options{Sink: func(r trace.Record) {
			if r.Fact == "publish" {
				if at[r.Event] == nil {
					at[r.Event] = map[string]bool{}
				}
				at[r.Event][r.Detail] = true
			}
		}}))
		single := false
		for _, servers := range at {
			single = single || len(servers) == 1
		}
		if single != apart {
			t.Errorf("share %d: got events at one server %v, want %v", partly, single, apart)
		}
	}
}
