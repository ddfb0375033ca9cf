// Package hunt decides when missing git data is looked for, and where: a queue of identifiers with backoff, an attempt
// that asks one source after the other, and a queue for each host that is asked no more than it should be. It fetches
// nothing, judges nobody's authority and reads no clock: its caller carries its orders out and says how they ended.
package hunt

import (
	"cmp"
	"errors"
	"time"

	"github.com/graspkit/graspkit/reference/instant"
)

// A Config is the settings of a Hunt. Zero values stand for the defaults of the same name.
type Config struct {
	Policy     Policy
	Concurrent int           // requests in flight at one host (REF-HUNT-08)
	Rate       int           // requests that start at one host within Window (REF-HUNT-09)
	Window     time.Duration // the sliding window of Rate
	FetchLife  time.Duration // a request that has not ended by then is canceled (REF-HUNT-24)
	BrokenLife time.Duration // how long a host that is broken gets no request (REF-HUNT-25)
}

// Defaults of the settings, and limits that are not settings.
const (
	Concurrent = 5
	Rate       = 30
	Window     = 60 * time.Second
	FetchLife  = 10 * time.Minute
	BrokenLife = 12 * time.Hour

	// BackoffFirst and BackoffMax bound the pause after an attempt: it doubles from the first to the last (REF-HUNT-05).
	BackoffFirst = 20 * time.Second
	BackoffMax   = 120 * time.Second
	// PauseDefault is how long a host is left alone that limits the rate and names no time; PauseMax bounds what it names.
	PauseDefault = time.Minute
	PauseMax     = 10 * time.Minute

	// IdentifiersMax bounds the queue. One more is left out, and Add says so.
	IdentifiersMax = 50_000
	// SourcesMax bounds the sources of one Need, OIDsMax its objects. Further ones are passed over; objects get their
	// turn when others have come.
	SourcesMax = 256
	OIDsMax    = 20_000
	// AttemptMax is how many requests one attempt makes. The sources beyond go to the queues of their hosts.
	AttemptMax = 8
	// HostsMax bounds the hosts that are remembered. While none can be forgotten a new one is not asked.
	HostsMax = 10_000
	// BrokenMax bounds the hosts that are listed as broken. One more takes the place of the oldest.
	BrokenMax = 4_096
)

func (c Config) withDefaults() Config {
	c.Concurrent = cmp.Or(c.Concurrent, Concurrent)
	c.Rate = cmp.Or(c.Rate, Rate)
	c.Window = cmp.Or(c.Window, Window)
	c.FetchLife = cmp.Or(c.FetchLife, FetchLife)
	c.BrokenLife = cmp.Or(c.BrokenLife, BrokenLife)
	return c
}

// Validate reports the first setting that cannot work. Zero values are fine.
func (c Config) Validate() error {
	switch {
	case c.Concurrent < 0 || c.Rate < 0:
		return errors.New("hunt: a limit of requests is negative")
	case c.Window < 0 || c.FetchLife < 0 || c.BrokenLife < 0:
		return errors.New("hunt: a duration is negative")
	}
	return nil
}

// A Hunt is the queue of identifiers and the queues of hosts. It is not safe for concurrent use. Instants never go back.
type Hunt struct {
	cfg     Config
	entries map[string]*entry
	waiting heap[*entry] // not busy, by due time
	steps   fifo[*entry] // busy, with nothing in flight on the main path

	hosts    map[string]*host
	wakes    heap[*host] // with work that waits for an instant
	idle     heap[*host] // with nothing to do, by when they may be forgotten
	launches fifo[*host] // with something changed
	broken   fifo[listing]
	listed   int // hosts that are listed as broken

	open      map[FetchID]*fetch
	asked     map[question]bool // what is open
	deadlines heap[*fetch]      // open and not canceled
	cancels   fifo[FetchID]
	fetches   FetchID
	entered   uint64
}

// A question is an identifier at a URL: at most one request for it is open (REF-HUNT-12).
type question struct{ identifier, url string }

// New returns a hunt for nothing. It panics if the configuration is not valid.
func New(cfg Config) *Hunt {
	if err := cfg.Validate(); err != nil {
		panic("hunt: invariant: " + err.Error())
	}
	return &Hunt{
		cfg:       cfg.withDefaults(),
		entries:   map[string]*entry{},
		waiting:   heap[*entry]{before: (*entry).before, at: (*entry).place},
		hosts:     map[string]*host{},
		wakes:     heap[*host]{before: (*host).wakesBefore, at: (*host).wakePlace},
		idle:      heap[*host]{before: (*host).idleBefore, at: (*host).idlePlace},
		open:      map[FetchID]*fetch{},
		asked:     map[question]bool{},
		deadlines: heap[*fetch]{before: (*fetch).before, at: (*fetch).place},
	}
}

// An Order is something that the caller must do: start Fetch, or cancel the one with its ID. A canceled fetch is ended
// by Done like any other.
type Order struct {
	Fetch  Fetch
	Cancel bool
	Recent int // requests that have started at the host of Fetch within Window, this one among them
}

// Next returns the next order that is due at now. The caller asks until there is none: after everything that it has told
// the hunt, and when Deadline has come. Queues of hosts go before attempts, so that new work overtakes none that waits.
func (h *Hunt) Next(now instant.Instant) (Order, bool) {
	for {
		if id, ok := h.cancels.pop(); ok {
			return Order{Fetch: Fetch{ID: id}, Cancel: true}, true
		}
		if f, ok := h.deadlines.first(); ok && f.deadline <= now {
			h.cancel(f)
			continue
		}
		if x, ok := h.wakes.first(); ok && x.wake <= now {
			h.wakes.remove(x)
			h.touch(x)
			continue
		}
		if x, ok := h.launches.front(); ok {
			if f := h.launch(now, x); f != nil {
				return Order{Fetch: f.Fetch, Recent: h.recent(x, now)}, true
			}
			h.launches.pop()
			h.rest(now, x)
			continue
		}
		if e, ok := h.steps.pop(); ok {
			if f := h.step(now, e); f != nil {
				return Order{Fetch: f.Fetch, Recent: h.recent(f.host, now)}, true
			}
			continue
		}
		if e, ok := h.waiting.first(); ok && e.due <= now {
			h.begin(now, e)
			continue
		}
		return Order{}, false
	}
}

// Deadline is the earliest instant at which Next has something to say, if nothing happens before. It means nothing
// before Next has been asked until there was no order.
func (h *Hunt) Deadline() (instant.Instant, bool) {
	var earliest instant.Instant
	set := false
	sooner := func(at instant.Instant) {
		if !set || at < earliest {
			earliest, set = at, true
		}
	}
	if e, ok := h.waiting.first(); ok {
		sooner(e.due)
	}
	if x, ok := h.wakes.first(); ok {
		sooner(x.wake)
	}
	if f, ok := h.deadlines.first(); ok {
		sooner(f.deadline)
	}
	return earliest, set
}

// Len is the number of identifiers in the queue, waiting or busy.
func (h *Hunt) Len() int { return len(h.entries) }

// Hunted reports whether the identifier is in the queue, waiting or busy (INV-09).
func (h *Hunt) Hunted(identifier string) bool { return h.entries[identifier] != nil }

// Open is the number of fetches that have started and not ended.
func (h *Hunt) Open() int { return len(h.open) }

// Load returns how many requests are in flight at a host and how many identifiers wait there (INV-37).
func (h *Hunt) Load(name string) (flying, waiting int) {
	if x := h.hosts[name]; x != nil {
		return x.flying, x.ready.n
	}
	return 0, 0
}
