package client

import (
	"testing"
	"time"
)

// Handshakes that are turned away are counted apart from other things that are too fast, whatever words there were before.
func TestTurnedAwayHandshakesAreCounted(t *testing.T) {
	p := NewPace(0)
	for i := range limitsMax {
		p.limited("event", string(rune('a'+i)))
	}
	p.limited("query", "handshake")
	for range 3 {
		p.limited(kindConnection, "handshake answered with HTTP 429")
	}
	if got := p.TurnedAway(); got != 3 {
		t.Errorf("got %d handshakes turned away, want 3", got)
	}
}

// What several wait for side by side is waited for once.
func TestWaitsSideBySideCountOnce(t *testing.T) {
	p := NewPace(90 * time.Second)
	begun := time.Unix(1_000_000, 0)
	for range 3 {
		p.waiter(begun, 1)
	}
	for i := range 3 {
		p.waiter(begun.Add(time.Duration(20*(i+1))*time.Second), -1)
	}
	if _, waited := p.Told(); waited != time.Minute || p.Spent() {
		t.Errorf("got %v, spent %t, want a minute of a minute and a half", waited, p.Spent())
	}
	p.waiter(begun.Add(time.Hour), 1) // nobody waited before
	p.waiter(begun.Add(time.Hour+30*time.Second), -1)
	if _, waited := p.Told(); waited != 90*time.Second || !p.Spent() {
		t.Errorf("got %v, spent %t, want a minute and a half", waited, p.Spent())
	}
}
