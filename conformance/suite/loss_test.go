package suite

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A named target is one of which nothing is asked but its URL.
type named struct{ target.Target }

func (named) ServiceURL() string { return "http://127.0.0.1:7000" }

// Behind a restart that has lost what was served nothing is waited for as long as elsewhere, and what did not come decides nothing.
func TestNothingIsWaitedForLongBehindALoss(t *testing.T) {
	r := &run{target: named{}, client: client.New(named{}, client.Options{})}
	usual, whole := r.patience(&r.releases, 0)
	if !whole || usual <= lossAgain {
		t.Errorf("before: got %v and %t, want more than %v, and all of it", usual, whole, lossAgain)
	}
	r.bereft = true
	if got, whole := r.patience(&r.releases, 0); got != lossAgain || whole {
		t.Errorf("behind a loss: got %v and %t, want %v, and not all of it", got, whole, lossAgain)
	}
	w := &world{run: r, restarted: true}
	w.unlessLost(outcome{})
	if got, whole := r.patience(&r.releases, 0); got != usual || !whole {
		t.Errorf("behind that check: got %v and %t, want %v again", got, whole, usual)
	}
}
