package target_test

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/target"
)

func TestOnThisMachine(t *testing.T) {
	for _, test := range []struct {
		host        string
		here, below bool
	}{
		{"127.0.0.1", true, false},
		{"127.8.0.1", true, false},
		{"::1", true, false},
		{"::ffff:127.0.0.1", true, false},
		{"localhost", true, false},
		{"LocalHost.", true, false},
		{"relay.localhost", true, true},
		{"A.relay.LOCALHOST.", true, true},
		{"localhost.example", false, false},
		{"notlocalhost", false, false},
		{"10.0.0.1", false, false},
		{"", false, false},
	} {
		if here, below := target.OnThisMachine(test.host), target.BelowLocalhost(test.host); here != test.here || below != test.below {
			t.Errorf("%q: got %t and %t, want %t and %t", test.host, here, below, test.here, test.below)
		}
	}
}
