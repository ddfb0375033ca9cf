// Package peer carries out the connections to other relays: it dials, sends what it is given and says what is heard. Each
// connection has limits of time and size, one attempt each, and goes to public addresses only.
//
// It does not decide whom to connect to, what to ask and when to try again: that is the core's. Nor does it check signatures.
package peer

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/relay"
)

// Timeouts bound the parts of a connection. A zero field means its default.
type Timeouts struct {
	Dial  time.Duration // name, TCP, TLS and the WebSocket handshake; default 5 s
	Frame time.Duration // a frame from its first byte to its last, either way; default 30 s
	Quiet time.Duration // after which a relay that says nothing is asked whether it is there; default 30 s
	Ping  time.Duration // it may take to say so; default 20 s
	End   time.Duration // a relay may take to say farewell, too; default 1 s
}

// The pace of what a relay says beside events: far more than answers need.
const (
	othersRate  = 6000 // a minute
	othersBurst = 2000
)

// The pace of its bytes, whatever they are: frames may be large, and what is nothing but large would take all that the line has.
const (
	pieceBytes  = 64 << 10
	piecesRate  = 60 * 64 // a minute: 4 MiB a second
	piecesBurst = 1024    // 64 MiB
)

// Limits bound what connections take. A zero field means its default.
type Limits struct {
	Open   int // connections and attempts at one time; default 300
	Queue  int // messages that wait to be sent on one connection; default 1024
	Frame  int // bytes of a frame that is received; default relay.ServerBytesMax
	Small  int // bytes of a frame that may be received at any time; default 64 KiB
	Larger int // frames beyond that at one time; default 8
	// Events is how fast events of one relay are taken; nothing more is read from it meanwhile. Default: what a client may send.
	Events relay.Pace
	// Others is how fast everything else is taken that it says, likewise. Default: 100 a second after a burst of 2,000.
	Others relay.Pace
	// Pieces is how fast the bytes of one relay are taken, in 64 KiB, likewise. Default: 4 MiB a second after a burst of 64 MiB.
	Pieces relay.Pace
	All    All
}

// Options are the settings of Peers. A zero field means its default.
type Options struct {
	Clock    clock.Clock // of the timeouts; default: the system's
	Timeouts Timeouts
	Limits   Limits
	// AllowLocal lets connections go to any address: loopback, private networks, metadata services. It is for tests and for
	// operators who know their network.
	AllowLocal bool
	TLS        *tls.Config   // default: the roots of the system
	Resolver   *net.Resolver // finds the addresses of names; default: that of the system
	Logger     *slog.Logger  // default: no logs
	// Sign makes the event by which the server authenticates to a relay, of the relay's URL and its challenge; see
	// servicekey.Key. Without it nobody is answered.
	Sign func(url, challenge string, now time.Time) (*nostr.Event, error)
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = clock.New()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	t := &o.Timeouts
	t.Dial = orDefault(t.Dial, 5*time.Second)
	t.Frame = orDefault(t.Frame, 30*time.Second)
	t.Quiet = orDefault(t.Quiet, 30*time.Second)
	t.Ping = orDefault(t.Ping, 20*time.Second)
	t.End = orDefault(t.End, time.Second)
	l := &o.Limits
	l.Open = orDefault(l.Open, 300)
	l.Queue = orDefault(l.Queue, 1024)
	l.Frame = orDefault(l.Frame, relay.ServerBytesMax)
	l.Small = orDefault(l.Small, 64<<10)
	l.Larger = orDefault(l.Larger, 8)
	if l.Others == (relay.Pace{}) {
		l.Others = relay.PerMinute(othersRate, othersBurst)
	}
	if l.Pieces == (relay.Pace{}) {
		l.Pieces = relay.PerMinute(piecesRate, piecesBurst)
	}
	l.All = l.All.withDefaults()
	if l.Events == (relay.Pace{}) {
		l.Events = relay.PerMinute(relay.EventRate, relay.EventBurst)
	}
	return o
}

func orDefault[T int | time.Duration](value, def T) T {
	if value == 0 {
		return def
	}
	return value
}

// A Hear takes what becomes of one attempt: core.PeerOpened if it succeeds, then core.PeerSaid as often as something is heard,
// whose Good says that the id of an event is the hash of its fields, and at last core.PeerClosed in any case. The calls come
// from goroutines of Peers, one after the other. Each may block, and while it does nothing more is read from the relay; an
// error ends the connection.
type Hear = func(ctx context.Context, in core.Input) error

