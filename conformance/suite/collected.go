package suite

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/spec"
)

// collected reports whether two lists of refs differ by nothing but refs of pull requests that are gone, in a check that has
// lasted so long that a server may have collected them (G01-PR-08): where it has to wait for its turn, this takes no act.
func (w *world) collected(before, after string) bool {
	if w.run.now().Sub(w.began) < spec.UnmatchedRefLife {
		return false
	}
	left := strings.Split(after, "\n")
	for _, line := range strings.Split(before, "\n") {
		at := slices.Index(left, line)
		switch {
		case at >= 0:
			left = slices.Delete(left, at, at+1)
		case !strings.Contains(line, " refs/nostr/"):
			return false
		}
	}
	return len(left) == 0
}
