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
	budget time.Duration // for all waits; zero is none

	mu         sync.Mutex
	taken      map[string]bool          // guarded by mu; of what kind of thing something was taken after all
	vain       map[string]int           // guarded by mu; waits in which nothing was
	met        map[string]int           // guarded by mu; how often a limit was met, by its words
	away       int                      // guarded by mu; handshakes that were turned away
	waited     time.Duration            // guarded by mu; in which somebody waited
	waiting    int                      // guarded by mu; who waits now
	since      time.Time                // guarded by mu; up to when waited is known, while somebody waits
	queues     map[string]chan struct{} // guarded by mu; by kind of thing
	shown      bool                     // guarded by mu; the relay information document was there
	events     int                      // guarded by mu; accepted
	moments    int                      // guarded by mu; refusals for the moment
	answers    bool                     // guarded by mu; something was answered on some connection
	wary       bool                     // guarded by mu; connections are ended as soon as they are open where there are enough
	wordless   int                      // guarded by mu; connections that were ended so without a word
	beside     int                      // guarded by mu; events that a new connection took behind a refusal of another one
	besideVain int                      // guarded by mu; events that it refused as well
	most       int                      // guarded by mu; events on a connection until it is ended for the pace; 0 for none
	messages   int                      // guarded by mu; messages on a connection until it is ended; 0 for any number
	spans      map[int]bool             // guarded by mu; numbers of messages behind which it was tried whether connections end
	later      map[moment]int           // guarded by mu; how often refusals for the moment were waited for in vain
	notices    map[string]patience      // guarded by mu; by what was awaited
	talk       map[string]bool          // guarded by mu; texts of NOTICEs that answer nothing
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
	paceQueued  = 3 // tries before one takes its turn
)

// NewPace returns a pace that knows nothing. Once so much was waited altogether, by whomever, nobody waits
// any more; zero bounds nothing. A minute in which several wait side by side is one minute.
func NewPace(budget time.Duration) *Pace {
	return &Pace{budget: budget, met: make(map[string]int), taken: make(map[string]bool), vain: make(map[string]int), queues: make(map[string]chan struct{}), later: make(map[moment]int), spans: make(map[int]bool), notices: make(map[string]patience), talk: make(map[string]bool)}
}

// Spent reports whether no more is waited, for the budget is used up.
func (p *Pace) Spent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spent()
}

func (p *Pace) spent() bool { return p.budget > 0 && p.waited >= p.budget }

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

// TurnedAway is how many handshakes were answered by a request for a slower pace.
func (p *Pace) TurnedAway() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.away
}

// The kinds of things that more is known of than how fast they are taken.
const (
	kindConnection = "connection" // a handshake
	kindEvent      = "event"
)

// limitsMax bounds the kinds of limits that are told apart.
const limitsMax = 16

// limited files a request for a slower pace in things of a kind.
func (p *Pace) limited(kind, words string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if kind == kindConnection {
		p.away++
	}
	if _, known := p.met[words]; known || len(p.met) < limitsMax {
		p.met[words]++
	}
}

// queue is where those wait, one behind the other, who were limited several times in things of a kind: who comes later must
// not take what they wait for. Who is in it has its one place.
func (p *Pace) queue(kind string) chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.queues[kind] == nil {
		p.queues[kind] = make(chan struct{}, 1)
	}
	return p.queues[kind]
}

