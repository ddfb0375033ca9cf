package hunt

// A fifo hands items out in the order in which they came.
type fifo[T any] struct {
	items []T
	head  int
}

func (q *fifo[T]) push(x T) { q.items = append(q.items, x) }

func (q *fifo[T]) front() (T, bool) {
	if q.head == len(q.items) {
		var none T
		return none, false
	}
	return q.items[q.head], true
}

func (q *fifo[T]) pop() (T, bool) {
	x, ok := q.front()
	if !ok {
		return x, false
	}
	var none T
	q.items[q.head] = none
	q.head++
	if q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	} else if q.head > len(q.items)/2 && q.head > 64 {
		n := copy(q.items, q.items[q.head:])
		clear(q.items[n:])
		q.items, q.head = q.items[:n], 0
	}
	return x, true
}
