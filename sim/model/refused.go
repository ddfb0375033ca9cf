package model

import (
	"github.com/graspkit/graspkit/reference/core"
)

// mayRefuse says why an end must not remember that an event of another server was refused, "" if it may. Of what would be taken now nothing
// is remembered: it would be hidden from the next life (REF-SYNC-20).
func (m *Model) mayRefuse(is core.Mark) string {
	if _, ends := m.step.in.(core.Shutdown); !ends {
		return "nobody ends the server"
	}
	if is.Kind == markJudge {
		return ""
	}
	kind := 30617
	if is.Kind == markUnauthorized {
		kind = 30618
	}
	h, heard := m.heard[is.Event]
	switch {
	case !heard:
		return "no other server has said it"
	case h.ev.Kind != kind || h.ev.PubKey != string(is.Repo.Owner) || firstD(h.ev) != is.Repo.Identifier || int64(h.ev.CreatedAt) != is.Created:
		return "it is another event"
	case m.entries[is.Event] != nil:
		return "it is here"
	case is.Until <= m.now || is.Until > after(m.now, refusedLife):
		return "it is not remembered for a week at most"
	}
	if e, _ := m.read(h.ev); m.wouldKeep(e) {
		return "it would be taken now"
	}
	return ""
}

// remembersRefusals reports whether the journal remembers any.
func (m *Model) remembersRefusals() bool { return m.marks.refusals > 0 }
