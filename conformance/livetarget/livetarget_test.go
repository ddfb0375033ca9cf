package livetarget_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"go.uber.org/goleak"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

func TestNew(t *testing.T) {
	tests := []struct {
		in, service string
		loopback    bool
	}{
		{"ws://127.0.0.1:7334", "http://127.0.0.1:7334", true},
		{"wss://grasp.example/", "https://grasp.example", false},
		{"http://localhost:1/base/", "http://localhost:1/base", true},
		{"https://[::1]:8443", "https://[::1]:8443", true},
		{"http://10.0.0.1/a%2Fb/", "http://10.0.0.1/a%2Fb", false},
		{"http://localhost.example", "http://localhost.example", false},
	}
	for _, test := range tests {
		live, err := livetarget.New(test.in, livetarget.Options{})
		if err != nil {
			t.Errorf("New(%s): got %v, want a target", test.in, err)
			continue
		}
		if got := live.ServiceURL(); got != test.service {
			t.Errorf("New(%s).ServiceURL: got %s, want %s", test.in, got, test.service)
		}
		if got := live.Loopback(); got != test.loopback {
			t.Errorf("New(%s).Loopback: got %t, want %t", test.in, got, test.loopback)
		}
	}
	for _, in := range []string{"", "grasp.example", "ftp://grasp.example", "http://", "http://u:p@h", "http://h?q", "http://h#f", "http://h:port", "http://h:99999", "http://h:0"} {
		if live, err := livetarget.New(in, livetarget.Options{}); err == nil {
			t.Errorf("New(%q): got %s, want an error", in, live.Name())
		}
	}
}

func TestSleepKeepsToItsBudget(t *testing.T) {
	mock := clock.NewMock()
	live := open(t, "http://127.0.0.1:1", livetarget.Options{Clock: mock, TimeBudget: time.Minute})
	if err := live.Sleep(t.Context(), time.Minute+1); !errors.Is(err, target.ErrUnsupported) {
		t.Errorf("Sleep beyond the budget: got %v, want ErrUnsupported", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := live.Sleep(canceled, time.Minute); !errors.Is(err, context.Canceled) {
		t.Errorf("Sleep when canceled: got %v, want Canceled", err)
	}
	real := open(t, "http://127.0.0.1:1", livetarget.Options{})
	start := real.Now()
	if err := real.Sleep(t.Context(), 10*time.Millisecond); err != nil || real.Now().Sub(start) < 10*time.Millisecond {
		t.Errorf("Sleep(10ms): got %v after %v, want nil after at least 10ms", err, real.Now().Sub(start))
	}
}

func open(t *testing.T, url string, opts livetarget.Options) *livetarget.Target {
	t.Helper()
	live, err := livetarget.New(url, opts)
	if err != nil {
		t.Fatal(err)
	}
	return live
}
