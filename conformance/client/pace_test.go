package client

import "testing"

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
