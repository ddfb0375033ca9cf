package httpd

import (
	"net/http"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// Defaults of the pace of pushes to places for contributions: so many a minute of one address after a burst. A client asks whether
// it may push with a push of nothing, which counts.
const (
	ContributionRate  = 10
	ContributionBurst = 40
)

// contributorsMax is how many addresses are remembered. Beyond it those whose buckets are full again are forgotten.
const contributorsMax = 1 << 14

// contributors are the buckets of the addresses that push to places for contributions, which are open to everybody.
type contributors struct {
	pace  relay.Pace // zero is any
	clock clock.Clock
	begun time.Time

	mu sync.Mutex // guards the map
	of map[string]*relay.Bucket
}

func newContributors(pace relay.Pace, c clock.Clock) *contributors {
	return &contributors{pace: pace, clock: c, begun: c.Now(), of: make(map[string]*relay.Bucket)}
}

// take takes a push of an address, and reports whether its pace allows one. An address that is not known has no pace.
func (c *contributors) take(address string) bool {
	if address == "" || c.pace == (relay.Pace{}) {
		return true
	}
	now := instant.Instant(max(0, c.clock.Since(c.begun)))
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.of[address]
	if b == nil {
		c.forget(now)
		b = &relay.Bucket{}
		c.of[address] = b
	}
	return b.Take(now, c.pace)
}

// forget makes room for one more. The lock is held.
func (c *contributors) forget(now instant.Instant) {
	if len(c.of) < contributorsMax {
		return
	}
	for address, b := range c.of {
		if b.Full(now) {
			delete(c.of, address)
		}
	}
}

// tooFast answers who pushes faster than that.
func (s *Server) tooFast(w http.ResponseWriter) {
	response := s.web.Error(http.StatusTooManyRequests, "Git error: too many pushes below /prs/ from your address; try again in a minute")
	response.Header = append(response.Header, web.Header{Name: "Retry-After", Value: "60"})
	w.Header().Set("Connection", "close") // the rest of the body is not worth reading
	s.respond(w, response)
}
