package nearest_test

import (
	"slices"
	"testing"

	"github.com/graspkit/graspkit/internal/nearest"
)

func TestTo(t *testing.T) {
	names := []string{"first", "crash", "full", "faults"}
	if got := nearest.To("frist", names); len(got) != 3 || got[0] != "first" {
		t.Errorf("got %v, want first before two others", got)
	}
	if got := nearest.To("x", names[:1]); !slices.Equal(got, names[:1]) {
		t.Errorf("got %v, want the only one", got)
	}
}
