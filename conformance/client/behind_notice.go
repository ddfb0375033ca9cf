package client

import (
	"context"
	"time"
)

// A NOTICE answers nothing (NIP-01): what was asked may be answered behind it, as late as without one. A relay that says all it has to
// say by a NOTICE is no service for clients, but has to be judged to the end: once so many waits behind one were in vain, and none was
// rewarded that took longer than the quiet time, the others are as short as that. One that speaks of the pace is like any other: it may
// tell how much room there is left.
const (
	behindVainMax = 3
	behindSettles = 2  // all waits for one answer, in waits for one
	talkMax       = 64 // texts of NOTICEs that are known to answer nothing
)

// A patience is what came of the waits behind a NOTICE for answers of one kind.
type patience struct {
	vain     int
	rewarded bool
}

// awaitOrNotice waits for an answer, and so long for one behind each NOTICE that comes before it; silence then makes the NOTICE the
// answer, unless it is known to be none. The observation is nil when the answer came.
func (r *Relay) awaitOrNotice(ctx context.Context, awaited string, behind time.Duration, answers func(m message) bool) Observation {
	var notice *NoticeFrame
	came := false
	done := func(m message) bool {
		came = answers(m)
		if m.label == "NOTICE" {
			notice = &NoticeFrame{Text: m.text}
		}
		return came || m.label == "NOTICE"
	}
	start := r.c.target.Now()
	o := r.await(ctx, r.c.settle, awaited, done)
	first := r.c.target.Now()
	for o == nil && !came {
		wait := min(r.c.pace.patient(awaited, behind, r.c.quiet), behindSettles*r.c.settle-r.c.target.Now().Sub(start))
		if o = r.await(ctx, wait, awaited, done); silent(o) {
			if wait > r.c.quiet {
				r.c.pace.behind(awaited, false)
			}
			if r.c.pace.isTalk(notice.Text) {
				return orSlower(o, notice.Text)
			}
			return orSlower(*notice, notice.Text)
		}
	}
	if came && notice != nil {
		r.c.pace.talks(notice.Text)
	}
	if came && r.c.target.Now().Sub(first) > r.c.quiet {
		r.c.pace.behind(awaited, true)
	}
	return o
}

// patient is how long to wait behind a NOTICE.
func (p *Pace) patient(awaited string, behind, quiet time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if of := p.notices[awaited]; of.vain >= behindVainMax && !of.rewarded {
		return min(behind, quiet)
	}
	return behind
}

// talks files a NOTICE that came before an answer all the same: a relay that says so much now and then says nothing of what is asked.
func (p *Pace) talks(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.talk) < talkMax {
		p.talk[text] = true
	}
}

// isTalk reports whether a NOTICE is no answer, be there another one or none.
func (p *Pace) isTalk(text string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.talk[text]
}

// behind files what came of a wait behind a NOTICE.
func (p *Pace) behind(awaited string, rewarded bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := p.notices[awaited]
	if rewarded {
		of.rewarded = true
	} else {
		of.vain++
	}
	p.notices[awaited] = of
}
