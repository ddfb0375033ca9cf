package model

import (
	"slices"

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
		if e == nil || e.phase != held || m.now < e.deadline && !m.outlived(&e.ev) || m.relied(e) || m.pinned(e) {
			continue
		}
		m.effect(effect)
		taken = append(taken, at)
	}
	return taken
}

// overdue judges that nothing is held beyond its deadline, and nothing is served beyond its own.
func (m *Model) overdue() {
	for {
		due, ok := m.due.Due(m.now)
		if !ok {
			break
		}
		if e := due.Value; e.phase == held && e.deadline == due.At {
			m.work.late = append(m.work.late, e)
		}
	}
	if len(m.work.late) > 0 {
		m.work.late = slices.DeleteFunc(m.work.late, func(e *entry) bool { return e.phase != held || e.deadline > m.now })
	}
	for _, e := range m.work.late {
		if !m.reasonToStay(e) {
			m.differ("REF-PURG-06", "outlives", "event %s of kind %d is held after its deadline", e.ev.ID, e.ev.Kind)
		}
	}
	for _, e := range m.work.expiring {
		switch {
		case !m.outlived(&e.ev):
		case e.phase == stored:
			m.differ("N40-01", "outlives", "event %s is served after its own expiration", e.ev.ID)
		case e.phase == held && !m.reasonToStay(e):
			m.differ("N40-01", "outlives", "event %s of kind %d is held after its own expiration", e.ev.ID, e.ev.Kind)
		}
	}
}

// inTime reports whether an event is held, and its time is not over, here or by its own word.
func (m *Model) inTime(e *entry) bool {
	return e.phase == held && m.now < e.deadline && !m.outlived(&e.ev)
}

// reasonToStay reports whether an event whose time is over may be held still: a push relies on it, or has done so until this instant,
// or it was answered at this instant only.
func (m *Model) reasonToStay(e *entry) bool {
	switch {
	case m.pinned(e):
		e.excused, e.free0 = true, 0
	case e.excused && (e.free0 == 0 || e.free0 == m.now):
		e.free0 = m.now
	default:
		return false
	}
	return true
}
