package queue_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/queue"
)

// What goes in comes out by instant and name, whatever is pushed and popped in between.
func TestQueueIsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var q queue.Queue[int]
		var want []queue.Item[int]
		for i := range rapid.IntRange(0, 60).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				q.Pop()
				want = want[min(1, len(want)):]
			case 1:
				by := instant.Instant(rapid.Int64Range(0, 5).Draw(t, "by"))
				got, ok := q.Due(by)
				if due := len(want) > 0 && want[0].At <= by; ok != due || ok && got != want[0] {
					t.Fatalf("got %+v %t by %d, want the first of %+v if it is due", got, ok, by, want)
				}
				if ok {
					want = want[1:]
				}
			default:
				at := instant.Instant(rapid.Int64Range(0, 5).Draw(t, "at"))
				name := rapid.StringMatching("[ab]{0,3}").Draw(t, "name") + string(rune('0'+i))
				q.Push(at, name, i)
				want = append(want, queue.Item[int]{At: at, Name: name, Value: i})
				slices.SortFunc(want, func(a, b queue.Item[int]) int {
					return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Name, b.Name))
				})
			}
			got, ok := q.First()
			if ok != (len(want) > 0) || ok && got != want[0] {
				t.Fatalf("got %+v %t first, want the first of %+v", got, ok, want)
			}
		}
	})
}
