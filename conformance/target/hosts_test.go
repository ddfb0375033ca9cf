package target_test

import (
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

func TestBusiestWindow(t *testing.T) {
	at := func(seconds ...int) []target.HostRequest {
		var all []target.HostRequest
		for _, s := range seconds {
			all = append(all,
				target.HostRequest{Method: "GET", Service: "info/refs", At: time.Unix(int64(s), 0)},
				target.HostRequest{Method: "POST", Service: "git-upload-pack", At: time.Unix(int64(s), 0)})
		}
		return all
	}
	tests := []struct {
		requests []target.HostRequest
		want     int
	}{
		{nil, 0},
		{at(5), 1},
		{at(0, 59), 2},
		{at(0, 60), 1},
		{at(61, 0, 60, 1), 2},
		{at(0, 10, 20, 61, 62, 63, 200), 5},
	}
	for _, test := range tests {
		if got := target.BusiestWindow(test.requests, time.Minute); got != test.want {
			t.Errorf("%v: got %d, want %d", test.requests, got, test.want)
		}
	}
}

func TestHostModes(t *testing.T) {
	for _, mode := range target.HostModes() {
		b := target.HostBehavior{Mode: mode, DripBytes: 1, RedirectTo: "http://a"}
		if err := b.Validate(); err != nil {
			t.Errorf("%q: %v", mode, err)
		}
	}
}
