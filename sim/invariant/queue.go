package invariant

import "github.com/graspkit/graspkit/reference/instant"

// A queue is a binary heap of named values by an instant. Those whose instant has changed meanwhile stay in until they come up.
type queue[T any] struct{ items []queued[T] }

type queued[T any] struct {
	at    instant.Instant
	name  string
	value T
}

func (q *queue[T]) before(i, j int) bool {
	a, b := &q.items[i], &q.items[j]
	return a.at < b.at || a.at == b.at && a.name < b.name
}

func (q *queue[T]) swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }

func (q *queue[T]) push(at instant.Instant, name string, value T) {
	q.items = append(q.items, queued[T]{at, name, value})
	for i := len(q.items) - 1; i > 0 && q.before(i, (i-1)/2); i = (i - 1) / 2 {
		q.swap(i, (i-1)/2)
	}
}

func (q *queue[T]) pop() {
	last := len(q.items) - 1
	q.swap(0, last)
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
