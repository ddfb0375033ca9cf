package httpd

import (
	"strconv"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/relay"
)

// An address has its pace, others have theirs, and who is not known has none; what is remembered is bounded.
func TestContributorsHaveAPace(t *testing.T) {
	mock := clock.NewMock()
	c := newContributors(relay.PerMinute(2, 3), mock)
	take := func(address string, want bool) {
		t.Helper()
		if got := c.take(address); got != want {
			t.Errorf("%q: got %t, want %t", address, got, want)
		}
	}
	for range 3 {
		take("192.0.2.1", true)
		take("", true)
	}
	take("192.0.2.1", false)
	take("192.0.2.2", true)
	take("", true)
	mock.Add(30 * time.Second)
	take("192.0.2.1", true)
	take("192.0.2.1", false)
	for i := range contributorsMax {
		c.take(strconv.Itoa(i))
	}
	mock.Add(time.Hour)
	take("192.0.2.3", true)
	if len(c.of) > 2 {
		t.Errorf("got %d addresses remembered, want those that count", len(c.of))
	}
	if none := newContributors(relay.Pace{}, mock); !none.take("192.0.2.1") || len(none.of) != 0 {
		t.Error("no pace keeps somebody out or remembers somebody")
	}
}
