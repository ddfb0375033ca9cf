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

func TestBusiestMoment(t *testing.T) {
	span := func(from, to int) target.HostRequest { // in milliseconds; to is 0 for one that goes on
		r := target.HostRequest{At: time.Unix(0, 0).Add(time.Duration(from) * time.Millisecond)}
		if to > 0 {
			r.Ended = time.Unix(0, 0).Add(time.Duration(to) * time.Millisecond)
		}
		return r
	}
	for _, test := range []struct {
		requests []target.HostRequest
		want     int
	}{
		{nil, 0},
		{[]target.HostRequest{span(0, 1000)}, 1},
		{[]target.HostRequest{span(0, 1000), span(1000, 2000), span(2000, 0)}, 1},
		{[]target.HostRequest{span(0, 1000), span(950, 2000)}, 1},
		{[]target.HostRequest{span(0, 1000), span(800, 2000)}, 2},
		{[]target.HostRequest{span(0, 0), span(10, 5000), span(20, 0), span(6000, 0)}, 3},
	} {
		if got := target.BusiestMoment(test.requests, target.NoticedWithin); got != test.want {
			t.Errorf("%v: got %d, want %d", test.requests, got, test.want)
		}
	}
	if got := target.BusiestMoment([]target.HostRequest{span(0, 1000), span(999, 2000), span(1000, 2000)}, 0); got != 2 {
		t.Errorf("to the instant: got %d, want 2", got)
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
