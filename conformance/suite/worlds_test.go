package suite

import (
	"context"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// Whoever judges a large push has all of those: the others judge what is left meanwhile, and nobody begins a second one.
func TestLargeHandsHoldUpNobody(t *testing.T) {
	large := features.Check{Steps: []features.Step{{Table: [][]string{{"refs/heads/main", "huge"}}}}}
	checks := make([]features.Check, 4*dealt)
	checks[0], checks[1] = large, large
	hands := deal(checks, false, nil)
	if len(hands) != 6 {
		t.Fatalf("%d hands, want 2 of one large check each and 4 others", len(hands))
	}
	var others sync.WaitGroup // hands of small checks that are left
	others.Add(len(hands) - 2)
	busy := make(chan struct{}, 1)
	judge := func(_ target.Target, hand []appointment) *run {
		if !isLarge(hand[0].check) {
			others.Done()
			return &run{}
		}
		select {
		case busy <- struct{}{}:
			others.Wait()
			<-busy
		default:
			t.Error("a large check begins while another one is under way")
		}
		return &run{}
	}
	open := func(context.Context) (target.Target, func() error, error) {
		return nil, func() error { return nil }, nil
	}
	runs, err := play(t.Context(), nil, openers{fresh: open}, hands, 2, judge)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range runs {
		if r == nil {
			t.Errorf("hand %d was judged by nobody", i)
		}
	}
}
