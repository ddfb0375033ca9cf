package sim

import (
	"slices"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/sim/workload"
)

// synced is how a server syncs with the others.
func (s *server) synced() core.SyncConfig {
	w := s.world
	if w.scenario.Sync.Bound == 0 {
		return core.SyncConfig{}
	}
	cfg := core.SyncConfig{On: true, Config: replicate.Config{Seed: s.key.WithText("sync").Uint64()}}
	for _, n := range w.scenario.Peers(s.index + 1) {
		cfg.Bootstrap = append(cfg.Bootstrap, workload.RelayURL(w.services()[n-1]))
	}
	for _, r := range w.relays {
		if r.config.Told {
			cfg.Bootstrap = append(cfg.Bootstrap, r.URL())
		}
	}
	if s.monitor != nil {
		for _, url := range cfg.Bootstrap {
			s.monitor.Told(url)
		}
	}
	return cfg
}

// last is what somebody does at the end, told to one server where servers tell each other.
func (w *World) last(a *actor, ops []workload.Operation) []workload.Operation {
	if w.scenario.Sync.Bound > 0 {
		told := a.key.WithText("told").Below(int64(len(w.servers)))
		for i := range ops {
			ops[i].Not = ^(1 << uint64(told)) //nolint:gosec // an index
		}
	}
	return ops
}

// strange reports whether two private servers have clocks so far apart that neither believes who the other one is.
func (s *server) strange(other *server) bool {
	apart := s.ills.ahead - other.ills.ahead
	return s.private() && max(apart, -apart) > core.AuthenticationWindow-time.Minute
}

// complete judges, for each two servers, that one has what the other has and it has to have, and for each server, that it has what
// relays offer and it has to have, of all that is older than the bound of the scenario.
func (w *World) complete() {
	bound := w.scenario.Sync.Bound
	if bound == 0 || w.opts.Unseen || w.opts.Alone || w.engine.halted {
		return
	}
	for _, s := range w.servers {
		told := w.scenario.Peers(s.index + 1)
		for _, other := range w.servers {
			if other != s && s.private() == other.private() && !s.strange(other) { // one that is private asks nobody else, and nobody else is let in
				lacks, judged := s.naive.Lacks(w.engine.Now(), other.naive, slices.Contains(told, other.index+1), bound)
				s.monitor.Complete(w.engine.Now(), other.Name, judged, lacks)
			}
		}
		for _, r := range w.relays {
			if s.private() { // which has asked those alone that want to know who asks
				continue
			}
			lacks, judged := s.naive.LacksOffered(w.engine.Now(), r.Name(), r.offers(), r.config.Told, bound)
			s.monitor.Complete(w.engine.Now(), r.Name(), judged, lacks)
		}
	}
	if len(w.violations()) > 0 {
		w.engine.Halt()
	}
}
