package model

import (
	"container/heap"

	"github.com/graspkit/graspkit/reference/instant"
)

// dues is a heap of preys by when they are due; what is not true any more stays in it until its time.
type dues []dueAt

type dueAt struct {
	at   instant.Instant
	prey *prey
}

func (d dues) Len() int { return len(d) }
func (d dues) Less(i, j int) bool {
	return d[i].at < d[j].at || d[i].at == d[j].at && d[i].prey.identifier < d[j].prey.identifier
}
func (d dues) Swap(i, j int) { d[i], d[j] = d[j], d[i] }

// Push implements heap.Interface.
func (d *dues) Push(x any) {
	if x, ok := x.(dueAt); ok {
		*d = append(*d, x)
	}
}

// Pop implements heap.Interface.
func (d *dues) Pop() any {
	last := (*d)[len(*d)-1]
	*d = (*d)[:len(*d)-1]
	return last
}

func (d *dues) add(p *prey) { heap.Push(d, dueAt{p.due, p}) }

func (d *dues) next() dueAt {
	first, _ := heap.Pop(d).(dueAt)
	return first
}
