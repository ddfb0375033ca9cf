package suite

import (
	"testing"
	"time"
)

// waitsOf are so many waits around a length, each with a little of its own.
func waitsOf(around, spread time.Duration, shift int) (waits []time.Duration) {
	for i := range waitRounds {
		waits = append(waits, around+time.Duration((i*7+shift)%11)*spread)
	}
	return waits
}

func TestWaitsTell(t *testing.T) {
	const ms, us = time.Millisecond, time.Microsecond
	for name, test := range map[string]struct {
		waited waited
		want   telling
	}{
		"equal":               {waited{waitsOf(ms, us, 0), waitsOf(ms, us, 3), waitsOf(ms, us, 5)}, tellNothing},
		"longer":              {waited{waitsOf(2*ms, us, 0), waitsOf(ms, us, 3), waitsOf(ms, us, 5)}, tellApart},
		"shorter":             {waited{waitsOf(ms, us, 0), waitsOf(2*ms, us, 3), waitsOf(2*ms, us, 5)}, tellApart},
		"a drift":             {waited{waitsOf(2*ms, us, 0), waitsOf(ms, us, 3), waitsOf(3*ms, us, 5)}, tellNoise},
		"partly":              {waited{waitsOf(ms+3*us, us, 0), waitsOf(ms, us, 3), waitsOf(ms, us, 5)}, tellNoise},
		"a clock that stands": {waited{waitsOf(0, 0, 0), waitsOf(0, 0, 0), waitsOf(0, 0, 0)}, tellNothing},
		"nothing":             {waited{}, tellNothing},
		"outliers": {waited{
			append(waitsOf(ms, us, 0)[2:], 9*time.Second, 8*time.Second), waitsOf(ms, us, 3), waitsOf(ms, us, 5),
		}, tellNothing},
	} {
		if got := test.waited.tells(); got != test.want {
			t.Errorf("%s: got %s, want %s: %.2f, %.2f and %.2f", name, got, test.want,
				guess(test.waited.there, test.waited.missing), guess(test.waited.there, test.waited.again), guess(test.waited.missing, test.waited.again))
		}
	}
}
