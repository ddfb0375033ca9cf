package client

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
)

// Limits on what a server can make the client hold.
const (
	// MaxBodyBytes bounds the body of one HTTP response.
	MaxBodyBytes = 64 << 20
	// MaxFrameBytes bounds one relay message.
	MaxFrameBytes = 4 << 20
	// MaxHeld bounds the events kept for one subscription and the frames read in one wait.
	MaxHeld = 20_000
	// MaxSubs bounds the subscriptions of one connection.
	MaxSubs = 1_000
)

// Options tune a Client. The zero value is ready for use.
type Options struct {
	// Settle bounds the wait for one awaited answer; zero means 5 s, and a minute where the clock of the target moves by our
	// word alone: such a world knows when nothing more comes, and real time tells how busy this machine is, and nothing
	// about the server. It is never a bound that the protocol sets.
	Settle time.Duration
	// Quiet is how long nothing must come before "nothing more" is believed; zero means 300 ms. A world
	// that knows when it is idle is quicker.
	Quiet time.Duration
	// Slowness multiplies Settle and Quiet for slow servers and slow machines; zero means 1.
	Slowness int
	// Exchange is how long one answer over HTTP is waited for where that takes longer than others; zero is Settle.
	Exchange time.Duration
	// Rest performs each wait in which nothing is asked of the server, so that others may ask meanwhile; nil just waits.
	Rest func(wait func())
	// Pass lets a long wait pass, by other means than that the target sleeps; nil means that it sleeps.
	Pass func(ctx context.Context, d time.Duration) error
	// Subscriptions is how many the relay takes on one connection by its own words; zero is any number.
	Subscriptions int
	// Filters is how many it takes in one query by its own words; zero is any number.
	Filters int
	// Shares says that others may wait for the connections that this client holds.
	Shares bool
	// Pace is what is learnt of the server's pace; nil means one of the client's own.
	Pace *Pace
	// Offers is what the services of git are known to offer; nil means what this client is told.
	Offers *Offers
	// Recorder receives every frame and exchange; nil means one of the client's own.
	Recorder *Recorder
	// Scribe is told of each write before it is made; nil is nobody.
	Scribe Scribe
	// Door lets the client into a service that is for members alone; nil is for one that is for everybody.
	Door *Door
	// Signer knows the keys of authors: a relay may take events of those alone who have authenticated as their authors (NIP-42). It is
	// asked where that is so; nil knows nobody.
	Signer func(pubkey string) (Key, bool)
}

// Defaults of Options.Settle.
const (
	settleDefault = 5 * time.Second
	settleStill   = time.Minute
)

// A Client speaks to one target. It may be used from several goroutines at once; the connections that
// it opens may not.
type Client struct {
	target  target.Target
	origin  *url.URL
	still   bool // time passes by our word alone
	settle  time.Duration
	slow    time.Duration // for one answer over HTTP, if that is longer
	quiet   time.Duration
	rest    func(wait func())
	pass    func(ctx context.Context, d time.Duration) error
	pace    *Pace
	offers  *Offers
	rec     *Recorder
	scribe  Scribe
	door    *Door // nil for none
	most    int   // subscriptions on one connection, 0 for any number
	filters int   // in one query, 0 for any number
	shares  bool
	signer  func(pubkey string) (Key, bool)

	mu       sync.Mutex
	open     int            // guarded by mu; connections
	starved  bool           // guarded by mu; a further one was not to be had
	died     string         // guarded by mu; how the server has ended by itself
	channels int            // guarded by mu; connections and exchanges so far, names them in the record
	closed   int            // guarded by mu; open subscriptions and reconciliations that relays have ended
	slowest  time.Duration  // guarded by mu; answer that came
	accepted []*nostr.Event // guarded by mu; in order
	putOff   bool           // guarded by mu; an event was refused for the moment, however long it waited
}

