package node_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// A machine is a core that does what a test says. The node calls it from one goroutine; hooks run there.
type machine struct {
	step     func(now instant.Instant, in core.Input, out *core.Effects)
	deadline instant.Instant // 0 for none
	busy     int             // orders without an answer
	instants []instant.Instant
	tokens   []instant.Instant // when one was asked about
}

func (m *machine) Step(now instant.Instant, in core.Input, out *core.Effects) {
	m.instants = append(m.instants, now)
	switch in.(type) {
	case core.ObjectFacts, core.RepositoryDone:
		m.busy--
	}
	before := len(out.List)
	if m.step != nil {
		m.step(now, in, out)
	}
	for _, e := range out.List[before:] {
		switch e.(type) {
		case core.AskObjects, core.CreateRepository, core.RemoveRepository, core.ReadRefs, core.UpdateRefs, core.CopyObjects, core.TidyRepository:
			m.busy++
		}
	}
}

func (m *machine) Deadline() (instant.Instant, bool) { return m.deadline, m.deadline != 0 }
func (m *machine) Idle() bool                        { return m.busy == 0 }
func (m *machine) Settled(repo.ID) bool              { return m.busy == 0 }

func (m *machine) Admits(now instant.Instant, _ web.Token) policy.Ruling {
	m.tokens = append(m.tokens, now)
	return policy.Ruling{}
}

func (m *machine) Repository(id repo.ID) web.Repository { return web.Repository{Name: id.Identifier} }

func (m *machine) Relays(instant.Instant) (core.RelaysReport, bool) {
	return core.RelaysReport{}, false
}

// A backend is a store that does what a test says.
type backend struct {
	gitstore.Backend
	repositories func() ([]repo.ID, error)
	refs         func(repo.ID) (gitstore.Refs, error)
	create       func(repo.ID) error
	update       func(repo.ID, []gitproto.Command, string) error
	missing      func(repo.ID, []repo.OID) ([]repo.OID, error)
}

func (b *backend) Repositories() ([]repo.ID, error) {
	if b.repositories == nil {
		return nil, nil
	}
	return b.repositories()
}

func (b *backend) Refs(id repo.ID) (gitstore.Refs, error) {
	if b.refs == nil {
		return gitstore.Refs{}, gitstore.ErrNoRepository
	}
	return b.refs(id)
}
func (b *backend) Create(id repo.ID) error { return b.create(id) }
func (b *backend) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	return b.missing(id, oids)
}

func (b *backend) Update(id repo.ID, commands []gitproto.Command, head string) error {
	return b.update(id, commands, head)
}

// A journal writes down what is asked of it, and fails on demand.
type journal struct {
	node.MemoryJournal
	mu     sync.Mutex
	writes [][]core.Record
	fail   error
	room   error
	closed int
	before func() // called before each write
}

func newJournal() *journal { return &journal{MemoryJournal: *node.NewMemoryJournal()} }

func (j *journal) Write(records []core.Record) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.before != nil {
		j.before()
	}
	if j.fail != nil {
		return j.fail
	}
	j.writes = append(j.writes, slices.Clone(records))
	return j.MemoryJournal.Write(records)
}

func (j *journal) Room() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.room
}

func (j *journal) Close() error {
	j.closed++
	return nil
}

// begin starts a node over a machine and ends it with the test.
func begin(t *testing.T, cfg node.Config) *node.Node {
	t.Helper()
	if cfg.Backend == nil {
		cfg.Backend = &backend{}
	}
	if cfg.Journal == nil {
		cfg.Journal = node.NewMemoryJournal()
	}
	if cfg.Clock == nil {
		cfg.Clock = clock.NewMock()
	}
	n, err := node.New(cfg)
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	t.Cleanup(func() { _ = n.Close(canceled()) })
	return n
}

// canceled is a context that waits for nothing.
func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func connect(t *testing.T, n *node.Node) *node.Conn {
	t.Helper()
	c, err := n.Connect(t.Context())
	if err != nil {
		t.Fatalf("Connect: %v", err)
	}
	return c
}

func receive(t *testing.T, c *node.Conn, frame string) {
	t.Helper()
	if err := c.Receive(t.Context(), []byte(frame)); err != nil {
		t.Fatalf("Receive: %v", err)
	}
}

func next(t *testing.T, c *node.Conn) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	frame, err := c.Next(ctx)
	if err != nil {
		t.Fatalf("Next: %v", err)
	}
	return string(frame)
}

func synced(t *testing.T, n *node.Node) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := n.Sync(ctx); err != nil {
		t.Fatalf("Sync: %v", err)
	}
}

// end reads a connection to its end and returns why it ended.
func end(t *testing.T, c *node.Conn) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		if _, err := c.Next(ctx); err != nil {
			return err
		}
	}
}

var errDisk = errors.New("disk on fire")

func demo() repo.ID {
	return repo.ID{Owner: "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d", Identifier: "demo"}
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) }
