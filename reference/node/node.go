// Package node runs a core: it owns the goroutine that steps it, its clock, its journal and the workers that carry out
// its orders. It decides nothing about events or pushes, and it opens no socket: who does hands it frames and pushes.
package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/relay"
)

// Errors of a node.
var (
	// ErrStopped is returned for anything asked of a node that has stopped or is stopping.
	ErrStopped = errors.New("node: stopped")
	// ErrTooManyConnections is returned by Connect when as many clients are connected as the node takes.
	ErrTooManyConnections = errors.New("node: too many connections")
	// ErrCrowdedAddress is returned by ConnectFrom when as many clients are connected from the address as may be.
	ErrCrowdedAddress = errors.New("node: too many connections from one address")
)

// Limits of a node.
const (
	// ConnectionsMax is how many clients may be connected at a time, if the configuration does not say.
	ConnectionsMax = 4096
	// AddressConnectionsMax is how many of them one address may have by default: many share one behind a router.
	AddressConnectionsMax = 256
	// QueuedMax is how many messages may wait for one client: the longest answer to a REQ and some live events. A
	// client that is slower than that is disconnected.
	QueuedMax = relay.FiltersMax*eventstore.LimitMax + queuedFair
	// QueuedTotalMax is how many messages may wait for all clients together; above it, a client for which more than
	// queuedFair wait is disconnected.
	QueuedTotalMax = 1 << 20

	queuedFair   = 1024 // messages that may wait for any client, however many wait in total; with more, it asks in vain
	inboxMax     = 1024 // inputs that wait for the node; who has more to say waits
	turnMax      = 256  // inputs of one turn, which share one write of the journal
	workersMax   = 8    // orders and questions about objects that are carried out at the same time
	searchersMax = 2    // questions about events that are looked for at the same time
	verifiedMax  = 8192 // signatures remembered as good, in each of two generations
)

// A Config is the settings of a node. Machine or Core, Backend and Journal are required.
type Config struct {
	Core    core.Config      // settings of the core that the node makes, and by which a start is told of
	Machine core.Machine     // what to run instead of a core made from Core; nil means that core
	Backend gitstore.Backend // the repositories; the node is the only one that creates, removes or updates them
	Journal Journal          // closed by the node when it ends, also when New fails
	Clock   clock.Clock      // nil means the time of day
	// How much time has passed, whatever becomes of the time of day; nil means what Clock knows of it.
	Elapsed        func() time.Duration
	Logger         *slog.Logger // nil means no logs
	Fetcher        Fetcher      // nil means that no host can be reached
	Peers          Peers        // nil means that no relay can be reached
	ConnectionsMax int          // zero means ConnectionsMax
	Shares         Shares       // of each client and each address
}

// A Node is a running server without its sockets. Its methods may be called from any goroutine.
type Node struct {
	machine core.Machine
	backend gitstore.Backend
	fetcher Fetcher
	peers   Peers
	fetched fetched
	journal Journal
	clock   clock.Clock
	time    timekeeper // belongs to the goroutine of the core
	log     *slog.Logger

	inbox chan item
	work  chan order
	find  chan core.SearchEvents
	wake  chan struct{} // a timer fired, or a fetch has ended

	stopping  chan struct{} // closed when an orderly end begins
	kill      chan struct{} // closed when the end cannot wait any longer
	done      chan struct{} // closed when the goroutine of the core has ended
	stopOnce  sync.Once
	killOnce  sync.Once
	closeOnce sync.Once
	closeErr  error
	err       error // why the node ended by itself; read after done

	tidies    tidies
	aborted   chan struct{} // closed when pushes that still run must end
	abortOnce sync.Once
	workers   sync.WaitGroup

	conns     connections
	addresses addresses
	refused   refusals
	verified  verified
	counts    counts
	ids       struct{ conn, push atomic.Uint64 }
	loop      loop // belongs to the goroutine of the core
}

// New starts a node: it loads the journal, looks at the repositories that are there, and returns when the core has
// settled and clients may come. It fails if the journal or the list of repositories cannot be read.
func New(cfg Config) (*Node, error) {
	n := newNode(cfg)
	started, err := n.survivors()
	if err != nil {
		return nil, errors.Join(err, n.journal.Close())
	}
	n.tellOfChanges(cfg.Core, started)
	for range workersMax {
		n.workers.Go(n.carryOut)
	}
	for range searchersMax {
		n.workers.Go(n.search)
	}
	ready := make(chan struct{})
	n.loop.quiet = append(n.loop.quiet, waiting{quiet: ready})
	go n.run(started)
	select {
	case <-ready:
		return n, nil
	case <-n.done:
		return nil, errors.Join(fmt.Errorf("start: %w", n.Err()), n.Close(context.Background()))
	}
}

func newNode(cfg Config) *Node {
	if cfg.Machine == nil {
		cfg.Machine = core.New(cfg.Core)
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.New()
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.ConnectionsMax == 0 {
		cfg.ConnectionsMax = ConnectionsMax
	}
	n := &Node{
		machine: cfg.Machine, backend: cfg.Backend, fetcher: cfg.Fetcher, peers: cfg.Peers, journal: cfg.Journal, clock: cfg.Clock, log: cfg.Logger,
		time:     timekeeper{clock: cfg.Clock, elapsed: cfg.Elapsed},
		inbox:    make(chan item, inboxMax),
		work:     make(chan order),
		find:     make(chan core.SearchEvents),
		wake:     make(chan struct{}, 1),
		stopping: make(chan struct{}),
		kill:     make(chan struct{}),
		done:     make(chan struct{}),
		aborted:  make(chan struct{}),
	}
	n.conns.open = make(map[core.ConnID]*Conn)
	n.conns.max = cfg.ConnectionsMax
	n.addresses.shares, n.addresses.known = cfg.Shares, make(map[string]*address)
	n.addresses.time = timekeeper{clock: cfg.Clock, elapsed: cfg.Elapsed}
	n.counts.by = make(map[string]uint64)
	n.loop.pushes = make(map[core.PushID]*push)
	return n
}

// Done is closed when the node has ended, by Close or because it could not go on; Err then says why.
func (n *Node) Done() <-chan struct{} { return n.done }

// Aborted is closed when whoever runs a push must cancel it: the node has ended or cannot wait any longer.
func (n *Node) Aborted() <-chan struct{} { return n.aborted }

func (n *Node) abort() { n.abortOnce.Do(func() { close(n.aborted) }) }

// Err returns why the node ended by itself, nil if it runs or was closed.
func (n *Node) Err() error {
	select {
	case <-n.done:
		return n.err
	default:
		return nil
	}
}

// Close ends the node in order: connections are closed, no push is admitted any more, those that run may finish until
// ctx is done and are canceled then. It returns when everything has ended and the journal is closed, with the error
// that ended the node before, if there was one. Calling it again returns the same.
func (n *Node) Close(ctx context.Context) error {
	n.closeOnce.Do(func() { n.closeErr = n.close(ctx) })
	return n.closeErr
}

func (n *Node) close(ctx context.Context) error {
	n.stopOnce.Do(func() { close(n.stopping) })
	select {
	case <-n.done:
	case <-ctx.Done():
		n.abort()
		last, cancel := context.WithTimeout(context.Background(), cancelGrace)
		defer cancel()
		select {
		case <-n.done:
		case <-last.Done():
			n.killOnce.Do(func() { close(n.kill) })
			<-n.done
		}
	}
	n.workers.Wait()
	return errors.Join(n.err, n.journal.Close())
}
