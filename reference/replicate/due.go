package replicate

import (
	"container/heap"

	"github.com/graspkit/graspkit/reference/instant"
)

// links are those that something is due at, the earliest first; see container/heap. Each remembers its place, 0 outside.
type dues []*link

// Len implements heap.Interface.
func (d *dues) Len() int { return len(*d) }

// Less implements heap.Interface.
func (d *dues) Less(i, j int) bool {
	a, b := (*d)[i], (*d)[j]
	return a.at < b.at || a.at == b.at && a.url < b.url
}

// Swap implements heap.Interface.
func (d *dues) Swap(i, j int) {
	l := *d
	l[i], l[j] = l[j], l[i]
	l[i].place, l[j].place = i+1, j+1
}

// Push implements heap.Interface.
func (d *dues) Push(x any) {
	l, is := x.(*link)
	if !is {
		panic("replicate: invariant: due at what is no link")
	}
	*d = append(*d, l)
	l.place = len(*d)
}

// Pop implements heap.Interface.
func (d *dues) Pop() any {
	last := len(*d) - 1
	l := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	l.place = 0
	return l
}

// first is the link at which something is due next.
func (d *dues) first() (*link, bool) {
	if len(*d) == 0 {
		return nil, false
	}
	return (*d)[0], true
}

// set says when something is due at a link; 0 never.
func (d *dues) set(l *link, at instant.Instant) {
	switch {
	case at == 0 && l.place > 0:
		heap.Remove(d, l.place-1)
	case at == 0:
	case l.place == 0:
		l.at = at
		heap.Push(d, l)
	case at != l.at:
		l.at = at
		heap.Fix(d, l.place-1)
	}
}
