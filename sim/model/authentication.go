package model

import (
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// proofMost is how far in seconds an event that authenticates may be from the present (N42-01).
const proofMost = 600

// privateMost is how far where only members are let in (G08-04).
const privateMost = 300

// A proof is an event by which a client shows who it is, and whether it does.
type proof struct {
	ev   *nostr.Event
	good bool
}

// shows takes an AUTH.
func (m *Model) shows(conn core.ConnID, ev *nostr.Event, genuine bool) {
	x := m.clients.byConn[conn]
	if x == nil {
		return
	}
	value := func(name string) string {
		for _, tag := range ev.Tags {
			if len(tag) > 1 && tag[0] == name {
				return tag[1]
			}
		}
		return ""
	}
	most := int64(proofMost)
	if m.cfg.Rules.Private {
		most = privateMost
	}
	away := int64(ev.CreatedAt) - int64((time.Duration(m.now)+m.work.ahead)/time.Second)
	x.shown = append(x.shown, proof{ev, genuine && ev.Kind == 22242 && away >= -most && away <= most &&
		x.challenge != "" && value("challenge") == x.challenge && m.isRelay(value("relay"))})
}

// proved judges the answer to an AUTH; false if it is one to something else.
func (m *Model) proved(conn core.ConnID, ok relay.OK) bool {
	x := m.clients.byConn[conn]
	at := slices.IndexFunc(x.shown, func(p proof) bool { return p.ev.ID == ok.ID })
	if at < 0 {
		return false
	}
	p := x.shown[at]
	x.shown = slices.Delete(x.shown, at, at+1)
	stranger := m.cfg.Rules.Private && p.good && !m.isMember(p.ev.PubKey)
	if stranger && !ok.Accepted && strings.HasPrefix(ok.Text, "restricted:") {
		x.keys = append(x.keys, p.ev.PubKey) // who it is is known, and is not let in (G08-03)
		return true
	}
	if stranger || p.good != ok.Accepted || !ok.Accepted && !strings.HasPrefix(ok.Text, "auth-required:") {
		m.differ("N42-01", "proof", "connection %d is told OK %v %q of who it is, want %v", conn, ok.Accepted, ok.Text, p.good)
	}
	if ok.Accepted {
		x.keys = append(x.keys, p.ev.PubKey)
	}
	return true
}

// challenged judges that a client is told what to sign, which it is when something needs it.
func (m *Model) challenged(conn core.ConnID, msg relay.Challenge) {
	if x := m.step.proves; x == nil || x.conn != conn || x.challenge != msg.Text {
		m.differ("N42-01", "challenged", "connection %d is told to sign %q, which nothing needs", conn, msg.Text)
	}
	m.step.proves = nil
}

// unproved judges that every AUTH is answered in its step, and that whoever has to sign something is told what.
func (m *Model) unproved() {
	if x := m.step.proves; x != nil && x.challenge != "" {
		m.differ("N70-01", "not-challenged", "connection %d is refused a protected event and is not told what to sign", x.conn)
	}
	in, is := m.step.in.(core.Message)
	if x := m.clients.byConn[in.Conn]; is && x != nil && len(x.shown) > 0 {
		m.differ("N42-01", "proof-unanswered", "connection %d gets no answer about who it is", in.Conn)
	}
}
