// Package httpd moves bytes between sockets and a node: it answers HTTP as package web says, carries relay messages over
// WebSocket and git conversations over HTTP, and shows at MetricsPath what the node has counted. It routes by the raw
// path and cleans nothing. It decides nothing about events, pushes or pages.
package httpd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// Limits of the server that are not settings.
const (
	headerBytesMax = 64 << 10         // request line and headers
	headerWait     = 10 * time.Second // from the first byte to the end of the headers
	idleWait       = 2 * time.Minute  // between two requests of a connection
	pingEvery      = 30 * time.Second // how often a WebSocket client is asked whether it is there
	pingWait       = 20 * time.Second // how long it may take to answer
	lastWait       = time.Second      // for the rest of a body that nobody wants
	frameWait      = 20 * time.Second // how long one frame may take to be sent
)

// Limits are the settings of how much a client may cost. Zero values stand for the defaults that are named.
type Limits struct {
	PushBytes  int64         // body of a push, unpacked; PushBytesMax
	FetchBytes int64         // body of a fetch request, unpacked; FetchBytesMax
	GitAtOnce  int           // git requests that run at the same time; GitAtOnceMax
	GitEach    int           // those of one address, of IPv6 of one /64; GitEachMax; as many as in all if negative
	Pace       int64         // bytes a second that a client must send, and take, while a git request is under way; PaceMin
	Stall      time.Duration // how long a client may fall behind that; StallMax
	// Pushes of one address to places for contributions; no limit if zero, since checks come from one address.
	Contributions relay.Pace
}

// Defaults of Limits.
const (
	PushBytesMax  = 1 << 30
	FetchBytesMax = 16 << 20
	GitAtOnceMax  = 256
	GitEachMax    = 128
	PaceMin       = 4 << 10
	StallMax      = time.Minute
)

func (l Limits) withDefaults() Limits {
	if l.PushBytes == 0 {
		l.PushBytes = PushBytesMax
	}
	if l.FetchBytes == 0 {
		l.FetchBytes = FetchBytesMax
	}
	if l.GitAtOnce == 0 {
		l.GitAtOnce = GitAtOnceMax
	}
	if l.GitEach == 0 {
		l.GitEach = GitEachMax
	}
	if l.Pace == 0 {
		l.Pace = PaceMin
	}
	if l.Stall == 0 {
		l.Stall = StallMax
	}
	return l
}

// A Config is the settings of a server. Node, Backend and Web are required.
type Config struct {
	Node    *node.Node       // closed together with the server
	Backend gitstore.Backend // the node's
	Web     web.Config
	Answer  func(web.Request, web.Route) web.Route      // changes routes on their way out; nil changes nothing
	Body    func(gitproto.Service, io.Reader) io.Reader // changes bodies of git requests on their way in; nil changes nothing
	Front   func(http.Handler) http.Handler             // stands before the server on its listeners; nil is nothing
	Limits  Limits
	Proxies []netip.Prefix // whose word counts for where a client comes from; nil means Loopback
	Logger  *slog.Logger   // nil means no logs
}

// A Server serves one node over HTTP. It is an http.Handler, and it serves listeners itself.
type Server struct {
	node    *node.Node
	backend gitstore.Backend
	web     web.Config
	answer  func(web.Request, web.Route) web.Route
	body    func(gitproto.Service, io.Reader) io.Reader
	limits  Limits
	proxies []netip.Prefix
	log     *slog.Logger
	clock   clock.Clock // of deadlines on sockets, which know the time of day only
	git     share

	contributors *contributors
	metrics      http.Handler
	http         *http.Server
	fresh        fresh
	cancel       context.CancelFunc // ends every request
	watch        sync.WaitGroup     // the watch over the node
	closing      chan struct{}      // ends it
	once         sync.Once
	err          error

	mu       sync.Mutex     // guards ended, and requests against being added to when it is waited for
	ended    bool           // no request is begun any more
	requests sync.WaitGroup // requests that run, WebSocket conversations among them
}

// New returns a server for a running node. The caller must Close it.
func New(cfg Config) *Server {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Answer == nil {
		cfg.Answer = func(_ web.Request, r web.Route) web.Route { return r }
	}
	if cfg.Body == nil {
		cfg.Body = func(_ gitproto.Service, r io.Reader) io.Reader { return r }
	}
	if cfg.Front == nil {
		cfg.Front = func(h http.Handler) http.Handler { return h }
	}
	if cfg.Proxies == nil {
		cfg.Proxies = Loopback
	}
	base, cancel := context.WithCancel(context.Background())
	s := &Server{
		node: cfg.Node, backend: cfg.Backend, web: cfg.Web, answer: cfg.Answer, body: cfg.Body,
		limits: cfg.Limits.withDefaults(), proxies: cfg.Proxies, log: cfg.Logger, clock: clock.New(),
		cancel: cancel, closing: make(chan struct{}),
	}
	s.git.all, s.git.each = s.limits.GitAtOnce, max(s.limits.GitEach, 0)
	s.contributors = newContributors(s.limits.Contributions, s.clock)
	s.fresh.conns = make(map[net.Conn]struct{})
	s.metrics = newMetrics(s.node.Counts, s.node.Relays, s.log)
	s.http = &http.Server{
		Handler:           cfg.Front(s),
		ReadHeaderTimeout: headerWait,
		ReadTimeout:       s.limits.Stall, // git and WebSocket conversations set their own
		WriteTimeout:      s.limits.Stall,
		IdleTimeout:       idleWait,
		MaxHeaderBytes:    headerBytesMax,
		ErrorLog:          slog.NewLogLogger(cfg.Logger.Handler(), slog.LevelDebug),
		BaseContext:       func(net.Listener) context.Context { return base },
		ConnState:         s.fresh.changed,

		DisableGeneralOptionsHandler: true, // a preflight of "*" is answered as any other
	}
	s.watch.Go(func() {
		select {
		case <-s.node.Aborted():
			cancel()
		case <-s.closing:
		}
	})
	return s
}

// Serve answers the connections of a listener until Close. It returns nil then.
func (s *Server) Serve(l net.Listener) error {
	err := s.http.Serve(corsListener{Listener: l, head: corsHead(s.web.CORS())})
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}

// Close ends the server and its node in order: no new connection is taken, WebSocket clients are told, requests that
// run may finish until ctx is done and are canceled then. When it returns, nothing of the server runs any more. The
// error is the node's. Calling it again returns the same.
func (s *Server) Close(ctx context.Context) error {
	s.once.Do(func() { s.err = s.close(ctx) })
	return s.err
}

func (s *Server) close(ctx context.Context) error {
	var shutdown sync.WaitGroup
	s.fresh.close()
	shutdown.Go(func() {
		if err := s.http.Shutdown(ctx); err != nil {
			s.cancel()
			_ = s.http.Close() // closing sockets that nobody waits for
		}
	})
	err := s.node.Close(ctx)
	shutdown.Wait()
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	gone := make(chan struct{})
	s.watch.Go(func() {
		s.requests.Wait()
		close(gone)
	})
	select {
	case <-gone:
	case <-ctx.Done():
	}
	s.cancel()
	close(s.closing)
	s.watch.Wait()
	return err
}

// enter counts a request that begins, and reports whether it may.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.requests.Add(1)
	return true
}
