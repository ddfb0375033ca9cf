// Package kernel is the part of the simulator that knows no protocol: the schedule of pending events, draws keyed by
// what they are for, and the Chooser that makes the decisions of a run. It holds no world, writes no trace and has no
// state but what its callers give it.
package kernel

import "github.com/graspkit/graspkit/reference/instant"

// A Schedule holds the pending events of a run in a 4-ary heap. Events come out ordered by instant; those of one
// instant are shuffled on purpose by a hash of the seed, the instant and the identity that the caller gave, and equal
// hashes come out in the order of their insertion. In steady state neither Push nor Pop allocates.
type Schedule[T any] struct {
	ties Key
	seq  uint64
	heap []item[T]
}

// item is one pending event. The heap is ordered by (at, tie, seq).
type item[T any] struct {
	at    instant.Instant
	tie   uint64
	seq   uint64
	value T
}

func (a *item[T]) before(b *item[T]) bool {
	if a.at != b.at {
		return a.at < b.at
	}
	if a.tie != b.tie {
		return a.tie < b.tie
	}
	return a.seq < b.seq
}

// NewSchedule returns an empty schedule whose ties are broken by the seed.
func NewSchedule[T any](seed uint64) *Schedule[T] {
	return &Schedule[T]{ties: NewKey(seed, "kernel/tie")}
}

// Len is the number of pending events.
func (s *Schedule[T]) Len() int { return len(s.heap) }

// Push adds an event. The identity says what the event is, not when it was added: so an event more or less elsewhere
// leaves the order of all others as it was.
func (s *Schedule[T]) Push(at instant.Instant, identity uint64, value T) {
	s.seq++
	tie := s.ties.With(uint64(at)).With(identity).Uint64()
	s.heap = append(s.heap, item[T]{at: at, tie: tie, seq: s.seq, value: value})
	s.up(len(s.heap) - 1)
}

// Next is the instant of the first event; false if there is none.
func (s *Schedule[T]) Next() (instant.Instant, bool) {
	if len(s.heap) == 0 {
		return 0, false
	}
	return s.heap[0].at, true
}

// Peek returns the first event and leaves it where it is; false if there is none.
func (s *Schedule[T]) Peek() (instant.Instant, T, bool) {
	if len(s.heap) == 0 {
		var none T
		return 0, none, false
	}
	return s.heap[0].at, s.heap[0].value, true
}

// Pop removes the first event. It panics if there is none.
func (s *Schedule[T]) Pop() (instant.Instant, T) {
	if len(s.heap) == 0 {
		panic("kernel: invariant: pop from an empty schedule")
	}
	first := s.heap[0]
	last := len(s.heap) - 1
	moved := s.heap[last]
	s.heap[last] = item[T]{}
	s.heap = s.heap[:last]
	if last > 0 {
		s.down(moved)
	}
	return first.at, first.value
}

// up moves the item at index i towards the root.
func (s *Schedule[T]) up(i int) {
	moved := s.heap[i]
	for i > 0 {
		parent := (i - 1) / 4
		if !moved.before(&s.heap[parent]) {
			break
		}
		s.heap[i] = s.heap[parent]
		i = parent
	}
	s.heap[i] = moved
}

// down puts moved into the hole at the root.
func (s *Schedule[T]) down(moved item[T]) {
	i, n := 0, len(s.heap)
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, n); c++ {
			if s.heap[c].before(&s.heap[least]) {
				least = c
			}
		}
		if !s.heap[least].before(&moved) {
			break
		}
		s.heap[i] = s.heap[least]
		i = least
	}
	s.heap[i] = moved
}
