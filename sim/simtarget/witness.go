package simtarget

import (
	"fmt"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/invariant"
)

var _ target.Witness = (*Target)(nil)

// Testify implements target.Witness by the invariant monitor of the server. Nothing is under way between two calls of a
// target, so what must hold at rest is checked as well.
func (t *Target) Testify() []target.Testimony {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.monitor.Quiet(t.engine.Now())
	t.monitor.Git(t.engine.Now(), t.repositories())
	told, known := map[string][]string{}, map[string]bool{}
	for _, v := range t.monitor.Violations {
		if what := v.ID + v.Code + v.Detail; !known[what] { // what is wrong at rest is found again each time
			known[what] = true
			told[v.ID] = append(told[v.ID], fmt.Sprintf("%s after %v: %s", v.Code, since(v.At), v.Detail))
		}
	}
	var all []target.Testimony
	for _, id := range watched() {
		all = append(all, target.Testimony{ID: id, Observations: t.monitor.Checked(id), Violations: told[id]})
	}
	return all
}

// watched are the invariants that the monitor of a target is set to.
func watched() []string {
	return slices.Sorted(slices.Values(append(invariant.All(), invariant.HuntIDs()...)))
}

// repositories lists what git has. What cannot be read is left out, and missed.
func (t *Target) repositories() []core.RepositoryRefs {
	there, err := t.backend.Repositories()
	if err != nil {
		return nil
	}
	var all []core.RepositoryRefs
	for _, id := range there {
		if refs, err := t.backend.Refs(id); err == nil {
			all = append(all, core.RepositoryRefs{ID: id, Refs: refs})
		}
	}
	return all
}

// since is how long the world has run at an instant.
func since(at instant.Instant) time.Duration { return at.Sub(sim.Start) }
