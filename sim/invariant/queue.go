package invariant

import "github.com/graspkit/graspkit/reference/instant"

// A queue is a binary heap of identifiers by an instant. Those whose instant has changed meanwhile stay in until they come
// up.
type queue struct{ items []queued }

type queued struct {
	at     instant.Instant
	quarry *quarry
}

func (q *queue) before(i, j int) bool {
	a, b := q.items[i], q.items[j]
	return a.at < b.at || a.at == b.at && a.quarry.identifier < b.quarry.identifier
}

func (q *queue) swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }

func (q *queue) push(at instant.Instant, x *quarry) {
	q.items = append(q.items, queued{at, x})
	for i := len(q.items) - 1; i > 0 && q.before(i, (i-1)/2); i = (i - 1) / 2 {
		q.swap(i, (i-1)/2)
	}
}

func (q *queue) pop() {
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
