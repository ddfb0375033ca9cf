// Package queue orders values by the instant at which somebody has to look at them again: a binary heap that both judges keep
// their deadlines in. It does not notice that the instant of a value has changed: one that is not true any more stays in it
// until it comes up, and its owner sees by Item.At that it is old.
package queue

import "github.com/graspkit/graspkit/reference/instant"

// A Queue holds items by instant, and those of one instant by name. The zero Queue is empty. It grows without bound: its
// owner knows how many items there can be.
type Queue[T any] struct{ items []Item[T] }

// An Item is a value with its place in the order.
type Item[T any] struct {
	At    instant.Instant
	Name  string
	Value T
}

// First returns the first item, and false if there is none.
func (q *Queue[T]) First() (Item[T], bool) {
	if len(q.items) == 0 {
		return Item[T]{}, false
	}
	return q.items[0], true
}

// Due removes and returns the first item if its instant is no later than by, and says whether there was one.
func (q *Queue[T]) Due(by instant.Instant) (Item[T], bool) {
	first, ok := q.First()
	if !ok || first.At > by {
		return Item[T]{}, false
	}
	q.Pop()
	return first, true
}

// Push adds an item.
func (q *Queue[T]) Push(at instant.Instant, name string, value T) {
	q.items = append(q.items, Item[T]{at, name, value})
	for i := len(q.items) - 1; i > 0 && q.before(i, (i-1)/2); i = (i - 1) / 2 {
		q.swap(i, (i-1)/2)
	}
}

// Pop removes the first item, if there is one.
func (q *Queue[T]) Pop() {
	last := len(q.items) - 1
	if last < 0 {
		return
	}
	q.swap(0, last)
	q.items[last] = Item[T]{} // so that its value can be freed
	q.items = q.items[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return
		}
		if child+1 < last && q.before(child+1, child) {
			child++
		}
		if !q.before(child, i) {
			return
		}
		q.swap(child, i)
		i = child
	}
}

func (q *Queue[T]) before(i, j int) bool {
	a, b := &q.items[i], &q.items[j]
	return a.At < b.At || a.At == b.At && a.Name < b.Name
}

func (q *Queue[T]) swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }
