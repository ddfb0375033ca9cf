package node_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// echo answers every message with a notice and records one event for each.
func echo() *machine {
	count := 0
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		if in, ok := in.(core.Message); ok {
			count++
			out.List = append(out.List,
				store(event(int64(count), "")),
				core.Send{Conn: in.Conn, Msg: relay.Notice{Text: fmt.Sprint(count)}})
		}
	}
	return m
}

func TestAnswersFollowDurability(t *testing.T) {
	j := newJournal()
	n := begin(t, node.Config{Machine: echo(), Journal: j})
	c := connect(t, n)
	defer c.Close()
	release := make(chan struct{})
	j.before = func() { <-release }
	receive(t, c, `["CLOSE","x"]`)
	if _, err := c.Next(canceled()); !errors.Is(err, context.Canceled) {
		t.Errorf("answer before the write: got %v, want none", err)
	}
	close(release)
	if got, want := next(t, c), `["NOTICE","1"]`; got != want {
		t.Errorf("answer after the write: got %s, want %s", got, want)
	}
}

func TestInputsThatWaitShareOneTransaction(t *testing.T) {
	j := newJournal()
	n := begin(t, node.Config{Machine: echo(), Journal: j})
	c := connect(t, n)
	defer c.Close()
	release := make(chan struct{})
	j.before = func() { <-release }
	const messages = 100
	for range messages {
		receive(t, c, `["CLOSE","x"]`)
	}
	close(release)
	for i := range messages {
		if got, want := next(t, c), fmt.Sprintf(`["NOTICE","%d"]`, i+1); got != want {
			t.Fatalf("answer: got %s, want %s", got, want)
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.writes) > 3 {
		t.Errorf("got %d transactions, want at most 3", len(j.writes))
	}
}

func TestJournalFailureEndsTheNode(t *testing.T) {
	j := newJournal()
	n := begin(t, node.Config{Machine: echo(), Journal: j})
	c := connect(t, n)
	j.mu.Lock()
	j.fail = errDisk
	j.mu.Unlock()
	receive(t, c, `["CLOSE","x"]`)
	<-n.Done()
	if err := end(t, c); !isEOF(err) {
		t.Errorf("connection ended with %v, want EOF and no answer", err)
	}
	c.Close()
	if !errors.Is(n.Err(), errDisk) {
		t.Errorf("Err: got %v, want %v", n.Err(), errDisk)
	}
	if _, err := n.Connect(t.Context()); !errors.Is(err, node.ErrStopped) {
		t.Errorf("Connect: got %v, want ErrStopped", err)
	}
	if err := n.Sync(t.Context()); !errors.Is(err, node.ErrStopped) {
		t.Errorf("Sync: got %v, want ErrStopped", err)
	}
	if err := n.Close(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("Close: got %v, want %v", err, errDisk)
	}
	if j.closed != 1 {
		t.Errorf("journal closed %d times, want once", j.closed)
	}
}

func TestTimerFiresAtTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mock := clock.NewMock()
		m := &machine{}
		var fired []instant.Instant
		m.step = func(now instant.Instant, in core.Input, _ *core.Effects) {
			if _, ok := in.(core.TimerFired); ok {
				fired = append(fired, now)
				m.deadline = m.deadline.Add(7 * time.Second)
				if len(fired) == 3 {
					m.deadline = 0
				}
			}
		}
		m.deadline = instant.FromUnix(10)
		n, err := node.New(node.Config{Machine: m, Backend: &backend{}, Journal: node.NewMemoryJournal(), Clock: mock})
		if err != nil {
			t.Fatal(err)
		}
		mock.Add(10*time.Second - 1)
		synctest.Wait()
		if len(fired) != 0 {
			t.Errorf("fired %v a nanosecond before the deadline", fired)
		}
		mock.Add(time.Minute)
		synctest.Wait()
		if err := n.Close(canceled()); err != nil {
			t.Error(err)
		}
		// Late, because the clock went on before the node could wake up; in order, and once each.
		if len(fired) != 3 || fired[0] < instant.FromUnix(10) {
			t.Errorf("fired %v, want three times from the tenth second on", fired)
		}
	})
}

