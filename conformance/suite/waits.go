package suite

import (
	"cmp"
	"slices"
	"time"
)

// waited are waits for three things that were asked for in turns, each as often as the others. Two of them are the same thing: how far
// these are apart is what a clock and a machine make of nothing.
type waited struct{ there, missing, again []time.Duration }

// A telling is what waits say of what was asked for.
type telling string

// What waits may say.
const (
	tellNothing telling = "nothing"
	tellApart   telling = "apart"   // whoever waits knows which is which
	tellNoise   telling = "unclear" // too much else takes its time
)

// Bounds of how well one guesses by the waits which of two things was asked for: 0.5 is chance. Of forty samples each, equal ones are
// hardly ever further away from it than 0.2.
const (
	guessApart = 0.35
	guessNoise = 0.2
)

// tells compares by ranks alone, so that one long wait counts no more than one that is a little longer.
func (w waited) tells() telling {
	chance := guess(w.missing, w.again)
	one, other := guess(w.there, w.missing), guess(w.there, w.again)
	away := min(abs(one), abs(other))
	switch {
	case abs(chance) > guessNoise:
		return tellNoise
	case away > guessApart && (one > 0) == (other > 0):
		return tellApart
	case max(abs(one), abs(other)) > guessNoise:
		return tellNoise
	}
	return tellNothing
}

func abs(x float64) float64 { return max(x, -x) }

// guess is how often a wait of the one is longer than one of the other, less one half: the statistic of Mann and Whitney, by the number
// of pairs. Equal waits count half.
func guess(one, other []time.Duration) float64 {
	if len(one) == 0 || len(other) == 0 {
		return 0
	}
	type sample struct {
		wait time.Duration
		one  bool
	}
	var all []sample
	for _, d := range one {
		all = append(all, sample{d, true})
	}
	for _, d := range other {
		all = append(all, sample{d, false})
	}
	slices.SortFunc(all, func(a, b sample) int { return cmp.Compare(a.wait, b.wait) })
	sum := 0.0 // of the ranks of one; equal waits share theirs
	for at := 0; at < len(all); {
		end, ours := at, 0
		for ; end < len(all) && all[end].wait == all[at].wait; end++ {
			if all[end].one {
				ours++
			}
		}
		sum += float64(ours) * float64(at+1+end) / 2
		at = end
	}
	n, m := float64(len(one)), float64(len(other))
	return (sum-n*(n+1)/2)/(n*m) - 0.5
}
