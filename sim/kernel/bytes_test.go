package kernel_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/sim/kernel"
)

func TestBytesMakeDecisions(t *testing.T) {
	b := kernel.NewBytes([]byte{7, 250, 1, 2})
	var got []int
	for _, n := range []int{10, 1, 100, 1000, 5, 1 << 20} {
		got = append(got, b.Choose("", n))
	}
	// 7; no byte for a choice of one; 250 of 100; two bytes; none left
	if diff := cmp.Diff([]int{7, 0, 50, 258, 0, 0}, got); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}
