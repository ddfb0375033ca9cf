package hosts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// A Relay is one fake relay of sim/relayhost behind a WebSocket.
type Relay struct {
	all     *Hosts
	clock   clock.Clock
	url     string
	server  *http.Server
	closing chan struct{}
	over    sync.WaitGroup // of all goroutines that serve
	once    sync.Once

	mu     sync.Mutex // guards what follows
	closed bool
	model  *relayhost.Host
	latest instant.Instant // that the model has been told
	last   relayhost.ConnID
	socks  map[*sock]struct{}                // below HTTP
	conns  map[relayhost.ConnID]*relayClient // above it
	wake   chan struct{}                     // closed when the deadline of the model may have changed
	mode   relayhost.Negentropy              // for the information document
	warm   instant.Instant                   // when what is frozen thaws; zero if that is told
}

var _ target.FakeRelay = (*Relay)(nil)

// NewRelay starts one relay in real time that listens on one address and is known by another, as Options have them. The
// caller closes it.
func NewRelay(ctx context.Context, listen, public string) (target.FakeRelay, error) {
	return New(Options{Listen: listen, Public: public}).NewRelay(ctx)
}

// NewRelay starts a relay that has no events and behaves. The caller closes it, or all of them with Close.
func (h *Hosts) NewRelay(ctx context.Context) (target.FakeRelay, error) {
	var listening net.ListenConfig
	l, err := listening.Listen(ctx, "tcp", net.JoinHostPort(h.opts.Listen, "0"))
	if err != nil {
		return nil, fmt.Errorf("start relay: %w", err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	name := strings.ToLower(net.JoinHostPort(h.opts.Public, port))
	r := &Relay{
		all: h, clock: h.opts.Clock, url: "ws://" + name, closing: make(chan struct{}), wake: make(chan struct{}),
		socks: make(map[*sock]struct{}), conns: make(map[relayhost.ConnID]*relayClient),
	}
	if r.model, err = relayhost.New(relayhost.Config{Name: name}, r.now()); err != nil {
		return nil, errors.Join(fmt.Errorf("start relay: %w", err), l.Close())
	}
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: readHeaderMax, MaxHeaderBytes: headerMax, ErrorLog: discard()}
	h.mu.Lock()
	h.relays = append(h.relays, r)
	h.mu.Unlock()
	r.over.Go(func() {
		if err := r.server.Serve(&gate{l, r}); !errors.Is(err, http.ErrServerClosed) {
			_ = l.Close() // the relay is gone for those who ask, and that is all that happens
		}
	})
	r.over.Go(r.tick)
	return r, nil
}

// now is the instant that the model is told: that of the clock, which may be set back where instants never go. The lock
// is held, or nobody knows of the relay yet.
func (r *Relay) now() instant.Instant {
	r.latest = max(r.latest, instant.Instant(r.clock.Now().UnixNano()))
	return r.latest
}

// URL implements target.FakeRelay.
func (r *Relay) URL() string { return r.url }

// Put implements target.FakeRelay.
func (r *Relay) Put(events ...*nostr.Event) {
	r.do(func(now instant.Instant) []relayhost.Said { return r.model.Put(now, nil, events...) })
}

// Stray implements target.FakeRelay.
func (r *Relay) Stray(events ...*nostr.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.model.Stray(events...)
}

// Drop implements target.FakeRelay.
func (r *Relay) Drop(ids ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.model.Drop(ids...)
}

// Behave implements target.FakeRelay.
func (r *Relay) Behave(b target.RelayBehavior) error {
	if err := b.Validate(); err != nil {
		return err
	}
	var err error
	r.do(func(now instant.Instant) (said []relayhost.Said) {
		cfg := relayhost.Behaving(b)
		if said, err = r.model.Behave(now, cfg, nil); err == nil {
			r.mode, r.warm = cfg.Negentropy, 0
			if b.Mode == target.RelayFreezes && b.Until > 0 {
				r.warm = now.Add(b.Until)
			}
			r.thaw(now)
		}
		return said
	})
	if err != nil {
		return fmt.Errorf("relay behavior: %w", err)
	}
	return nil
}

// Visits implements target.FakeRelay.
func (r *Relay) Visits() []target.RelayVisit {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []target.RelayVisit
	for _, v := range r.model.Visits() {
		visit := target.RelayVisit{Conn: int(v.Conn), At: timeOf(v.At), Taken: v.Opening == relayhost.Taken}
		if v.Ended != 0 {
			visit.Ended = timeOf(v.Ended)
		}
		out = append(out, visit)
	}
	return out
}

// Asked implements target.FakeRelay.
func (r *Relay) Asked() []target.RelayMessage {
	r.mu.Lock()
	asked := r.model.Asked()
	r.mu.Unlock()
	out := make([]target.RelayMessage, len(asked))
	for i, a := range asked {
		out[i] = relayhost.Told(a.Msg)
		out[i].At, out[i].Conn = timeOf(a.At), int(a.Conn)
	}
	return out
}

func timeOf(at instant.Instant) time.Time { return time.Unix(0, int64(at)).UTC() }

// Close implements target.FakeRelay.
func (r *Relay) Close() error {
	var err error
	r.once.Do(func() {
		close(r.closing)
		err = r.server.Close()
		r.mu.Lock()
		r.closed = true
		for s := range r.socks {
			_ = s.Conn.Close() // whoever reads from it sees that
		}
		r.mu.Unlock()
		r.over.Wait()
		r.all.forgetRelay(r)
	})
	return err
}

// do lets the model do something, and passes on what it says.
func (r *Relay) do(f func(now instant.Instant) []relayhost.Said) {
	r.mu.Lock()
	r.carry(f(r.now()))
	close(r.wake)
	r.wake = make(chan struct{})
	r.mu.Unlock()
	r.all.tell()
}

// carry gives to connections what the model says on them. The lock is held.
func (r *Relay) carry(all []relayhost.Said) {
	for _, said := range all {
		if c := r.conns[said.Conn]; c != nil {
			c.give(said)
		}
	}
}

// due is when the relay next does something of its own accord; false if it does not. The lock is held.
func (r *Relay) due() (at instant.Instant, ever bool) {
	at, ever = r.model.Deadline()
	if r.warm != 0 && (!ever || r.warm < at) {
		at, ever = r.warm, true
	}
	return at, ever
}

// relaysDue is the earliest instant that a relay waits for; zero if none waits for one.
func (h *Hosts) relaysDue() time.Time {
	h.mu.Lock()
	relays := slices.Clone(h.relays)
	h.mu.Unlock()
	var first time.Time
	for _, r := range relays {
		r.mu.Lock()
		at, ever := r.due()
		for _, c := range r.conns {
			if len(c.outbox) > 0 && (!ever || c.outbox[0].At < at) {
				at, ever = c.outbox[0].At, true
			}
		}
		r.mu.Unlock()
		if due := timeOf(at); ever && (first.IsZero() || due.Before(first)) {
			first = due
		}
	}
	return first
}

// tick lets the model do what it does of its own accord, at its instants.
func (r *Relay) tick() {
	for {
		r.mu.Lock()
		wake := r.wake
		at, ever := r.due()
		wait := at.Sub(r.now())
		var fired <-chan time.Time
		stop := func() bool { return false }
		if ever && wait > 0 {
			timer := r.clock.Timer(wait)
			fired, stop = timer.C, timer.Stop
			wait = at.Sub(r.now()) // the clock may have moved before there was a timer
		}
		r.mu.Unlock()
		if ever && wait <= 0 {
			stop()
			r.do(func(now instant.Instant) []relayhost.Said {
				if r.warm != 0 && r.warm <= now {
					r.warm = 0
					r.thaw(now)
				}
				return r.model.Tick(now, nil)
			})
			continue
		}
		select {
		case <-fired:
		case <-wake:
		case <-r.closing:
		}
		stop()
		select {
		case <-r.closing:
			return
		default:
		}
	}
}

// ServeHTTP answers a handshake, or tells about the relay (NIP-11).
func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if strings.EqualFold(req.Header.Get("Upgrade"), "websocket") {
		r.serve(w, req)
		return
	}
	nips := []int{1}
	r.mu.Lock()
	if r.mode == relayhost.Reconciles {
		nips = append(nips, 77)
	}
	r.mu.Unlock()
	w.Header().Set("Content-Type", "application/nostr+json")
	_ = json.NewEncoder(w).Encode(map[string]any{"name": "fake relay", "supported_nips": nips}) // the asker may be gone
}
