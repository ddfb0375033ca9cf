package model

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// A set is one open reconciliation: what a filter selected when it began (N77-01, N77-04).
type set struct {
	name      string
	ids       [][]byte // by the time of the event, then by id
	searching bool     // it takes longer than a step
	late      bool     // it took longer than a step: what it selected is of some moment in between
	message   []byte
}

// A turn is a message of a client about a set, which has to be answered.
type turn struct {
	conn    core.ConnID
	sub     string
	set     *set // nil if none is open
	message []byte
	large   bool
	over    bool
}

// protocol is the version of negentropy that is spoken here.
const protocol = 0x61

func (c *client) set(name string) *set {
	at := slices.IndexFunc(c.sets, func(s *set) bool { return s.name == name })
	if at < 0 {
		return nil
	}
	return c.sets[at]
}

func (c *client) endSet(name string) {
	c.sets = slices.DeleteFunc(c.sets, func(s *set) bool { return s.name == name })
}

// reconciles takes a NEG-OPEN: it takes the place of a set of the same name (N77-03).
func (m *Model) reconciles(conn core.ConnID, in relay.NegOpen) {
	x := m.clients.byConn[conn]
	if x == nil {
		return
	}
	s := &set{name: in.Sub, message: in.Message}
	x.endSet(in.Sub)
	x.sets = append(x.sets, s)
	filter := in.Filter
	filter.Limit = nil // which events there are is asked, and not which to send
	found := m.found([]relay.Filter{filter}, false)
	slices.SortFunc(found, func(a, b *entry) int {
		if a.ev.CreatedAt != b.ev.CreatedAt {
			return int(a.ev.CreatedAt - b.ev.CreatedAt)
		}
		return strings.Compare(a.ev.ID, b.ev.ID)
	})
	for _, e := range found {
		id, err := hex.DecodeString(e.ev.ID)
		if err != nil {
			panic("model: invariant: an event that was taken has no id")
		}
		s.ids = append(s.ids, id)
	}
	m.step.turn = &turn{conn: conn, sub: in.Sub, set: s, message: in.Message, large: m.large([]relay.Filter{in.Filter})}
}

// goesOn takes a NEG-MSG.
func (m *Model) goesOn(conn core.ConnID, in relay.NegMessage) {
	x := m.clients.byConn[conn]
	if x == nil {
		return
	}
	s := x.set(in.Sub)
	if s != nil && s.searching {
		s = nil // it has not begun
	}
	m.step.turn = &turn{conn: conn, sub: in.Sub, set: s, message: in.Message}
}

// awaited is the turn that a message to a client ends; nil if there is none.
func (m *Model) awaited(conn core.ConnID, sub string) *turn {
	if t := m.step.turn; t != nil && t.conn == conn && t.sub == sub && !t.over {
		return t
	}
	if s := m.clients.byConn[conn].set(sub); s != nil && s.searching {
		s.searching, s.late = false, true
		return &turn{conn: conn, sub: sub, set: s, message: s.message, large: true}
	}
	return nil
}

// told judges the server's turn.
func (m *Model) told(conn core.ConnID, msg relay.NegAnswer) {
	t := m.awaited(conn, msg.Sub)
	if t == nil || t.set == nil {
		m.differ("N77-03", "unasked-set", "connection %d is told of %q, of which it did not ask", conn, msg.Sub)
		return
	}
	t.over = true
	want, exact, ok := turnOf(t.set.ids, t.message)
	switch {
	case !ok:
		m.differ("N77-02", "unreadable-answered", "%q is answered though its message %x cannot be read", msg.Sub, t.message)
	case exact && !t.set.late && !bytes.Equal(want, msg.Message):
		m.differ("N77-04", "other-set", "%q is answered with %x, want %x", msg.Sub, msg.Message, want)
	}
}

// toldOff judges that a reconciliation is refused for a reason that there may be.
func (m *Model) toldOff(conn core.ConnID, msg relay.NegError) {
	t := m.awaited(conn, msg.Sub)
	prefix, _, _ := strings.Cut(msg.Text, ":")
	if t == nil && prefix == "closed" && m.clients.byConn[conn].set(msg.Sub) != nil && m.reconciled() > setsMost {
		m.clients.byConn[conn].endSet(msg.Sub) // another one needs the room
		return
	}
	if t == nil {
		m.differ("N77-03", "unasked-set", "connection %d is told an error of %q, of which it did not ask", conn, msg.Sub)
		return
	}
	t.over = true
	_, _, ok := turnOf(nil, t.message)
	switch {
	case t.set == nil && prefix == "closed", t.set != nil && !ok && prefix == "invalid", t.large && isPrefixed(msg.Text):
	default:
		m.differ("N77-01", "set-refused", "%q is refused with %q", msg.Sub, msg.Text)
	}
	m.clients.byConn[conn].endSet(msg.Sub)
}

// reconciled is how many events all open sets have.
func (m *Model) reconciled() int {
	total := 0
	for _, x := range m.clients.all {
		for _, s := range x.sets {
			total += len(s.ids)
		}
	}
	return total
}

// turnEnds judges that a message about a set is answered in its step, unless it takes longer.
func (m *Model) turnEnds() {
	t := m.step.turn
	switch {
	case t == nil || t.over:
	case t.set != nil && m.work.searches > 0 && !t.set.searching:
		t.set.searching = true
	default:
		m.differ("N77-01", "set-unanswered", "%q of connection %d is not answered", t.sub, t.conn)
	}
}

// turnOf is the answer to a message about a set, whether there can be no other, and whether the message can be read. Each range
// is answered for itself: a list by a list of what is here, and what is skipped by nothing. A fingerprint of something else
// is answered by finer ones or by a list, so that the model knows the answer only if there is nothing.
func turnOf(ids [][]byte, message []byte) (answer []byte, exact, ok bool) {
	if len(message) == 0 {
		return nil, false, false
	}
	if message[0] != protocol {
		return []byte{protocol}, true, true
	}
	answer, exact = []byte{protocol}, true
	for rest := message[1:]; len(rest) > 0; {
		if len(rest) < 3 || rest[0] != 0 || rest[1] != 0 {
			return nil, false, true // a range that ends somewhere
		}
		mode := rest[2]
		rest = rest[3:]
		switch {
		case mode == 0:
		case mode == 1 && len(rest) >= 16:
			rest, exact = rest[16:], exact && len(ids) == 0
			answer = listed(answer, ids)
		case mode == 2:
			n, behind, ok := number(rest)
			if !ok || n > len(behind)/32 {
				return nil, false, false
			}
			rest = behind[32*n:]
			answer = listed(answer, ids)
		default:
			return nil, false, false
		}
	}
	return answer, exact, true
}

// number reads a number in base 128, and returns what is behind it.
func number(text []byte) (n int, rest []byte, ok bool) {
	for i, b := range text {
		if n = n<<7 | int(b&0x7f); b&0x80 == 0 {
			return n, text[i+1:], true
		}
		if i == 3 {
			break
		}
	}
	return 0, nil, false
}

// listed writes a range up to infinity with the ids in it. The number is in base 128.
func listed(answer []byte, ids [][]byte) []byte {
	answer = append(answer, 0, 0, 2)
	if n := len(ids); n >= 128 {
		answer = append(answer, byte(n/128)|0x80)
	}
	answer = append(answer, byte(len(ids)%128))
	return append(answer, bytes.Join(ids, nil)...)
}
