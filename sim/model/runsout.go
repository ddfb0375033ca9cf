package model

import (
	"github.com/graspkit/graspkit/reference/core"
)

// runsOut takes over, before the input of a step, what comes to its end by time alone in it: from its deadline on an event is absent
// from every decision, also from that about what comes at this very instant (REF-PURG-06). It returns which effects that was.
func (m *Model) runsOut(effects []core.Effect) (taken []int) {
	for at, effect := range effects {
		r, is := effect.(core.Record)
		if !is || r.Op != core.OpDrop && (r.Op != core.OpHold || !r.Soft) {
			continue
		}
		e := m.entries[r.ID]
		if e == nil || e.phase != held || m.now < e.deadline || m.relied(e) || m.pinned(e) {
			continue
		}
		m.effect(effect)
		taken = append(taken, at)
	}
	return taken
}
