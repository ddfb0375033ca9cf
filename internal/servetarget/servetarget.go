// Package servetarget is the live reference server as a target: a node and its HTTP server on loopback, in this process,
// under a clock that stands still until the target moves it. So half an hour passes over real sockets in milliseconds,
// and silence is known instead of waited for. It judges nothing and plants no defect that it was not given.
package servetarget

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/hosts"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/servicekey"
)

// The backends of a target.
const (
	BackendMemory = "memory" // repositories and journal in memory
	BackendExec   = "exec"   // repositories and journal on disk, git by the installed binary
	BackendDisk   = "disk"   // repositories and journal on disk, without a git binary
)

// Limits of a target, in real time. None is reached by a server that works, however busy the machine is: nothing is judged by
// them.
const (
	settleWait = 2 * time.Minute // for the server to come to rest
	stopWait   = time.Minute     // for an orderly end
	replayMax  = 64 << 20        // bytes of an HTTP answer that are read before RoundTrip returns
	packMax    = 64 << 20        // bytes of a pack that is fetched
)

// listenWait is how long an address is waited for, in real time, that a dead server had; listenPoll is how often it is tried.
const (
	listenWait = 5 * time.Second
	listenPoll = 5 * time.Millisecond
)

// fetchPoll is how often, in real time, fetches are looked at that have not settled.
const fetchPoll = 2 * time.Millisecond

// systemClock is real time, which no server here lives in.
var systemClock = clock.New()

// Begin is the time of every new target.
var Begin = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// Options say which server to start. The zero value is the reference on BackendMemory.
type Options struct {
	Backend string          // BackendMemory if empty
	Addr    string          // host:port to listen on; empty means a free one on loopback
	Dir     string          // data directory of BackendExec and BackendDisk; empty means one of its own, removed by Close
	Core    core.Config     // settings of the core; the service is the target's
	Defect  defect.Defect   // what is wrong with the server; the zero value is nothing
	Logger  *slog.Logger    // of the server; nil means no logs
	Key     *servicekey.Key // by which it authenticates to relays and git hosts; nil is to none
	Begin   time.Time       // where its clock begins; zero means Begin
}

// A Target is a running server. It may be used from several goroutines at once, but for Restart and Close.
type Target struct {
	opts  Options
	addr  string // host:port, the same after a restart
	clock *clock.Mock
	disk  *disk
	live  *livetarget.Target
	hosts *hosts.Hosts

	advancing sync.Mutex   // one Advance at a time
	stalled   atomic.Int64 // of the next push, in nanoseconds

	mu     sync.Mutex // guards what follows
	server *server
	conns  map[*conn]struct{}
	bare   map[*bareConn]struct{}
}

var (
	_ target.Target        = (*Target)(nil)
	_ target.World         = (*Target)(nil)
	_ target.ClockAdvancer = (*Target)(nil)
	_ target.Membered      = (*Target)(nil)
	_ target.RawDialer     = (*Target)(nil)
	_ target.Hosts         = (*Target)(nil)
	_ target.Relays        = (*Target)(nil)
)

// New starts a server on a free loopback port. The caller must Close the target.
func New(ctx context.Context, opts Options) (*Target, error) {
	t := &Target{opts: opts, clock: clock.NewMock(), conns: make(map[*conn]struct{}), bare: make(map[*bareConn]struct{})}
	t.clock.Set(Begin)
	if !opts.Begin.IsZero() {
		t.clock.Set(opts.Begin)
	}
	t.hosts = hosts.New(hosts.Options{Clock: t.clock})
	var err error
	if t.disk, err = openDisk(opts); err != nil {
		return nil, err
	}
	open := launch.ListenFree
	if opts.Addr != "" {
		open = func(ctx context.Context) (net.Listener, error) { return listen(ctx, opts.Addr) }
	}
	l, err := open(ctx)
	if err != nil {
		return nil, errors.Join(err, t.disk.remove())
	}
	t.addr = l.Addr().String()
	if t.live, err = livetarget.New("http://"+t.addr, livetarget.Options{}); err != nil {
		return nil, errors.Join(err, l.Close(), t.disk.remove())
	}
	if t.server, err = t.start(l); err != nil {
		return nil, errors.Join(err, t.disk.remove())
	}
	return t, nil
}

// listen takes an address again. A process that somebody is just starting may hold a socket that is closed already for a
// moment longer.
func listen(ctx context.Context, addr string) (net.Listener, error) {
	var config net.ListenConfig
	limit := systemClock.Now().Add(listenWait)
	for {
		l, err := config.Listen(ctx, "tcp", addr)
		switch {
		case err == nil:
			return l, nil
		case !errors.Is(err, syscall.EADDRINUSE) || systemClock.Now().After(limit):
			return nil, fmt.Errorf("listen on %s: %w", addr, err)
		}
		select {
		case <-systemClock.After(listenPoll):
		case <-ctx.Done():
			return nil, fmt.Errorf("listen on %s: %w", addr, context.Cause(ctx))
		}
	}
}

