package node

import (
	"sync"

	"github.com/graspkit/graspkit/reference/relay"
)

// A verified remembers good signatures, because events come again and checking one costs as much as a thousand
// look-ups. It keeps two generations of at most verifiedMax; the elder is forgotten when the younger is full.
type verified struct {
	mu             sync.Mutex
	younger, elder map[signature]struct{}
}

// A signature is what a remembered check is about. The id stands for all that is signed, as it was computed anew.
type signature struct{ id, sig string }

// check reports whether the signature is good. An event whose id is wrong is not looked at: it is refused anyway.
func (v *verified) check(m relay.Event) bool {
	if !m.IDOK {
		return false
	}
	key := signature{m.Event.ID, m.Event.Sig}
	if v.knows(key) {
		return true
	}
	if !relay.Verify(m.Event) {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.younger == nil || len(v.younger) >= verifiedMax {
		v.elder, v.younger = v.younger, make(map[signature]struct{})
	}
	v.younger[key] = struct{}{}
	return true
}

func (v *verified) knows(key signature) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.younger[key]; ok {
		return true
	}
	_, ok := v.elder[key]
	return ok
}
