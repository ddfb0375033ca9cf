// Package fetch gets git objects by their exact ids from other hosts over smart HTTP, into a repository of a
// gitstore.Backend. What comes is judged like a push before it is kept, and no ref moves. A fetch has limits of time and
// size, goes to public addresses only, follows no redirect to another host and shows no credentials but a
// token of the service to a host that asks for one.
//
// It does not decide what is fetched, from where, when and how often, and tries nothing twice: that is the core's queue.
package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Timeouts bound the parts of a fetch (REF-HUNT-24). A zero field means its default.
type Timeouts struct {
	Connect time.Duration // name, TCP and TLS; default 10 s
	Header  time.Duration // from there to the header of an answer; default 30 s
	Idle    time.Duration // between two reads of a body; default 30 s
	Whole   time.Duration // all of it, with the time that the store takes; default 10 min
}

// Limits bound what a fetch may bring, and how many there are. A zero field means its default.
type Limits struct {
	Advertisement int64 // bytes; default 16 MiB
	Pack          int64 // bytes; default 512 MiB
	Fetches       int   // under way at one time; default 64
	Waiting       int   // under way or waiting for their turn; default 4096
	Wants         int   // objects of one fetch; default 1000
	Narrow        int   // requests for a pack that are repeated without an object that the host refuses; default 0
}

// Options are the settings of a Fetcher. A zero field but Backend means its default.
type Options struct {
	Backend  gitstore.Backend
	Clock    clock.Clock // default: the system's
	Timeouts Timeouts
	Limits   Limits
	// AllowLocal lets fetches go to any address: loopback, private networks, metadata services. It is for tests and for
	// operators who know their network.
	AllowLocal bool
	Spool      string      // folder for packs that are being received; default: that of the system for temporary files
	TLS        *tls.Config // default: the roots of the system
	// Resolver finds the addresses of names; default: that of the system.
	Resolver *net.Resolver
	// Authorize makes the Authorization header for a repository, of its URL, by which the server shows who it is to a host that asks
	// for a token of nostr (NIP-98); see servicekey.Key. Without it nobody is shown anything.
	Authorize func(url string, now time.Time) (string, error)
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = clock.New()
	}
	t := &o.Timeouts
	t.Connect = orDefault(t.Connect, 10*time.Second)
	t.Header = orDefault(t.Header, 30*time.Second)
	t.Idle = orDefault(t.Idle, 30*time.Second)
	t.Whole = orDefault(t.Whole, 10*time.Minute)
	l := &o.Limits
	l.Advertisement = orDefault(l.Advertisement, 16<<20)
	l.Pack = orDefault(l.Pack, 512<<20)
	l.Fetches = orDefault(l.Fetches, 64)
	l.Waiting = orDefault(l.Waiting, 4096)
	l.Wants = orDefault(l.Wants, 1000)
	return o
}

func orDefault[T int | int64 | time.Duration](value, def T) T {
	if value == 0 {
		return def
	}
	return value
}

// A Request says what is to be fetched from where into which repository.
type Request struct {
	Repo repo.ID
	URL  string     // of the repository at the host, as a clone tag has it
	OIDs []repo.OID // objects that are wanted, with all that they reach
}

// A Result is how a fetch ended.
type Result struct {
	Got        bool       // the repository has some of the wanted objects now, with all that they reach, or had them before
	Missing    []repo.OID // of the wanted objects, in order: those that the repository does not have now
	Denied     []repo.OID // those that the host has refused by name
	Failure    Failure    // None if the host's answer was read to its end and taken
	RetryAfter time.Duration
	Requests   int   // HTTP requests that were made
	Err        error // details of Failure, for logs
}

// An ID names a fetch under way. The caller gives it.
type ID uint64

// A Fetcher carries out fetches. It is safe for use by many goroutines.
type Fetcher struct {
	options   Options
	transport *http.Transport
	group     sync.WaitGroup

	mu      sync.Mutex // guards what follows
	flights map[ID]*flight
	running int       // flights whose turn has come and is not over
	queue   []*flight // that wait for their turn, in order
	closed  bool
	changed chan struct{} // closed when anything of flights changes; see Changed
}

// New returns a Fetcher. It must be closed.
func New(options Options) *Fetcher {
	options = options.withDefaults()
	return &Fetcher{
		options: options, transport: newTransport(options),
		flights: map[ID]*flight{}, changed: make(chan struct{}),
	}
}