// enter waits for the place in a queue.
func enter(ctx context.Context, queue chan struct{}) bool {
	select {
	case queue <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// holdUp lets a pause pass that a server asks for.
func (c *Client) holdUp(ctx context.Context, pause time.Duration) error {
	c.pace.waiter(c.target.Now(), 1)
	err := c.target.Sleep(ctx, pause)
	c.pace.waiter(c.target.Now(), -1)
	return err
}

// waiter counts who begins to wait, or has waited.
func (p *Pace) waiter(now time.Time, change int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting > 0 {
		p.waited += max(now.Sub(p.since), 0)
	}
	p.waiting, p.since = p.waiting+change, now
}

// ended files the end of a thing that had to wait.
func (p *Pace) ended(kind string, waited time.Duration, taken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
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
	case p.spent():
		return 0
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
	return c.pacedFor(ctx, kind, false, do, limit)
}

// pacedFor is paced for one who may be in the way of others meanwhile: he stands in no queue, and gives up soon.
func (c *Client) pacedFor(ctx context.Context, kind string, inTheWay bool, do func(try int) Observation, limit func(Observation) (words string, wait time.Duration)) Observation {
	var waited time.Duration
	var hesitated moment
	pause, queued := paceMin, false
	queue := c.pace.queue(kind)
	if !inTheWay && len(queue) > 0 && enter(ctx, queue) { // somebody waits for a turn already
		<-queue
	}
	defer func() {
		if queued {
			<-queue
		}
	}()
	for try := 0; ; try++ {
		if try >= paceQueued && !queued && !inTheWay {
			queued = enter(ctx, queue)
		}
		o := do(try)
		words, wait := limit(o)
		if words == "" && kind == kindEvent && !c.still {
			if now := momentary(o); now != "" && c.pace.hoped(now, waited, pause) && c.holdUp(ctx, pause) == nil {
				hesitated, waited, pause = now, waited+pause, 2*pause
				continue
			}
		}
		if words == "" || c.still { // a world whose time passes by our word alone is in no hurry
			c.answeredFor(hesitated, o)
			c.pace.ended(kind, waited, true)
			return o
		}
		c.pace.limited(kind, words)
		switch {
		case wait > 0: // the server says how long
		case queued: // nobody else asks meanwhile
			wait = 2 * paceMin
		default:
			wait, pause = pause, min(2*pause, paceMax)
		}
		longest := min(c.pace.longest(kind), paceSettles*c.settle)
		if inTheWay {
			longest = c.yields()
		}
		if waited+wait > longest || c.holdUp(ctx, wait) != nil {
			c.pace.ended(kind, waited, false)
			if inTheWay {
				c.starves()
			}
			return o
		}
		waited += wait
	}
}

// limitedHTTP tells the answers of HTTP that ask for a slower pace; RateLimited is what a 403 to everything comes to.
func limitedHTTP(o Observation) (string, time.Duration) {
	if limited, is := o.(RateLimited); is {
		return limited.Text, 0
	}
	answer, is := o.(HTTPAnswer)
	after := answer.Header.Get("Retry-After")
	if !is || answer.Status != http.StatusTooManyRequests && (answer.Status != http.StatusServiceUnavailable || after == "") {
		return "", 0
	}
	seconds, err := strconv.Atoi(after)
	if until, wrong := http.ParseTime(after); err != nil && wrong == nil {
		if now, wrong := http.ParseTime(answer.Header.Get("Date")); wrong == nil {
			seconds = int(until.Sub(now).Seconds()) + 1
		}
	}
	return "HTTP " + strconv.Itoa(answer.Status), min(time.Duration(max(seconds, 0))*time.Second, paceLongest)
}

// limitedDial tells the handshakes that are turned away for there being too many.
func limitedDial(o Observation) (string, time.Duration) {
	if limited, is := o.(RateLimited); is {
		return "handshake: " + limited.Text, 0
	}
	broken, is := o.(TransportError)
	if !is {
		return "", 0
	}
	if broken.Phase == phaseOpen {
		return "connections: ended as soon as they are open", 0
	}
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		if strings.Contains(broken.Text, "answered with HTTP "+strconv.Itoa(status)) {
			return "handshake answered with HTTP " + strconv.Itoa(status), 0
		}
	}
	return "", 0
}

// limitedQuery tells the answers to a query, a count or a reconciliation that ask for a slower pace.
func limitedQuery(o Observation) (string, time.Duration) {
	limited, is := o.(RateLimited)
	if !is {
		return "", 0
	}
	return "queries: " + clip(limited.Text), 0
}

// limitedEvent tells the answers to an event that ask for a slower pace.
func limitedEvent(o Observation) (string, time.Duration) {
	limited, is := o.(RateLimited)
	if !is {
		return "", 0
	}
	return prefixRateLimited + ": " + clip(limited.Text), 0
}
