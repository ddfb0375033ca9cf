package client

import (
	"sync"

	"github.com/nbd-wtf/go-nostr"
)

// A signature is one on the event of an id. Whether it is good depends on the two alone, whoever asks.
type signature struct{ id, sig string }

// signaturesMax bounds how many good signatures are remembered; then all are forgotten.
const signaturesMax = 20_000

// known are the signatures that were found good, and those that Build made: to look at one again costs as much as to sign
// an event, and each event is seen by many checks.
var known = signatures{good: map[signature]bool{}}

// signatures is a set that several goroutines may use.
type signatures struct {
	mu   sync.Mutex
	good map[signature]bool // guarded by mu
}

func (s *signatures) has(ev *nostr.Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.good[signature{ev.ID, ev.Sig}]
}

func (s *signatures) add(ev *nostr.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.good) >= signaturesMax {
		clear(s.good)
	}
	s.good[signature{ev.ID, ev.Sig}] = true
}

// Signed reports whether the signature of an event was made by [Build], or found good already.
func Signed(ev *nostr.Event) bool { return known.has(ev) }
