// Package negentropy is set reconciliation as NIP-77 uses it, protocol version 1. A sorted set of events answers the
// messages of a client until the client knows which ids only it has and which only the set has, or it is itself what asks
// another server, until it knows which ids it lacks. It speaks bytes: hexadecimal, subscriptions and filters are elsewhere.
package negentropy

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"sort"
)

// Version is the first byte of every message of protocol version 1.
const Version = 0x61

// FrameMin is the smallest limit of an answer: the answer to any one range fits into it.
const FrameMin = 4096

// Sizes of the protocol.
const (
	idSize          = 32
	fingerprintSize = 16
	bucketsOfSplit  = 16 // ranges that a range with different content is cut into
	listedMax       = 31 // items of a range that are listed and not cut any more
)

// An ID is the id of an event.
type ID [idSize]byte

// An Item is one event of a set. Time is its created_at in seconds; math.MaxUint64 is not a time.
type Item struct {
	Time uint64
	ID   ID
}

// compare orders items by time, then by id.
func (i Item) compare(other Item) int {
	if c := cmp.Compare(i.Time, other.Time); c != 0 {
		return c
	}
	return bytes.Compare(i.ID[:], other.ID[:])
}

// A Set is what one side of a reconciliation has. Its items never change. It may answer any number of clients, and ask one
// server at a time.
type Set struct {
	items []Item // sorted, each once
	asked inquiry
}

// NewSet makes a set of items in any order. It keeps the slice. It panics if an item has no valid time.
func NewSet(items []Item) *Set {
	slices.SortFunc(items, Item.compare)
	items = slices.Compact(items)
	if len(items) > 0 && items[len(items)-1].Time == math.MaxUint64 {
		panic("negentropy: invariant: an item at the end of time")
	}
	return &Set{items: items}
}

// Len returns the number of items.
func (s *Set) Len() int { return len(s.items) }

// search returns the index of the first item from lower on that is not below the bound.
func (s *Set) search(lower int, b bound) int {
	if b.infinite() {
		return len(s.items)
	}
	return lower + sort.Search(len(s.items)-lower, func(i int) bool { return s.items[lower+i].compare(b.Item) >= 0 })
}