// New returns a client of t. It panics if the service URL of t is not an absolute http or https URL.
func New(t target.Target, opts Options) *Client {
	origin, err := url.Parse(t.ServiceURL())
	if err != nil || origin.Host == "" || (origin.Scheme != "http" && origin.Scheme != "https") {
		panic(fmt.Sprintf("client: invariant: service URL %q is not an absolute http or https URL", t.ServiceURL()))
	}
	slow := time.Duration(max(opts.Slowness, 1))
	settle := settleDefault
	_, still := t.(target.ClockAdvancer)
	if still {
		settle = settleStill
	}
	c := &Client{
		target: t,
		origin: origin,
		still:  still,
		settle: orDefault(opts.Settle, settle) * slow,
		slow:   opts.Exchange,
		quiet:  orDefault(opts.Quiet, 300*time.Millisecond) * slow,
		rest:   opts.Rest,
		pass:   opts.Pass,
		pace:   opts.Pace,
		offers: opts.Offers,
		rec:    opts.Recorder,
		scribe: opts.Scribe,
		door:   opts.Door,
		most:   opts.Subscriptions, filters: opts.Filters,
		shares: opts.Shares,
		signer: opts.Signer,
	}
	if c.rest == nil {
		c.rest = func(wait func()) { wait() }
	}
	if c.pass == nil {
		c.pass = t.Sleep
	}
	if c.pace == nil {
		c.pace = NewPace(0)
	}
	if c.offers == nil {
		c.offers = new(Offers)
	}
	if c.rec == nil {
		c.rec = NewRecorder(0)
	}
	return c
}

// Target is the target that the client speaks to.
func (c *Client) Target() target.Target { return c.target }

// Recorder holds what the client sent and received.
func (c *Client) Recorder() *Recorder { return c.rec }

// Slowest is how long the slowest answer took that came.
func (c *Client) Slowest() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slowest
}

// took files how long an answer took that came.
func (c *Client) took(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slowest = max(c.slowest, d)
}

// Settle is the wait for one awaited answer, with the slowness included.
func (c *Client) Settle() time.Duration { return c.settle }

// Allow gives every answer so much time from now on. It must not be called while somebody uses the client.
func (c *Client) Allow(settle time.Duration) { c.settle = settle }

// AllowExchange is Allow for answers over HTTP alone.
func (c *Client) AllowExchange(d time.Duration) { c.slow = d }

// exchangeSettle is the wait for one answer over HTTP.
func (c *Client) exchangeSettle() time.Duration { return max(c.settle, c.slow) }

// Now is the target's present in seconds since the Unix epoch, for created_at.
func (c *Client) Now() int64 { return c.target.Now().Unix() }

// RelayURL is the WebSocket URL of the service, for relays tags, without a trailing slash.
func (c *Client) RelayURL() string {
	return "ws" + strings.TrimPrefix(c.origin.Scheme, "http") + "://" + c.origin.Host + c.base()
}

// CloneURL is the HTTP clone URL of a repository, for clone tags.
func (c *Client) CloneURL(pubkey, identifier string) string {
	return c.origin.Scheme + "://" + c.origin.Host + c.base() + c.RepoPath(pubkey, identifier)
}

// PathOf is where a redirect leads from a path below the service URL, if it leads to another such path.
func (c *Client) PathOf(from, location string) (string, bool) {
	here, err := url.Parse(c.origin.Scheme + "://" + c.origin.Host + c.base() + from)
	if err != nil || location == "" {
		return "", false
	}
	to, err := here.Parse(location)
	if err != nil || !strings.EqualFold(to.Host, here.Host) {
		return "", false
	}
	path, below := strings.CutPrefix(to.EscapedPath(), c.base())
	if !below || !strings.HasPrefix(path, "/") {
		return "", false
	}
	if to.RawQuery != "" {
		path += "?" + to.RawQuery
	}
	return path, true
}

// base is the path below which the service lives, without a trailing slash.
func (c *Client) base() string { return strings.TrimSuffix(c.origin.EscapedPath(), "/") }

// channel names one connection or exchange in the record.
func (c *Client) channel(kind string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.channels++
	return fmt.Sprintf("%s#%d", kind, c.channels)
}

// unanswered turns an error of the target into an observation. ctx is the caller's, not the one with
// the client's own deadline; start is when the wait began.
func (c *Client) unanswered(ctx context.Context, phase, awaited string, start time.Time, err error) Observation {
	c.heed(err)
	idle := errors.Is(err, target.ErrIdle) || errors.Is(err, context.DeadlineExceeded) || isTimeout(err)
	if idle && ctx.Err() == nil {
		return Silence{After: c.target.Now().Sub(start), Awaited: awaited}
	}
	return TransportError{Phase: phase, Text: err.Error(), Err: err}
}

// heed remembers that the server has ended by itself, if an error says so.
func (c *Client) heed(err error) {
	if !errors.Is(err, target.ErrDied) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.died = err.Error()
}

// Death is how the server has ended by itself while it worked for this client, or "". It is told once.
func (c *Client) Death() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	why := c.died
	c.died = ""
	return why
}

// isTimeout tells the timeouts of net and net/http.
func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

func orDefault(d, def time.Duration) time.Duration {
	if d <= 0 {
		return def
	}
	return d
}
