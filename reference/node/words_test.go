package node

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/replicate"
)

// What a server does with other relays is logged in words, for whoever reads no more than that.
func TestSyncIsToldInWords(t *testing.T) {
	notes := []core.Note{
		{Fact: core.PeerLeftOut},
		{Fact: core.PeerLimited},
		{Fact: core.PeerPlain},
		{Fact: core.PeerOutOfReach},
		{Fact: core.PeerBatch},
		{Fact: core.PeerBatch, Reason: "no answer"},
		{Fact: core.PeerAgain},
	}
	for s := replicate.Disconnected; s <= replicate.Disconnecting; s++ {
		notes = append(
			notes, core.Note{Fact: core.PeerStatus, Reason: s.String()}, core.Note{Fact: core.PeerStatus, Reason: s.String() + ": timeout"},
		)
	}
	said := map[string]core.Note{}
	for _, e := range notes {
		if noteLevel(e.Fact) != slog.LevelInfo {
			t.Errorf("%s is told at %v, want info", e.Fact, noteLevel(e.Fact))
		}
		words := inWords(e)
		if len(strings.Fields(words)) < 4 {
			t.Errorf("%s %q: got %q, want a sentence", e.Fact, e.Reason, words)
		}
		if other, twice := said[words]; twice && (other.Fact != e.Fact || !strings.HasPrefix(e.Reason, other.Reason)) {
			t.Errorf("%s %q and %s %q: both are %q", e.Fact, e.Reason, other.Fact, other.Reason, words)
		}
		said[words] = e
	}
	if got := noteLevel(core.PeerGave); got != slog.LevelDebug { // there are as many as a relay likes, refused ones among them
		t.Errorf("what a relay sends is told at %v, want debug", got)
	}
	if got := inWords(core.Note{Fact: core.EventStored}); got != "note" {
		t.Errorf("another fact: got %q, want it told by its fact", got)
	}
}