// Close ends the server and removes what the target has made.
func (t *Target) Close() error {
	for _, c := range t.open() {
		_ = c.Close() // the server closes them anyway
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopWait)
	defer cancel()
	return errors.Join(t.current().stop(ctx), t.hosts.Close(), t.disk.remove())
}

// Name is "serve".
func (t *Target) Name() string { return "serve" }

// World is "serve".
func (t *Target) World() string { return "serve" }

// ServiceURL is "http://127.0.0.1:port".
func (t *Target) ServiceURL() string { return "http://" + t.addr }

// Now is the time of the clock, which moves by Advance and Sleep alone.
func (t *Target) Now() time.Time { return t.clock.Now().UTC() }

// Sleep is Advance.
func (t *Target) Sleep(ctx context.Context, d time.Duration) error { return t.Advance(ctx, d) }

// Advance lets d pass. The clock stops exactly at every deadline of the server, of its fetches and of the fake hosts,
// until all have done what they do then.
func (t *Target) Advance(ctx context.Context, d time.Duration) error {
	t.advancing.Lock()
	defer t.advancing.Unlock()
	goal := t.clock.Now().Add(d)
	if err := t.settle(ctx); err != nil {
		return err
	}
	for {
		at, ok, err := t.deadline(ctx)
		if err != nil {
			return err
		}
		if !ok || at.After(goal) {
			break
		}
		t.clock.Set(at)
		if err := t.settle(ctx); err != nil {
			return err
		}
	}
	t.clock.Set(goal)
	return t.settle(ctx)
}

// deadline is the next instant at which something happens by itself. A deadline that has come and is still there is one
// that cannot be acted on yet.
func (t *Target) deadline(ctx context.Context) (first time.Time, ok bool, err error) {
	s, now := t.current(), t.clock.Now()
	consider := func(at time.Time, set bool) {
		if set && at.After(now) && (!ok || at.Before(first)) {
			first, ok = at, true
		}
	}
	at, set, err := s.Node.Deadline(ctx)
	if err != nil {
		return first, false, fmt.Errorf("ask for the deadline: %w", err)
	}
	consider(time.Unix(0, int64(at)), set)
	consider(s.Fetches.Deadline())
	consider(s.Peers.Deadline())
	consider(t.hosts.Deadline())
	return first, ok, nil
}

// settle waits until the server has read what clients sent before, and has done everything that follows from it.
func (t *Target) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleWait)
	defer cancel()
	for _, c := range t.open() {
		c.heard(ctx)
	}
	for {
		fetches, peers, hosts := t.current().Fetches.Changed(), t.current().Peers.Changed(), t.hosts.Changed()
		if t.othersWait() {
			if err := t.current().Node.Sync(ctx, t.bareEnds()...); err != nil && !errors.Is(err, node.ErrStopped) {
				return fmt.Errorf("wait for the server to settle: %w", err)
			}
			// What the server has heard meanwhile may have led to another fetch or message, and one may have ended.
			select {
			case <-fetches:
				continue
			case <-peers:
				continue
			default:
				return nil
			}
		}
		select {
		case <-fetches:
		case <-peers:
		case <-hosts:
		case <-systemClock.After(fetchPoll): // bytes on their way tell nobody
		case <-ctx.Done():
			return fmt.Errorf("wait for fetches and relays to settle: %w", ctx.Err())
		}
	}
}

// Reachback is true: the server and its fake hosts share a machine and a clock.
func (t *Target) Reachback() bool { return true }

// NewHost starts a fake git host. The caller closes it, or the target does.
func (t *Target) NewHost(ctx context.Context) (target.GitHost, error) { return t.hosts.NewHost(ctx) }

// NewRelay starts a fake relay. The caller closes it, or the target does.
func (t *Target) NewRelay(ctx context.Context) (target.FakeRelay, error) {
	return t.hosts.NewRelay(ctx)
}

// RoundTrip performs one HTTP exchange and waits until the server has done what follows from it.
func (t *Target) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := t.settle(req.Context()); err != nil {
		return nil, err
	}
	resp, err := t.live.RoundTrip(req)
	if t.current().life.dead.Load() { // by this exchange: the next one finds a new server
		err = errors.Join(err, t.Kill(req.Context()))
	}
	if err != nil {
		return nil, err
	}
	if err := replay(resp); err != nil {
		return resp, nil //nolint:nilerr // the reader of the body meets the error where it happened
	}
	if err := t.settle(req.Context()); err != nil {
		return nil, errors.Join(err, resp.Body.Close())
	}
	return resp, nil
}

// Data is the data directory, "" on BackendMemory.
func (t *Target) Data() string { return t.disk.dir }

func (t *Target) current() *server {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.server
}

// open returns the connections that are open.
func (t *Target) open() []*conn {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]*conn, 0, len(t.conns))
	for c := range t.conns {
		all = append(all, c)
	}
	return all
}

// A disk is what a server keeps when it is stopped.
type disk struct {
	dir  string // "" in memory
	kind string // backend, if it is on disk
	own  bool   // remove removes it

	journal node.Journal     // in memory
	backend gitstore.Backend // in memory
}

func (d *disk) remove() error {
	if !d.own {
		return nil
	}
	return os.RemoveAll(d.dir)
}
