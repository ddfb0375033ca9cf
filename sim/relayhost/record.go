package relayhost

import (
	"slices"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// RecordMax is how many messages, and how many visits, a relay remembers at least; of twice as many the older half is
// forgotten.
const RecordMax = 50_000

// Asked is a message that a relay was sent.
type Asked struct {
	At   instant.Instant
	Conn ConnID
	Msg  relay.ClientMessage
}

// A Visit is an attempt to connect, and the connection that came of it.
type Visit struct {
	Conn    ConnID
	At      instant.Instant
	Opening Opening
	Ended   instant.Instant // zero while it is open; an attempt that is not taken has none
}

// record keeps what a relay has seen of its askers.
type record struct {
	messages []Asked
	visits   []Visit
	limited  int
}

func (r *record) asked(a Asked) { r.messages = append(trimmed(r.messages), a) }

func (r *record) open(v Visit) { r.visits = append(trimmed(r.visits), v) }

func (r *record) close(now instant.Instant, id ConnID) {
	for i, v := range slices.Backward(r.visits) {
		if v.Conn == id {
			r.visits[i].Ended = now
			return
		}
	}
}

func trimmed[T any](list []T) []T {
	if len(list) < 2*RecordMax {
		return list
	}
	return append(list[:0], list[RecordMax:]...)
}

// Asked are the messages that came, in their order. What nobody was there to hear is not among them.
func (h *Host) Asked() []Asked { return slices.Clone(h.record.messages) }

// Visits are the attempts to connect, in their order.
func (h *Host) Visits() []Visit { return slices.Clone(h.record.visits) }

// Limited is how many questions were refused for coming too fast.
func (h *Host) Limited() int { return h.record.limited }

// Connections is how many there are.
func (h *Host) Connections() int { return len(h.conns) }
