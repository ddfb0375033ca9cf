package eventstore

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

func insert[K comparable](index map[K]list, key K, ev *nostr.Event) {
	l := index[key]
	l.insert(ev)
	index[key] = l
}

// remove takes an event out of an index. A list that becomes empty goes, so that the index stays within the bound of
// the store.
func remove[K comparable](index map[K]list, key K, ev *nostr.Event) {
	l := index[key]
	l.remove(ev)
	if l.n == 0 {
		delete(index, key)
		return
	}
	index[key] = l
}

// A tagValue is a tag with a one-letter name, as filters ask for it.
type tagValue struct {
	letter byte
	value  string
}

func tagValueOf(tag nostr.Tag) (tagValue, bool) {
	if len(tag) < 2 || len(tag[0]) != 1 {
		return tagValue{}, false
	}
	return tagValue{tag[0][0], tag[1]}, true
}

// An address names what newer events replace: kind, author and, for addressable kinds, identifier.
type address struct {
	kind   int
	pubkey string
	d      string
}

func addressOf(ev *nostr.Event) (address, bool) {
	switch {
	case IsAddressable(ev.Kind):
		d, _ := repo.Identifier(ev)
		return address{ev.Kind, ev.PubKey, d}, true
	case IsReplaceable(ev.Kind):
		return address{ev.Kind, ev.PubKey, ""}, true
	}
	return address{}, false
}

// IsReplaceable reports whether only the latest event of a kind by each author is kept (NIP-01, N01-REP-02).
func IsReplaceable(kind int) bool { return kind == 0 || kind == 3 || 10000 <= kind && kind < 20000 }

// IsEphemeral reports whether events of a kind are passed on and never kept (NIP-01).
func IsEphemeral(kind int) bool { return 20000 <= kind && kind < 30000 }

// IsAddressable reports whether only the latest event of a kind by each author and d tag is kept (NIP-01, N01-REP-01).
func IsAddressable(kind int) bool { return 30000 <= kind && kind < 40000 }