func TestDeadlineIsComparedOnEveryInput(t *testing.T) {
	m := &machine{}
	var log []string
	m.step = func(_ instant.Instant, in core.Input, _ *core.Effects) {
		log = append(log, fmt.Sprintf("%T", in))
		if _, ok := in.(core.TimerFired); ok {
			m.deadline = 0
		}
	}
	m.deadline = instant.FromUnix(5)
	frozen := clock.NewMock()
	n := begin(t, node.Config{Machine: m, Clock: skipped{frozen}})
	frozen.Set(time.Unix(6, 0)) // and no timer has told the node
	c := connect(t, n)
	defer c.Close()
	synced(t, n)
	want := []string{"core.Started", "core.TimerFired", "core.ConnOpened"}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
}

// skipped is a clock whose timers never fire.
type skipped struct{ clock.Clock }

func (skipped) AfterFunc(time.Duration, func()) *clock.Timer {
	return clock.NewMock().AfterFunc(time.Hour, func() {})
}

// A core that cannot act on its deadline yet must not keep the node busy, and hears of it again after other input.
func TestDeadlineThatDoesNotMove(t *testing.T) {
	m := &machine{deadline: 1}
	fired := 0
	m.step = func(_ instant.Instant, in core.Input, _ *core.Effects) {
		if _, ok := in.(core.TimerFired); ok {
			fired++
		}
	}
	mock := clock.NewMock()
	mock.Set(time.Unix(100, 0))
	n := begin(t, node.Config{Machine: m, Clock: mock})
	synced(t, n)
	c := connect(t, n)
	defer c.Close()
	for range 10 {
		synced(t, n)
	}
	if fired < 2 || fired > 6 {
		t.Errorf("told %d times, want a few", fired)
	}
}

func TestInstantsNeverGoBack(t *testing.T) {
	m := &machine{}
	mock := clock.NewMock()
	mock.Set(time.Unix(1000, 0))
	n := begin(t, node.Config{Machine: m, Clock: mock})
	for _, second := range []int64{1001, 990, 1002} {
		mock.Set(time.Unix(second, 0))
		c := connect(t, n)
		synced(t, n)
		c.Close()
		synced(t, n)
	}
	for i := 1; i < len(m.instants); i++ {
		if m.instants[i] < m.instants[i-1] {
			t.Fatalf("instants %v go back", m.instants)
		}
	}
	if last := m.instants[len(m.instants)-1]; last != instant.FromUnix(1013) { // it went on by 1 and by 12 seconds
		t.Errorf("last instant: got %v, want that of second 1013", last)
	}
}

func TestSyncWaitsForOrders(t *testing.T) {
	m := &machine{}
	var log []string
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		switch in := in.(type) {
		case core.Message:
			out.List = append(out.List, core.UpdateRefs{Request: 1, Repo: demo(), Head: "refs/heads/main"})
		case core.RepositoryDone:
			log = append(log, fmt.Sprintf("update %t", in.OK))
			if in.Request == 1 {
				out.List = append(out.List, core.AskObjects{Request: 2, Repo: demo(), OIDs: []repo.OID{"aa", "bb"}})
			}
		case core.ObjectFacts:
			log = append(log, fmt.Sprintf("missing %v", in.Missing))
		}
	}
	b := &backend{
		update:  func(repo.ID, []gitproto.Command, string) error { return errDisk },
		missing: func(_ repo.ID, oids []repo.OID) ([]repo.OID, error) { return oids[1:], nil },
	}
	n := begin(t, node.Config{Machine: m, Backend: b})
	c := connect(t, n)
	defer c.Close()
	receive(t, c, `["CLOSE","x"]`)
	synced(t, n)
	if diff := cmp.Diff([]string{"update false", "missing [bb]"}, log); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(uint64(1), counted(n, "order_failed")); diff != "" {
		t.Errorf("order_failed (-want +got):\n%s", diff)
	}
}