// Peers carries out connections. It is safe for use by many goroutines. Its methods but Close return at once.
type Peers struct {
	options   Options
	transport *http.Transport
	larger    chan struct{} // has one element for each larger frame that is being received, or waits to be heard
	begun     time.Time

	events, others, pieces turns // of all relays

	group sync.WaitGroup

	mu      sync.Mutex // guards what follows
	open    map[core.PeerID]*conn
	alive   map[*conn]struct{} // those too of which the end is being told
	closed  bool
	changed chan struct{} // closed when something is asked for or was heard; see Changed
}

// New returns Peers. They must be closed.
func New(options Options) *Peers {
	options = options.withDefaults()
	all := options.Limits.All
	return &Peers{
		begun: options.Clock.Now(), events: turns{pace: all.Events}, others: turns{pace: all.Others}, pieces: turns{pace: all.Pieces},
		options: options, transport: newTransport(options), open: map[core.PeerID]*conn{},
		alive: map[*conn]struct{}{}, changed: make(chan struct{}), larger: make(chan struct{}, options.Limits.Larger),
	}
}

// Errors of an attempt that is not made.
var (
	errClosed  = errors.New("the server is stopping")
	errTwice   = errors.New("a connection of this number is open")
	errTooMany = errors.New("too many connections to relays are open")
)

// Dial makes a connection.
func (p *Peers) Dial(e core.DialPeer, hear Hear) {
	ctx, cancel := context.WithCancelCause(context.Background())
	c := &conn{peers: p, id: e.Peer, url: e.URL, hear: hear, ctx: ctx, cancel: cancel, ready: make(chan struct{}, 1)}
	p.mu.Lock()
	defer p.mu.Unlock()
	var refused error
	switch {
	case p.closed:
		refused = errClosed
	case p.open[e.Peer] != nil:
		refused = errTwice
	case len(p.open) >= p.options.Limits.Open:
		refused = errTooMany
	default:
		p.open[e.Peer] = c
	}
	p.alive[c] = struct{}{}
	p.tell()
	p.group.Add(1)
	go func() {
		defer p.group.Done()
		defer p.over(c)
		defer cancel(nil)
		if refused != nil {
			c.tell(core.PeerUnreachable, refused)
			return
		}
		err := c.run()
		p.mu.Lock()
		delete(p.open, e.Peer)
		p.mu.Unlock()
		c.tell(c.failure(err))
	}()
}

// over forgets an attempt of which the end was told.
func (p *Peers) over(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.alive, c)
	p.tell()
}

// Send sends a message on a connection. One that is not open, or not yet, is no error. A relay that takes so little that too
// much waits for it is disconnected.
func (p *Peers) Send(e core.SendPeer) {
	if c := p.get(e.Peer); c != nil {
		c.push(e.Msg)
		p.notify()
	}
}

// HangUp ends a connection or an attempt; one that is not open is no error.
func (p *Peers) HangUp(e core.HangUp) {
	if c := p.get(e.Peer); c != nil {
		c.hangUp()
		p.notify()
	}
}

// Answer authenticates on a connection; one that is not open is no error.
func (p *Peers) Answer(e core.AnswerPeer) {
	c := p.get(e.Peer)
	if c == nil || p.options.Sign == nil {
		return
	}
	ev, err := p.options.Sign(e.URL, e.Challenge, p.options.Clock.Now())
	if err != nil {
		p.options.Logger.LogAttrs(context.Background(), slog.LevelError, "no authentication", slog.String("url", c.url), slog.Any("error", err))
		c.hangUp()
		return
	}
	c.push(relay.Auth{Event: ev})
	p.notify()
}

func (p *Peers) get(id core.PeerID) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[id]
}

// Open is how many connections and attempts there are.
func (p *Peers) Open() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open)
}

// Close ends all connections and returns when each has been told to be closed. Again is harmless.
func (p *Peers) Close() {
	p.mu.Lock()
	p.closed = true
	for _, c := range p.open {
		c.hangUp()
	}
	p.mu.Unlock()
	p.group.Wait()
	p.transport.CloseIdleConnections()
}

// A connKey is the key under which the context of a handshake has its connection.
type connKey struct{}

// newTransport returns a transport for handshakes: it uses no proxy, keeps no connection and has no time limit of its own.
func newTransport(options Options) *http.Transport {
	const headerMax = 16 << 10 // bytes of the header of the handshake
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	transport := &http.Transport{
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: headerMax, Protocols: &protocols,
	}
	dialer := fetch.NewDialer(options.AllowLocal, options.Resolver)
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		socket, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		counted := fetch.NewWire(socket)
		if c, is := ctx.Value(connKey{}).(*conn); is {
			c.wire.Store(counted)
		}
		return counted, nil
	}
	if options.TLS != nil {
		transport.TLSClientConfig = options.TLS.Clone()
	}
	return transport
}
