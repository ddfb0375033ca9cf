package relay_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
)

func TestPace(t *testing.T) {
	begin := instant.FromUnix(1_760_000_000)
	pace := relay.PerMinute(60, 3)
	var b relay.Bucket
	for i, step := range []struct {
		after time.Duration // the begin
		want  bool
	}{
		{0, true},
		{0, true},
		{0, true},
		{0, false},
		{time.Second - 1, false}, // a burst, and no more
		{time.Second, true},
		{time.Second, false},
		{2500 * time.Millisecond, true},
		{2500 * time.Millisecond, false},
		{3 * time.Second, true},
		{time.Hour, true},
		{time.Hour, true},
		{time.Hour, true},
		{time.Hour, false}, // it holds no more than a burst
	} {
		if got := b.Take(begin.Add(step.after), pace); got != step.want {
			t.Errorf("taking %d, after %v: got %v, want %v", i, step.after, got, step.want)
		}
	}
	for _, any := range []relay.Pace{{}, relay.PerMinute(0, 5), relay.PerMinute(5, 0)} {
		var b relay.Bucket
		for range 1000 {
			if !b.Take(begin, any) {
				t.Fatalf("%+v: got a refusal, want none", any)
			}
		}
	}
}

// Whatever the instants are, no stretch of time has more than a burst and what its length allows, and who waits for one
// gets it.
func TestPaceHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pace := relay.Pace{Burst: rapid.IntRange(1, 5).Draw(t, "burst"), Every: time.Duration(rapid.IntRange(1, 50).Draw(t, "every"))}
		now := instant.Instant(0)
		var taken []instant.Instant
		var b relay.Bucket
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			now = now.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "pause")))
			got := b.Take(now, pace)
			if got {
				taken = append(taken, now)
			}
			// From each taking on, in time: one more than a burst would be too many.
			fits := true
			for i := range taken {
				if allowed := pace.Burst + int(now.Sub(taken[i])/pace.Every); len(taken)-i > allowed {
					t.Fatalf("%d taken within %v at %+v, want at most %d", len(taken)-i, now.Sub(taken[i]), pace, allowed)
				}
				if !got && len(taken)-i >= pace.Burst+int(now.Sub(taken[i])/pace.Every) {
					fits = false
				}
			}
			if !got && fits {
				t.Fatalf("refused at %d with %v taken at %+v, want it taken", now, taken, pace)
			}
		}
	})
}
