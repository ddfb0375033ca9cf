package shrink

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/scenarios"
)

// kept are the fields of a scenario that are not simplified: what it is, and what other passes change.
var kept = []string{"name", "description", "duration", "seed", "only", "invariants"}

// simplify leaves out of the file whatever may be left out: faults, hosts, their troubles, settings of links and servers,
// roles. Numbers become smaller.
func (w *search) simplify() error {
	for i := 0; ; {
		all := simpler(w.node, kept)
		if i >= len(all) {
			return nil
		}
		taken, err := w.fails(all[i], w.only, w.whole)
		if err != nil {
			return err
		}
		if !taken { // else what comes next has moved to this place
			i++
		}
	}
}

// simpler are all nodes that differ from one by a step, the larger steps first.
func simpler(n scenarios.Node, kept []string) (all []scenarios.Node) {
	may := func(i int) bool { return n.Kind != scenarios.Mapping || !slices.Contains(kept, n.Keys[i]) }
	for size := len(n.Items) / 2; n.Kind == scenarios.List && size > 1; size /= 2 {
		for from := 0; from+size <= len(n.Items); from += size {
			all = append(all, n.Without(from, from+size))
		}
	}
	for i := range n.Items {
		if may(i) {
			all = append(all, n.Without(i, i+1))
		}
	}
	for i, item := range n.Items {
		if !may(i) {
			continue
		}
		for _, simple := range simpler(item, nil) {
			all = append(all, n.Replaced(i, simple))
		}
	}
	return append(all, smaller(n)...)
}

// smaller are smaller numbers than that of a scalar, the smallest first.
func smaller(n scenarios.Node) (all []scenarios.Node) {
	if n.Kind != scenarios.Scalar {
		return nil
	}
	number, err := strconv.Atoi(n.Text)
	if err != nil {
		return nil
	}
	for _, to := range []int{1, number / 2, number - number/4, number - 1} {
		if to > 0 && to < number && !slices.ContainsFunc(all, func(other scenarios.Node) bool { return other.Text == strconv.Itoa(to) }) {
			all = append(all, scenarios.Node{Text: strconv.Itoa(to)})
		}
	}
	return all
}

// shorten makes the scenario end sooner: behind the violation at once, or after half of its time, or three quarters.
func (w *search) shorten() error {
	for {
		var ends []time.Duration
		if w.outcome.At < w.duration {
			ends = append(ends, w.outcome.At+time.Second)
		}
		ends = append(ends, w.duration/2, w.duration/4*3, w.duration/8*7)
		shorter := false
		for _, end := range ends {
			end = (end + time.Second - 1).Truncate(time.Second)
			if end >= w.duration {
				continue
			}
			taken, err := w.fails(w.node.With("duration", scenarios.Node{Text: written(end)}), w.only, w.whole)
			if err != nil {
				return err
			}
			if taken {
				shorter = true
				break
			}
		}
		if !shorter {
			return nil
		}
	}
}

// written is a duration without zeros at its end.
func written(d time.Duration) string {
	s := d.String()
	for _, zero := range []struct{ end, instead string }{{"m0s", "m"}, {"h0m", "h"}} {
		if short, cut := strings.CutSuffix(s, zero.end); cut {
			s = short + zero.instead
		}
	}
	return s
}
