package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/graspkit/graspkit/conformance/record"
)

// A timelineView is when each check ran, as a picture of bars in lanes.
type timelineView struct {
	Width, Height int // of the picture; it is stretched to the width of the page
	Bars          []barView
	Ticks         []string // at equal distances, from the start to the end
	Checks, More  int      // checks drawn, and those that no bar was left for
	Longest       []longView
	Lanes         int
	Total         string
}

type barView struct {
	X, Y, W, H int
	Class      string
	Says       string
	Link       string
}

type longView struct {
	*checkView
	Start, Took string
	X, W        int // in thousandths of the run
}

// The picture.
const (
	timelineWidth = 10000
	barsMax       = 4000
	lanesMax      = 24
	laneHeight    = 11
	barHeight     = 9
	barWidthMin   = 14
	longestMax    = 12
)

// timelineOf draws the checks that ran; nil if no time is known.
func timelineOf(r *record.Run, links map[string]string) *timelineView {
	var ran []*record.Check
	var end int64
	for i := range r.Checks {
		c := &r.Checks[i]
		if s := standingOf(c.Verdict); c.MS > 0 || !s.skipped() {
			ran = append(ran, c)
			end = max(end, c.StartMS+c.MS)
		}
	}
	if end <= 0 || len(ran) == 0 {
		return nil
	}
	end = max(end, r.MS)
	slices.SortStableFunc(ran, func(a, b *record.Check) int { return cmp.Compare(a.StartMS, b.StartMS) })
	t := &timelineView{Width: timelineWidth, Total: duration(end)}
	at := func(ms int64) int { return int(max(ms, 0) * timelineWidth / end) }
	var free []int // where each lane ends
	for _, c := range ran {
		if len(t.Bars) == barsMax {
			t.More = len(ran) - barsMax
			break
		}
		s := standingOf(c.Verdict)
		x := min(at(c.StartMS), timelineWidth-barWidthMin)
		w := min(max(at(c.StartMS+c.MS)-x, barWidthMin), timelineWidth-x)
		lane := slices.IndexFunc(free, func(end int) bool { return end <= x })
		if lane < 0 {
			lane = len(free)
			if lane == lanesMax {
				lane = slices.Index(free, slices.Min(free)) // beside others on the lane that is free first
			} else {
				free = append(free, 0)
			}
		}
		free[lane] = max(free[lane], x+w)
		t.Bars = append(t.Bars, barView{
			x, lane * laneHeight, w, barHeight, s.class(), fmt.Sprintf("%s %s, %s from %s", c.ID, c.Verdict, duration(c.MS), duration(c.StartMS)), links[c.ID],
		})
	}
	t.Checks, t.Lanes = len(t.Bars), len(free)
	t.Height = len(free) * laneHeight
	for i := range int64(5) {
		t.Ticks = append(t.Ticks, duration(end*i/4))
	}
	slices.SortStableFunc(ran, func(a, b *record.Check) int { return cmp.Compare(b.MS, a.MS) })
	for _, c := range ran[:min(len(ran), longestMax)] {
		s := standingOf(c.Verdict)
		one := &checkView{c, s.class(), s.sign(), place(c), links[c.ID]}
		x := min(at(c.StartMS)/10, 996)
		t.Longest = append(t.Longest, longView{one, duration(c.StartMS), duration(c.MS), x, min(max(at(c.MS)/10, 4), 1000-x)})
	}
	return t
}
