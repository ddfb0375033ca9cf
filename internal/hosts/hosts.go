// Package hosts runs the fake git hosts of sim/githost and the fake relays of sim/relayhost on real sockets, for servers
// that fetch: what they hold and how they answer is decided by those models, and carried out over smart HTTP in the protocol
// versions 0, 1 and 2, and over WebSocket. Every request is recorded with its instant. Nobody can push, and the package
// judges nothing.
package hosts

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/sim/githost"
)

// Options are the settings of Hosts. The zero value is for servers on this machine.
type Options struct {
	Clock clock.Clock // of the records, and of all that takes time; nil means the system's
	// Listen is the address that hosts listen on, "127.0.0.1" if empty. Each takes a free port.
	Listen string
	// Public is the host name or address by which the server under test reaches Listen; Listen if empty.
	Public string
	// Seed is what chance comes from: losses and jitter of links, objects that a host lacks.
	Seed uint64
}

// Hosts starts fake hosts and relays. It may be used from several goroutines at once.
type Hosts struct {
	opts Options

	mu      sync.Mutex // guards what follows
	hosts   []*Host
	relays  []*Relay
	changed chan struct{}
}

// New returns Hosts without a host.
func New(opts Options) *Hosts {
	if opts.Clock == nil {
		opts.Clock = clock.New()
	}
	if opts.Listen == "" {
		opts.Listen = "127.0.0.1"
	}
	if opts.Public == "" {
		opts.Public = opts.Listen
	}
	return &Hosts{opts: opts, changed: make(chan struct{})}
}

// NewHost starts one host in real time that listens on one address and is known by another, as Options have them. The
// caller closes it.
func NewHost(ctx context.Context, listen, public string) (target.GitHost, error) {
	return New(Options{Listen: listen, Public: public}).NewHost(ctx)
}

// NewHost starts a host that holds nothing and behaves. The caller closes it, or all of them with Close.
func (h *Hosts) NewHost(ctx context.Context) (target.GitHost, error) {
	host, err := h.Start(ctx, githost.Config{})
	if err != nil {
		return nil, err
	}
	return host, nil
}

// Start starts a host as a scenario describes it; its name is the authority of its URL. The delays and losses of its link
// are added to those of the sockets, by the host. A limit of requests per minute counts HTTP requests, and a fetch that
// goes well is two of them. Whims are none of its business: a Config that has some is refused. The caller closes it, or
// all of them with Close.
func (h *Hosts) Start(ctx context.Context, cfg githost.Config) (*Host, error) {
	if len(cfg.Whims) > 0 {
		return nil, errors.New("start git host: whims are for searches, and nobody searches here")
	}
	var listening net.ListenConfig
	l, err := listening.Listen(ctx, "tcp", net.JoinHostPort(h.opts.Listen, "0"))
	if err != nil {
		return nil, fmt.Errorf("start git host: %w", err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	cfg.Name = strings.ToLower(net.JoinHostPort(h.opts.Public, port))
	host := &Host{
		all: h, clock: h.opts.Clock, url: "http://" + cfg.Name,
		closing: make(chan struct{}), served: make(chan struct{}), repositories: make(map[string]*repository),
	}
	if host.model, err = githost.New(cfg, h.opts.Seed, host.now(), nil); err != nil {
		return nil, errors.Join(fmt.Errorf("start git host: %w", err), l.Close())
	}
	host.idle = sync.NewCond(&host.mu)
	host.server = &http.Server{
		Handler: host, ReadHeaderTimeout: readHeaderMax, MaxHeaderBytes: headerMax, ErrorLog: discard(), ConnState: host.connState,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
	}
	host.server.SetKeepAlivesEnabled(false)
	h.mu.Lock()
	h.hosts = append(h.hosts, host)
	h.mu.Unlock()
	go host.serve(&listener{Listener: l, host: host})
	return host, nil
}

// Close ends all hosts and relays. Again is harmless.
func (h *Hosts) Close() error {
	h.mu.Lock()
	hosts, relays := h.hosts, h.relays
	h.hosts, h.relays = nil, nil
	h.mu.Unlock()
	var err error
	for _, r := range relays {
		err = errors.Join(err, r.Close())
	}
	for _, host := range hosts {
		err = errors.Join(err, host.Close())
	}
	return err
}

// Deadline is the earliest instant that an answer under way, or a relay, waits for; false if none waits for one.
func (h *Hosts) Deadline() (time.Time, bool) {
	first := h.relaysDue()
	open, _ := h.parked()
	for _, p := range open {
		if !p.until.IsZero() && (first.IsZero() || p.until.Before(first)) {
			first = p.until
		}
	}
	return first, !first.IsZero()
}

// A Parked answer goes on only when the clock moves or its asker leaves.
type Parked struct {
	Remote string // address of the asker's end, "127.0.0.1:40000"
	Wrote  int64  // bytes that were sent to it
}

// Parked lists the answers that wait for the clock, and reports whether nothing else goes on at the hosts: no answer is at
// work, and no connection waits for its first request to be read.
func (h *Hosts) Parked() (answers []Parked, all bool) {
	now := h.opts.Clock.Now()
	open, all := h.parked()
	for _, p := range open {
		if p.until.IsZero() || p.until.After(now) {
			answers = append(answers, Parked{Remote: p.conn.RemoteAddr().String(), Wrote: p.conn.wrote.Load()})
		} else {
			all = false
		}
	}
	return answers, all
}

func (h *Hosts) parked() (out []parked, all bool) {
	h.mu.Lock()
	hosts := append([]*Host(nil), h.hosts...)
	h.mu.Unlock()
	all = true
	for _, host := range hosts {
		host.mu.Lock()
		all = all && host.fresh == 0
		for _, e := range host.open {
			if e.parked != nil {
				out = append(out, *e.parked)
			} else {
				all = false
			}
		}
		host.mu.Unlock()
	}
	return out, all
}

// Changed returns a channel that is closed when the answer of Parked or Deadline may have changed since the call.
func (h *Hosts) Changed() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.changed
}

func (h *Hosts) tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.changed)
	h.changed = make(chan struct{})
}

func (h *Hosts) forget(host *Host) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, other := range h.hosts {
		if other == host {
			h.hosts = append(h.hosts[:i:i], h.hosts[i+1:]...)
			return
		}
	}
}

func (h *Hosts) forgetRelay(r *Relay) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.relays = slices.DeleteFunc(slices.Clone(h.relays), func(other *Relay) bool { return other == r })
}

// redirectURL is where a host that redirects sends a request to.
func redirectURL(origin string, u *url.URL) string {
	return strings.TrimSuffix(origin, "/") + u.RequestURI()
}
