package node

import (
	"sync"

	"github.com/graspkit/graspkit/reference/relay"
)

// authorsMax bounds how many authors are remembered, in each of two generations: 5 KiB of each who has signed twice.
const authorsMax = 512

// authors remembers who has signed of late. What is worked out for one from the second good signature on makes checking all
// later ones twice as fast; of those who sign once it would cost more than it saves. The elder generation is forgotten when
// the younger is full.
type authors struct {
	mu             sync.Mutex
	younger, elder map[string]*relay.Author // by key; nil of who has signed once
}

// verify is relay.Verify with what is known of the author.
func (a *authors) verify(m relay.Event) bool {
	author, again := a.of(m.Event.PubKey)
	if author != nil {
		return author.Verify(m.Event)
	}
	if !relay.Verify(m.Event) {
		return false
	}
	if again {
		author, _ = relay.NewAuthor(m.Event.PubKey)
	}
	a.keep(m.Event.PubKey, author)
	return true
}

// of returns what is known of an author, nil if nothing is worked out, and whether that one has signed before.
func (a *authors) of(key string) (author *relay.Author, again bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if author, again = a.younger[key]; again {
		return author, true
	}
	if author, again = a.elder[key]; again {
		a.put(key, author)
	}
	return author, again
}

func (a *authors) keep(key string, author *relay.Author) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.put(key, author)
}

func (a *authors) put(key string, author *relay.Author) {
	if _, known := a.younger[key]; !known && (a.younger == nil || len(a.younger) >= authorsMax) {
		a.elder, a.younger = a.younger, make(map[string]*relay.Author)
	}
	a.younger[key] = author
}
