package policy_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/policy"
)

func TestWork(t *testing.T) {
	for start, want := range map[string]int{"f": 0, "8": 0, "7": 1, "1": 3, "0f": 4, "07": 5, "001": 11, "0002": 14} {
		if got := policy.Work(start + strings.Repeat("f", 64-len(start))); got != want {
			t.Errorf("%s...: got %d bits, want %d", start, got, want)
		}
	}
	if got := policy.Work(strings.Repeat("0", 64)); got != policy.WorkMax {
		t.Errorf("no bit set: got %d, want %d", got, policy.WorkMax)
	}
}
