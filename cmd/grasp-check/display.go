package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/cli"
)

// A display shows how a run goes: a few lines that are drawn anew on a terminal, and elsewhere a line now and then. It is gone,
// or silent, when the run is over.
type display struct {
	w      io.Writer
	target string
	width  func() int // columns of the terminal; nil where there is none
	clock  func() time.Time

	mu           sync.Mutex
	total        int                      // guarded by mu
	pace         pacing                   // guarded by mu; nil until the target is there
	came         map[string]suite.Verdict // guarded by mu; to what, by check
	underway     []suite.Progress         // guarded by mu; in the order of their beginnings
	drawn        int                      // guarded by mu; lines on the terminal
	said         time.Time                // guarded by mu; when the last line was written where there is no terminal
	saidOf, news int                      // guarded by mu; how much had been heard by then, and is now
}

// A pacing knows which limits of the target were met, with how often, and how long was waited for them.
type pacing interface {
	Told() (limits map[string]int, waited time.Duration)
}

const (
	redraw    = 500 * time.Millisecond
	lineEvery = 10 * time.Second // where something is new
	lineStill = time.Minute      // where nothing is
	shownMost = 5                // checks that are named at a time
)

func newDisplay(w io.Writer, target string) *display {
	d := &display{w: w, target: target, clock: time.Now, came: map[string]suite.Verdict{}}
	if file, ok := cli.FileOf(w); ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb" {
		d.width = func() int {
			width, _, err := term.GetSize(int(file.Fd()))
			if err != nil {
				return 80
			}
			return width
		}
	}
	d.said = d.clock()
	return d
}

// start shows until the function returned is called, which waits for the end of it.
func (d *display) start() (end func()) {
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(redraw)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				d.show()
			case <-over:
				d.clear()
				return
			}
		}
	}()
	return func() {
		close(over)
		<-gone
	}
}

// hear takes what a run tells.
func (d *display) hear(p suite.Progress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.news++
	switch p.Stage {
	case suite.Dealt:
		d.total = p.Total
	case suite.Begun:
		d.underway = append(d.underway, p)
	case suite.Over:
		d.came[p.Check.ID] = p.Verdict
		d.underway = slices.DeleteFunc(d.underway, func(b suite.Progress) bool { return b.Check.ID == p.Check.ID })
	}
}

// paced takes the pace that a run keeps.
func (d *display) paced(p pacing) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pace = p
}

// slowed says how much of the time is spent on the limits of the target, if any.
func (d *display) slowed() string {
	if d.pace == nil {
		return ""
	}
	limits, waited := d.pace.Told()
	most, times := "", 0
	for _, words := range slices.Sorted(maps.Keys(limits)) {
		if times += limits[words]; most == "" || limits[words] > limits[most] {
			most = words
		}
	}
	if times == 0 {
		return ""
	}
	return fmt.Sprintf("  the target asked %s to slow down (%s), %v went by on that", several(times, "time", "times"), most, waited.Round(time.Second))
}

// show draws the lines anew, or writes one if it is time for that.
func (d *display) show() {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.clock()
	if d.width != nil {
		var b strings.Builder
		b.WriteString(d.erased())
		width := max(d.width()-1, 1)
		for _, line := range d.lines(now) {
			if r := []rune(line); len(r) > width {
				line = string(r[:width])
			}
			b.WriteString(line + "\n")
			d.drawn++
		}
		_, _ = io.WriteString(d.w, b.String()) // who cannot be shown it misses nothing
		return
	}
	every := lineEvery
	if d.news == d.saidOf {
		every = lineStill
	}
	if now.Sub(d.said) >= every {
		d.said, d.saidOf = now, d.news
		lines := d.lines(now)
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		_, _ = io.WriteString(d.w, strings.Join(lines, "; ")+"\n")
	}
}

// erased is what takes the lines off the terminal.
func (d *display) erased() string {
	n := d.drawn
	d.drawn = 0
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA\x1b[J", n)
}

func (d *display) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, _ = io.WriteString(d.w, d.erased())
}

// lines says how the run goes: the sum, and what is under way, with who waits last and the longest wait of them first.
func (d *display) lines(now time.Time) []string {
	violated, open := 0, 0
	for _, v := range d.came {
		switch {
		case v.Violated():
			violated++
		case v.Undecided():
			open++
		}
	}
	sum := fmt.Sprintf("%s: %d of %d checks", d.target, len(d.came), d.total)
	if violated > 0 {
		sum += fmt.Sprintf(", %d violated", violated)
	}
	if open > 0 {
		sum += fmt.Sprintf(", %d inconclusive", open)
	}
	lines := []string{sum}
	if slowed := d.slowed(); slowed != "" {
		lines = append(lines, slowed)
	}
	left := func(p suite.Progress) time.Duration { return max(p.At.Add(p.Wait).Sub(now), 0).Round(time.Second) }
	under := slices.Clone(d.underway)
	slices.SortStableFunc(under, func(a, b suite.Progress) int {
		if (a.Wait == 0) != (b.Wait == 0) {
			return cmp.Compare(a.Wait, b.Wait)
		}
		return cmp.Compare(left(b), left(a))
	})
	for i, p := range under {
		if i == shownMost {
			return append(lines, fmt.Sprintf("  and %d more", len(under)-i))
		}
		line := "  " + p.Check.ID
		if i == 0 && d.width == nil {
			line = "  under way: " + p.Check.ID // on one line with what is violated, of which it is no list
		}
		if p.Wait > 0 {
			line += fmt.Sprintf(" waits, %v more", left(p))
		} else if d.width != nil {
			line += " " + p.Check.Title
		}
		lines = append(lines, line)
	}
	return lines
}
