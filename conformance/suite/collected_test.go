package suite

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/spec"
)

// Only refs of pull requests may be gone, and only in a check that has lasted.
func TestCollected(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	old, young := now.Add(-spec.UnmatchedRefLife), now.Add(-time.Minute)
	const main, pull, other = "aa refs/heads/main", "bb refs/nostr/1", "cc refs/heads/dev"
	for _, c := range []struct {
		name          string
		began         time.Time
		before, after string
		want          bool
	}{
		{"a pull request is gone", old, "refs:\n" + main + "\n" + pull, "refs:\n" + main, true},
		{"too soon", young, "refs:\n" + main + "\n" + pull, "refs:\n" + main, false},
		{"a branch is gone", old, "refs:\n" + main + "\n" + other, "refs:\n" + main, false},
		{"a branch has moved", old, "refs:\n" + main + "\n" + pull, "refs:\nzz refs/heads/main", false},
		{"a pull request has moved", old, "refs:\n" + main + "\n" + pull, "refs:\n" + main + "\ndd refs/nostr/1", false},
		{"a ref is new", old, "refs:\n" + main + "\n" + pull, "refs:\n" + main + "\n" + other, false},
	} {
		w := &world{run: &run{cfg: Config{Clock: func() time.Time { return now }}}, began: c.began}
		if got := w.collected(c.before, c.after); got != c.want {
			t.Errorf("%s: got %t", c.name, got)
		}
	}
}
