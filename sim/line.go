package sim

import (
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/replicate"
	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

// silentCrashes is the share, in a million, of the connections of a server that dies without a word: the others are reset.
const silentCrashes = 300_000

// A Line is one connection to a relay, or the attempt to make one. Each end may be gone while the other does not know it yet.
type Line struct {
	Conn core.ConnID // for the far end's own use

	lines       *Lines
	id          core.PeerID
	far         Relay // nil if the URL leads nowhere
	heard       func(now instant.Instant, in core.Input)
	there, back *network.Stream
	key         kernel.Key // of what is drawn about it
	answered    bool       // the near end has heard that it is open
	gone        bool       // the near end is gone
	up          bool       // the far end has it
	withering   bool
}

// Caller is the name of the node that has made the connection.
func (l *Line) Caller() string { return l.lines.name }

// later schedules something that happens to the connection.
func (l *Line) later(at instant.Instant, do func(now instant.Instant)) {
	l.lines.engine.At(at, l.key.With(uint64(at)).Uint64(), then(do))
}

// soon is when an end notices by itself that the other one is gone.
func (l *Line) soon(now instant.Instant, what string) instant.Instant {
	return now.Add(1 + time.Duration(l.key.WithText(what).Below(int64(ailingMost))))
}

// rings is when a call reaches the far end.
func (l *Line) rings(now instant.Instant) {
	if l.gone {
		return
	}
	takes, answers := l.far.Takes()
	if !takes && !answers {
		return
	}
	at, arrives := l.back.Send(now, lineContent.WithText("answer"), frameSize)
	switch {
	case !takes && arrives:
		l.later(at, func(now instant.Instant) { l.lost(now, replicate.Unreachable) })
	case takes && arrives:
		l.later(at, l.opens)
	}
	if takes { // who does not hear of it gives up, and says so
		l.up = true
		l.far.Opened(now, l)
	}
}

// opens is when the near end hears that the call was answered.
func (l *Line) opens(now instant.Instant) {
	if !l.gone {
		l.answered = true
		l.heard(now, core.PeerOpened{Peer: l.id})
	}
}

// Say sends a message of the far end.
func (l *Line) Say(now instant.Instant, msg relay.ServerMessage) {
	_, event := msg.(relay.EventFor)
	l.say(now, msg, event)
}

// Forge sends an event whose signature does not fit.
func (l *Line) Forge(now instant.Instant, msg relay.ServerMessage) { l.say(now, msg, false) }

func (l *Line) say(now instant.Instant, msg relay.ServerMessage, good bool) {
	if !l.up {
		return
	}
	content, size := serverContent(l.lines.net.Way(l.far.Name(), l.lines.name), msg)
	at, arrives := l.back.Send(now, content, size)
	if !arrives {
		l.withers(l.soon(now, "near cut"), at)
		return
	}
	l.later(at, func(now instant.Instant) {
		if !l.gone {
			l.heard(now, core.PeerSaid{Peer: l.id, Msg: msg, Good: good})
		}
	})
}

// Close ends the connection at the far end, in order.
func (l *Line) Close(now instant.Instant) { l.ends(now, replicate.NoFailure) }

// Crash ends the connection with the machine or the process at the far end: the near end hears of it, or has to find out.
func (l *Line) Crash(now instant.Instant) {
	if l.up && l.key.WithText("silent").Chance(silentCrashes) {
		l.up = false
		l.later(l.soon(now, "far crash"), func(now instant.Instant) { l.lost(now, replicate.TimedOut) })
		return
	}
	l.ends(now, replicate.Unreachable)
}

// ends ends the connection at the far end, behind all that was said there.
func (l *Line) ends(now instant.Instant, failure core.PeerFailure) {
	if !l.up {
		return
	}
	l.up = false
	at, arrives := l.back.Send(now, lineContent.WithText("end"), frameSize)
	if !arrives {
		failure = replicate.TimedOut
		at = max(at, l.soon(now, "near end"))
	}
	l.later(at, func(now instant.Instant) { l.lost(now, failure) })
}

// hangUp ends the connection at the near end.
func (l *Line) hangUp(now instant.Instant, failure core.PeerFailure) {
	if l.gone {
		return
	}
	if l.far != nil {
		l.tellsFar(now)
	}
	l.gone = true
	delete(l.lines.open, l.id)
	l.later(now, func(now instant.Instant) { l.heard(now, core.PeerClosed{Peer: l.id, Failure: failure}) })
}

// tellsFar has the far end hear that the near end is gone, behind all that was said there; or notice it.
func (l *Line) tellsFar(now instant.Instant) {
	at, arrives := l.there.Send(now, lineContent.WithText("end"), frameSize)
	if !arrives {
		at = max(at, l.soon(now, "far end"))
	}
	l.later(at, l.leaves)
}

// withers has each end notice, at its time, that nothing passes any more.
func (l *Line) withers(near, far instant.Instant) {
	if l.withering {
		return
	}
	l.withering = true
	l.later(near, func(now instant.Instant) { l.lost(now, replicate.TimedOut) })
	l.later(far, l.leaves)
}

// lost is when the near end hears, or notices, that the connection is gone.
func (l *Line) lost(now instant.Instant, failure core.PeerFailure) {
	if l.gone {
		return
	}
	l.gone = true
	delete(l.lines.open, l.id)
	l.heard(now, core.PeerClosed{Peer: l.id, Failure: failure})
}

// leaves is when the far end does.
func (l *Line) leaves(now instant.Instant) {
	if l.up {
		l.up = false
		l.far.Left(now, l)
	}
}