func counted(n *node.Node, name string) uint64 {
	for _, c := range n.Counts() {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

func TestStartLooksAtRepositories(t *testing.T) {
	half, broken := demo(), demo()
	half.Identifier, broken.Identifier = "half", "broken"
	var made sync.Map // several repositories are looked at at once
	b := &backend{
		repositories: func() ([]repo.ID, error) { return []repo.ID{broken, demo(), half}, nil },
		refs: func(id repo.ID) (gitstore.Refs, error) {
			if _, ok := made.Load(id); id == half && !ok || id == broken {
				return gitstore.Refs{}, errDisk
			}
			return gitstore.Refs{Head: "refs/heads/" + id.Identifier}, nil
		},
		create: func(id repo.ID) error {
			made.Store(id, true)
			return nil
		},
	}
	var started core.Started
	m := &machine{}
	settled := false
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		switch in := in.(type) {
		case core.Started:
			started = in
			out.List = append(out.List, core.CreateRepository{Request: 1, Repo: demo()})
		case core.RepositoryDone:
			settled = true
		}
	}
	j := node.NewMemoryJournal()
	kept, held := event(1, "kept"), event(2, "held")
	write(t, j, store(kept), hold(held, 3, 4))
	begin(t, node.Config{Machine: m, Backend: b, Journal: j})
	if !settled {
		t.Error("New returned before the core had settled")
	}
	want := []core.RepositoryRefs{
		{ID: broken, Unknown: true},
		{ID: demo(), Refs: gitstore.Refs{Head: "refs/heads/demo"}},
		{ID: half, Refs: gitstore.Refs{Head: "refs/heads/half"}},
	}
	if diff := cmp.Diff(want, started.Repositories); diff != "" {
		t.Errorf("repositories (-want +got):\n%s", diff)
	}
	if len(started.Stored) != 1 || started.Stored[0] != kept || len(started.Held) != 1 || started.Held[0].Event != held {
		t.Errorf("events: got %v and %v, want one each", started.Stored, started.Held)
	}
}

func TestStartFailsWithTheStore(t *testing.T) {
	j := newJournal()
	b := &backend{repositories: func() ([]repo.ID, error) { return nil, errDisk }}
	if _, err := node.New(node.Config{Machine: &machine{}, Backend: b, Journal: j}); !errors.Is(err, errDisk) {
		t.Errorf("New: got %v, want %v", err, errDisk)
	}
	if j.closed != 1 {
		t.Errorf("journal closed %d times, want once", j.closed)
	}
}

func TestViewAnswers(t *testing.T) {
	n := begin(t, node.Config{Machine: &machine{deadline: instant.FromUnix(50)}})
	found, err := n.Repository(t.Context(), demo())
	if err != nil || found.Name != "demo" {
		t.Errorf("Repository: got %+v, %v, want demo", found, err)
	}
	at, ok, err := n.Deadline(t.Context())
	if err != nil || !ok || at != instant.FromUnix(50) {
		t.Errorf("Deadline: got %v, %t, %v, want second 50", at, ok, err)
	}
	if err := n.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := n.Repository(t.Context(), demo()); !errors.Is(err, node.ErrStopped) {
		t.Errorf("Repository of a stopped node: got %v, want ErrStopped", err)
	}
}

func TestNotesAreCountedAndLogged(t *testing.T) {
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		if _, ok := in.(core.ConnOpened); ok {
			out.List = append(out.List, core.Note{
				Fact: core.PushStopped, Repo: demo(), Push: 7, Requirement: "G01-PUSH-04", Reason: "no such branch",
			})
		}
	}
	var log strings.Builder
	n := begin(t, node.Config{Machine: m, Logger: textLogger(&log)})
	connect(t, n).Close()
	synced(t, n)
	if got := counted(n, string(core.PushStopped)); got != 1 {
		t.Errorf("counted %d refused pushes, want 1", got)
	}
	if err := n.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"level=INFO", "fact=push_refused", "identifier=demo", "push=7", "requirement=G01-PUSH-04", `reason="no such branch"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log %q lacks %s", log.String(), want)
		}
	}
}
