package suite

import (
	"sync"
	"time"

	"github.com/graspkit/graspkit/features"
)

// A Progress is one thing that a run tells while it runs. What a check came to is told again where it gets another try; what
// counts is in the result of the run.
type Progress struct {
	Stage Stage
	Total int // of Dealt: checks

	At    time.Time      // of Begun and Over, by Config.Clock
	Check features.Check // of Begun and Over
	// Wait is how long a check that has begun waits in real time at most, where the target's clock cannot be moved.
	Wait    time.Duration
	Verdict Verdict // of Over
	Reason  string  // of Over, for every verdict but Pass
	Again   bool    // the check has had a try before
}

// A Stage is how far what is told has come.
type Stage uint8

// The stages.
const (
	Dealt Stage = iota + 1 // it is known which checks there are
	Begun                  // a check is under way
	Over                   // a check has come to a verdict, run or not
)

// A teller hands on what a run tells, one at a time.
type teller struct {
	mu sync.Mutex
	to func(Progress) // guarded by mu; nil tells nobody
}

func (t *teller) tell(p Progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.to != nil {
		t.to(p)
	}
}

func (r *run) tellBegun(a appointment, wait time.Duration) {
	r.teller.tell(Progress{Stage: Begun, At: r.now(), Check: a.check, Wait: wait, Again: a.again})
}

func (r *run) tellOver(a appointment, result CheckResult) {
	r.teller.tell(Progress{Stage: Over, At: r.now(), Check: a.check, Verdict: result.Verdict, Reason: result.Reason, Again: a.again})
}
