package livetarget_test

import (
	"context"
	"errors"
	"testing"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

func TestReachback(t *testing.T) {
	tests := []struct {
		url, reachback string
		listen, public string // of the hosts; "" if there are none
	}{
		{"http://127.0.0.1:1", "", "127.0.0.1", "127.0.0.1"},
		{"http://127.0.0.1:1", livetarget.ReachbackNone, "", ""},
		{"http://127.0.0.1:1", "me.example", "0.0.0.0", "me.example"},
		{"https://grasp.example", "", "", ""},
		{"https://grasp.example", "me.example", "0.0.0.0", "me.example"},
	}
	for _, test := range tests {
		started := errors.New("started")
		var listen, public, relays string
		newHost := func(_ context.Context, l, p string) (target.GitHost, error) {
			listen, public = l, p
			return nil, started
		}
		newRelay := func(_ context.Context, l, p string) (target.FakeRelay, error) {
			relays = l + " " + p
			return nil, started
		}
		live, err := livetarget.New(test.url, livetarget.Options{Reachback: test.reachback, NewHost: newHost, NewRelay: newRelay})
		if err != nil {
			t.Fatal(err)
		}
		want := started
		if test.listen == "" {
			want = target.ErrUnsupported
		}
		if _, err = live.NewHost(t.Context()); !errors.Is(err, want) {
			t.Errorf("%s, %q: got %v, want %v", test.url, test.reachback, err, want)
		}
		if _, err = live.NewRelay(t.Context()); !errors.Is(err, want) || errors.Is(want, started) && relays != listen+" "+public {
			t.Errorf("%s, %q: got a relay at %q, %v", test.url, test.reachback, relays, err)
		}
		if listen != test.listen || public != test.public || live.Reachback() != (test.listen != "") {
			t.Errorf("%s, %q: got a host at %q known as %q, Reachback %t; want %q and %q",
				test.url, test.reachback, listen, public, live.Reachback(), test.listen, test.public)
		}
	}
	live, err := livetarget.New("http://127.0.0.1:1", livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if live.Reachback() {
		t.Error("without anybody who starts hosts: got Reachback")
	}
}
