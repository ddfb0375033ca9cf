package client

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Pace is what the clients of one run learn of how fast a server takes things. It may be shared by all of them, and used
// from several goroutines at once; nothing is waited for while it is locked.
type Pace struct {
	mu     sync.Mutex
	taken  map[string]bool // guarded by mu; of what kind of thing something was taken after all
	vain   map[string]int  // guarded by mu; waits in which nothing was
	met    map[string]int  // guarded by mu; how often a limit was met, by its words
	waited time.Duration   // guarded by mu
}

// Limits of the waits for a server that asks for a slower pace.
const (
	paceMin     = 500 * time.Millisecond
	paceMax     = 8 * time.Second
	paceLongest = time.Minute // all pauses for one thing
	paceSettles = 12          // the same in waits for one answer
	paceVain    = 3 * time.Second
	paceVainMax = 2 // waits in vain before the others are cut, where nothing was ever taken
	paceSides   = 2 // pauses on one connection before another one is tried
)

// NewPace returns a pace that knows nothing.
func NewPace() *Pace {
	return &Pace{met: make(map[string]int), taken: make(map[string]bool), vain: make(map[string]int)}
}

// Told lists the limits that were met, with how often, and how long was waited for them altogether.
func (p *Pace) Told() (limits map[string]int, waited time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	limits = make(map[string]int, len(p.met))
	for words, n := range p.met {
		limits[words] = n
	}
	return limits, p.waited
}

// limitsMax bounds the kinds of limits that are told apart.
const limitsMax = 16

// limited files a request for a slower pace.
func (p *Pace) limited(words string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.met[words]; known || len(p.met) < limitsMax {
		p.met[words]++
	}
}

// ended files the end of a thing that had to wait.
func (p *Pace) ended(kind string, waited time.Duration, taken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waited += waited
	switch {
	case taken:
		p.taken[kind] = true
	case waited > 0:
		p.vain[kind]++
	}
}

// longest is how long may be waited for one thing.
func (p *Pace) longest(kind string) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.taken[kind]:
		return paceLongest
	case p.vain[kind] >= paceVainMax:
		return 0
	}
	return paceVain
}

// paced does something again, more and more slowly, while it is answered by a request for a slower pace. limit tells such
// an answer by its words, and how long the server asks to wait, if it says so.
func (c *Client) paced(ctx context.Context, kind string, do func(try int) Observation, limit func(Observation) (words string, wait time.Duration)) Observation {
	var waited time.Duration
	pause := paceMin
	for try := 0; ; try++ {
		o := do(try)
		words, wait := limit(o)
		if words == "" || c.still { // a world whose time passes by our word alone is in no hurry
			c.pace.ended(kind, waited, true)
			return o
		}
		c.pace.limited(words)
		wait = max(wait, pause)
		if waited+wait > min(c.pace.longest(kind), paceSettles*c.settle) || c.target.Sleep(ctx, wait) != nil {
			c.pace.ended(kind, waited, false)
			return o
		}
		waited += wait
		pause = min(2*pause, paceMax)
	}
}

// limitedHTTP tells the answers of HTTP that ask for a slower pace.
func limitedHTTP(o Observation) (string, time.Duration) {
	answer, is := o.(HTTPAnswer)
	after := answer.Header.Get("Retry-After")
	if !is || answer.Status != http.StatusTooManyRequests && (answer.Status != http.StatusServiceUnavailable || after == "") {
		return "", 0
	}
	seconds, _ := strconv.Atoi(after)
	return "HTTP " + strconv.Itoa(answer.Status), min(time.Duration(max(seconds, 0))*time.Second, paceLongest)
}

// limitedDial tells the handshakes that are turned away for there being too many.
func limitedDial(o Observation) (string, time.Duration) {
	broken, is := o.(TransportError)
	if !is || !strings.Contains(broken.Text, "429") {
		return "", 0
	}
	return "handshake answered with HTTP 429", 0
}

// limitedEvent tells the answers to an event that ask for a slower pace.
func limitedEvent(o Observation) (string, time.Duration) {
	limited, is := o.(RateLimited)
	if !is {
		return "", 0
	}
	return prefixRateLimited + ": " + clip(limited.Text), 0
}
