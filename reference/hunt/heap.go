package hunt

// A heap keeps the first of its items at hand, and finds each by the place that the item remembers.
type heap[T any] struct {
	items  []T
	before func(a, b T) bool
	at     func(T) *int // where an item keeps 1 + its index, 0 outside
}

func (h *heap[T]) first() (T, bool) {
	if len(h.items) == 0 {
		var none T
		return none, false
	}
	return h.items[0], true
}

func (h *heap[T]) push(x T) {
	h.items = append(h.items, x)
	*h.at(x) = len(h.items)
	h.up(len(h.items) - 1)
}

// remove takes an item out, if it is in.
func (h *heap[T]) remove(x T) {
	i := *h.at(x) - 1
	if i < 0 {
		return
	}
	last := len(h.items) - 1
	h.swap(i, last)
	var none T
	h.items[last] = none
	h.items = h.items[:last]
	*h.at(x) = 0
	if i < last {
		h.down(i)
		h.up(i)
	}
}

func (h *heap[T]) swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	*h.at(h.items[i]), *h.at(h.items[j]) = i+1, j+1
}

func (h *heap[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.before(h.items[i], h.items[parent]) {
			return
		}
		h.swap(i, parent)
		i = parent
	}
}

func (h *heap[T]) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.items) {
			return
		}
		if right := child + 1; right < len(h.items) && h.before(h.items[right], h.items[child]) {
			child = right
		}
		if !h.before(h.items[child], h.items[i]) {
			return
		}
		h.swap(i, child)
		i = child
	}
}