// Start begins a fetch and returns at once. Done is called exactly once, from a goroutine of the Fetcher, when it has
// ended, in whatever way: it must not block. It is called before Start returns if the Fetcher is closed, the ID is
// that of a fetch under way, or Limits.Waiting is reached.
func (f *Fetcher) Start(id ID, r Request, done func(Result)) {
	ctx, cancel := context.WithCancelCause(context.Background())
	fl := &flight{fetcher: f, request: r, cancel: cancel, over: ctx.Done(), turn: make(chan struct{})}
	fl.watch = newWatch(f.options.Clock, cancel, f.notify)
	if err := f.add(id, fl); err != nil {
		cancel(nil)
		done(Result{Missing: r.OIDs, Failure: Canceled, Err: &Error{Failure: Canceled, Err: err}})
		return
	}
	go func() {
		defer f.group.Done()
		defer cancel(nil)
		result := fl.run(ctx)
		done(result)
		f.remove(id)
	}()
}

var (
	errClosed  = errors.New("the fetcher is closed")
	errTwice   = errors.New("a fetch of this number is under way")
	errTooMany = errors.New("too many fetches are waiting")
)

func (f *Fetcher) add(id ID, fl *flight) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		return errClosed
	case f.flights[id] != nil:
		return errTwice
	case len(f.flights) >= f.options.Limits.Waiting:
		return errTooMany
	}
	f.flights[id] = fl
	f.group.Add(1)
	if f.running < f.options.Limits.Fetches {
		f.running++
		close(fl.turn)
	} else {
		fl.queued = true
		f.queue = append(f.queue, fl)
	}
	f.tell()
	return nil
}

// leave ends the turn of a flight, or its wait for one. Whose turn comes next does not wait any more from this moment on,
// whenever its goroutine gets to know.
func (f *Fetcher) leave(fl *flight) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl.queued {
		fl.queued = false
		f.queue = slices.DeleteFunc(f.queue, func(other *flight) bool { return other == fl })
		return
	}
	if len(f.queue) == 0 {
		f.running--
		return
	}
	next := f.queue[0]
	f.queue = slices.Delete(f.queue, 0, 1)
	next.queued = false
	close(next.turn)
	f.tell()
}

func (f *Fetcher) remove(id ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.flights, id)
	f.tell()
}

// Cancel ends a fetch; one that is not under way is none of its business. The done of the fetch is called as ever.
func (f *Fetcher) Cancel(id ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if fl := f.flights[id]; fl != nil {
		fl.end()
	}
}

// Close cancels all fetches and returns when the done of each has returned. Again is harmless.
func (f *Fetcher) Close() {
	f.mu.Lock()
	f.closed = true
	for _, fl := range f.flights {
		fl.end()
	}
	f.mu.Unlock()
	f.group.Wait()
	f.transport.CloseIdleConnections()
}

// InFlight is how many fetches are under way or wait for their turn.
func (f *Fetcher) InFlight() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.flights)
}

// Deadline is the earliest instant at which a fetch runs into one of its timeouts; false if none can.
func (f *Fetcher) Deadline() (time.Time, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var first time.Time
	for _, fl := range f.flights {
		if at, ok := fl.watch.deadline(); ok && (first.IsZero() || at.Before(first)) {
			first = at
		}
	}
	return first, !first.IsZero()
}

// A Wait is a connection on which a fetch waits for its host.
type Wait struct {
	Local string // address of our end, "127.0.0.1:40000"
	Read  int64  // bytes that have come so far
}

// Waiting reports whether every fetch under way waits for bytes of its host or for its turn, and on which connections.
// Together with what the hosts know it tells a driver of a clock that nothing happens before the clock moves.
func (f *Fetcher) Waiting() (on []Wait, all bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	all = true
	for _, fl := range f.flights {
		wait, waits := fl.waits()
		if !waits {
			all = false
		} else if wait.Local != "" {
			on = append(on, wait)
		}
	}
	return on, all
}

// Changed returns a channel that is closed when the answer of Waiting or Deadline may have changed since the call.
func (f *Fetcher) Changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.changed
}

func (f *Fetcher) notify() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tell()
}

// tell wakes who watches. The lock is held.
func (f *Fetcher) tell() {
	close(f.changed)
	f.changed = make(chan struct{})
}
