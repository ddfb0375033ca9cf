package replicate

import (
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

// A server that can show who it is knocks at each relay before it asks for anything: it asks for an event that nobody has. A relay that
// refuses that for want of an authentication gets one. One that answers is for everybody, and a private service asks it for nothing:
// already the question for a repository would tell of it (G08-10). Nothing but the relay's own answer counts for that, neither what it
// says of itself nor that it has sent a challenge, as many public ones do.
type knock struct {
	stage     knocking
	sub       string
	challenge string
	refused   bool
}

// A knocking is what we wait for.
type knocking uint8

const (
	noKnock   knocking = iota
	asking             // what it says to somebody whom it does not know
	answering          // what it says to our authentication
)

func (m *Machine) knocks(now instant.Instant, l *link) {
	l.knock = knock{stage: asking, sub: l.sub("k")}
	m.become(now, l, Connecting, m.cfg.Answer, "")
	m.send(l, relay.Req{Sub: l.knock.sub, Filters: []relay.Filter{paged(relay.Filter{IDs: []string{nobody}}, nil, nil, 1)}})
}

// knocked takes what a relay says to that.
func (m *Machine) knocked(now instant.Instant, l *link, msg relay.ServerMessage) {
	k := &l.knock
	switch msg := msg.(type) {
	case relay.Challenge:
		k.challenge = msg.Text
	case relay.EOSE:
		if msg.Sub == k.sub && k.stage == asking {
			m.send(l, relay.Close{Sub: k.sub})
			m.public(now, l)
			return
		}
	case relay.Closed:
		switch {
		case msg.Sub != k.sub || k.stage != asking:
		case limits(msg.Text): // which says nothing of whom it answers
			m.knocksTooMuch(now, l, msg.Text)
			return
		case prefixed(msg.Text, "auth-required", "restricted"):
			k.refused = true
		default:
			m.public(now, l)
			return
		}
	case relay.Notice:
		if limits(msg.Text) {
			m.knocksTooMuch(now, l, msg.Text)
			return
		}
	case relay.OK: // we publish nothing, so it is about that
		switch {
		case k.stage != answering:
		case msg.Accepted:
			m.comesIn(now, l)
			return
		default:
			m.turnsAway(now, l, Unwelcome)
			return
		}
	}
	if k.stage != asking || !k.refused || k.challenge == "" {
		return
	}
	if !m.cfg.Identity {
		m.turnsAway(now, l, Unwelcome)
		return
	}
	k.stage = answering
	m.become(now, l, Connecting, m.cfg.Answer, "")
	m.orders = append(m.orders, Authenticate{l.peer, l.url, k.challenge})
}

// knocksTooMuch leaves a relay that is asked too much, until it may be asked again.
func (m *Machine) knocksTooMuch(now instant.Instant, l *link, text string) {
	m.limited(now, l, text)
	m.turnsAway(now, l, TimedOut)
}

// public goes on with a relay that does not care who asks.
func (m *Machine) public(now instant.Instant, l *link) {
	if m.cfg.Private {
		m.turnsAway(now, l, Public)
		return
	}
	m.comesIn(now, l)
}

// turnsAway leaves a relay before anything was asked of it.
func (m *Machine) turnsAway(now instant.Instant, l *link, why Failure) {
	m.orders = append(m.orders, HangUp{l.peer})
	m.ended(now, l, why)
}
