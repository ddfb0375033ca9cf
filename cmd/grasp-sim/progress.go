package main

import (
	"fmt"
	"io"
	"time"

	"github.com/graspkit/graspkit/internal/cli"
)

// How often a sweep or a search says how far it is: on a terminal in one line that is written again, elsewhere in lines of their own.
const (
	progressOnTerminal = 200 * time.Millisecond
	progressElsewhere  = 30 * time.Second
)

// progress tells a person how far a sweep or a search is. Nothing of it is part of the result.
type progress struct {
	w        io.Writer
	terminal bool
	tick     <-chan time.Time
	shown    bool // a line stands on the terminal
}

// newProgress returns a progress and what ends its ticks.
func newProgress(stderr io.Writer) (p *progress, stop func()) {
	p = &progress{w: stderr, terminal: cli.IsTerminal(stderr)}
	interval := progressElsewhere
	if p.terminal {
		interval = progressOnTerminal
	}
	ticker := time.NewTicker(interval)
	p.tick = ticker.C
	return p, ticker.Stop
}

// show writes how far it is.
func (p *progress) show(line string) {
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		p.shown = true
		return
	}
	fmt.Fprintln(p.w, line)
}

// clear takes the line off the terminal, before something else is written.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
