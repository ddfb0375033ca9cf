package model

import (
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// runsOut takes over the end of an event whose copy comes at the very instant at which its time is over: from its deadline on it is
// absent from every decision, also from the one about the copy (REF-PURG-06). It returns which effect that was, -1 if none.
func (m *Model) runsOut(in core.Input, effects []core.Effect) int {
	id := ""
	switch in := in.(type) {
	case core.Message:
		if ev, is := in.Msg.(relay.Event); is && ev.Event != nil {
			id = ev.Event.ID
		}
	case core.Synced:
		id = in.Event.ID
	}
	e := m.entries[id]
	if e == nil || e.phase != held || m.now < e.deadline {
		return -1
	}
	at := slices.IndexFunc(effects, func(x core.Effect) bool {
		r, is := x.(core.Record)
		return is && r.Op == core.OpDrop && r.ID == id
	})
	if at >= 0 {
		m.effect(effects[at])
	}
	return at
}
