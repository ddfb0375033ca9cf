package kernel

import "fmt"

// A Chooser makes the decisions of a run. A seed, a recording, a property test and an exhaustive search drive the same
// world through it.
type Chooser interface {
	// Choose returns an int in [0, n), for n of at least 1. The label names the decision in traces.
	Choose(label string, n int) int
}

// A Seeded chooser draws every decision from the seed, the label and how often the label was asked before. Labels that
// name what decides ("owner1/next") keep their decisions when others are added.
type Seeded struct {
	key   Key
	asked map[string]uint64
}

// NewSeeded returns a chooser for the seed.
func NewSeeded(seed uint64) *Seeded {
	return &Seeded{key: NewKey(seed, "kernel/choose"), asked: map[string]uint64{}}
}

// Choose implements Chooser.
func (s *Seeded) Choose(label string, n int) int {
	count := s.asked[label]
	s.asked[label] = count + 1
	return int(s.key.WithText(label).With(count).Below(int64(n)))
}

// A Choice is one decision that was made.
type Choice struct {
	Label  string
	N      int // how many possibilities there were
	Picked int // in [0, N)
}

// A Recorder passes decisions through and keeps them.
type Recorder struct {
	From    Chooser
	Choices []Choice
}

// Choose implements Chooser.
func (r *Recorder) Choose(label string, n int) int {
	picked := r.From.Choose(label, n)
	r.Choices = append(r.Choices, Choice{Label: label, N: n, Picked: picked})
	return picked
}

// A Replay makes the decisions of a recording again, in order. A run that asks something else than was recorded has
// diverged: from there on every decision is 0, the simplest, and Err says where.
type Replay struct {
	choices []Choice
	at      int
	err     error
}

// NewReplay returns a chooser that repeats choices.
func NewReplay(choices []Choice) *Replay { return &Replay{choices: choices} }

// Choose implements Chooser.
func (r *Replay) Choose(label string, n int) int {
	if r.err != nil {
		return 0
	}
	if r.at == len(r.choices) {
		r.err = fmt.Errorf("kernel: recording ends after %d choices, asked for %q", r.at, label)
		return 0
	}
	c := r.choices[r.at]
	if c.Label != label || c.N != n || c.Picked < 0 || c.Picked >= n {
		r.err = fmt.Errorf("kernel: choice %d is %q of %d, asked for %q of %d", r.at, c.Label, c.N, label, n)
		return 0
	}
	r.at++
	return c.Picked
}

// Err says where the run left the recording, or nil.
func (r *Replay) Err() error { return r.err }

// Rest is the number of recorded choices that were not asked for.
func (r *Replay) Rest() int { return len(r.choices) - r.at }
