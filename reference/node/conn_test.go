package node_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/relay"
)

func textLogger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestConnectionsAreLimited(t *testing.T) {
	n := begin(t, node.Config{Machine: &machine{}, ConnectionsMax: 2})
	first := connect(t, n)
	second := connect(t, n)
	defer second.Close()
	if _, err := n.Connect(t.Context()); !errors.Is(err, node.ErrTooManyConnections) {
		t.Errorf("third Connect: got %v, want ErrTooManyConnections", err)
	}
	first.Close()
	connect(t, n).Close()
}

func TestSlowClientIsCutOff(t *testing.T) {
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		if in, ok := in.(core.Message); ok {
			for range node.QueuedMax + 1 {
				out.List = append(out.List, core.Send{Conn: in.Conn, Msg: relay.Notice{Text: "more"}})
			}
		}
	}
	n := begin(t, node.Config{Machine: m})
	slow, other := connect(t, n), connect(t, n)
	defer other.Close()
	receive(t, slow, `["CLOSE","x"]`)
	synced(t, n)
	if err := end(t, slow); !errors.Is(err, node.ErrSlowClient) {
		t.Errorf("slow client: ended with %v, want ErrSlowClient", err)
	}
	slow.Close()
	receive(t, other, `["CLOSE","x"]`)
	if got := counted(n, "connection_too_slow"); got < 1 {
		t.Errorf("counted %d slow clients, want one", got)
	}
}

// The node is at rest for whoever does not wait for a client that reads nothing.
func TestSyncWithoutWaitingForAReader(t *testing.T) {
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		if in, ok := in.(core.Message); ok {
			out.List = append(out.List, core.Send{Conn: in.Conn, Msg: relay.EOSE{Sub: "x"}})
		}
	}
	n := begin(t, node.Config{Machine: m})
	c, err := n.ConnectFrom(t.Context(), "", "192.0.2.1:99")
	if err != nil {
		t.Fatal(err)
	}
	receive(t, c, `["CLOSE","x"]`)
	if err := n.Sync(t.Context(), "192.0.2.1:98", "192.0.2.1:99"); err != nil {
		t.Errorf("without it: got %v", err)
	}
	for _, others := range [][]string{nil, {"192.0.2.1:98"}} {
		waiting, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond) // however long, it does not come to an end
		if err := n.Sync(waiting, others...); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("waited for all but %q: got %v, want the end of the context", others, err)
		}
		cancel()
	}
	waiting := make(chan error, 1)
	go func() { waiting <- n.Sync(t.Context()) }()
	next(t, c)
	go func() { _, _ = c.Next(t.Context()) }() // says that it is written
	if err := <-waiting; err != nil {
		t.Errorf("once it has read: got %v", err)
	}
	c.Close()
}

// A client that asks for much at once, and reads, is held back and not cut off.
func TestAskingFasterThanReading(t *testing.T) {
	const answer, rounds = node.QueuedMax / 3, 10
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		if in, ok := in.(core.Message); ok {
			for range answer {
				out.List = append(out.List, core.Send{Conn: in.Conn, Msg: relay.EOSE{Sub: "x"}})
			}
		}
	}
	n := begin(t, node.Config{Machine: m})
	c := connect(t, n)
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		for range rounds {
			receive(t, c, `["REQ","x",{}]`)
		}
	}()
	for range answer * rounds {
		next(t, c)
	}
	<-asked
	c.Close()
}

// The answers of a reconciliation are long, so no more than one waits for a client that does not read.
func TestReconcilingFasterThanReading(t *testing.T) {
	const rounds = 20
	var asked atomic.Int32
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		if in, ok := in.(core.Message); ok {
			asked.Add(1)
			out.List = append(out.List, core.Send{Conn: in.Conn, Msg: relay.NegAnswer{Sub: "x", Message: []byte{0x61}}})
		}
	}
	n := begin(t, node.Config{Machine: m})
	c := connect(t, n)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range rounds {
			receive(t, c, `["NEG-MSG","x","61"]`)
		}
	}()
	for i := range int32(rounds) {
		if got := asked.Load(); got > i+1 {
			t.Errorf("before answer %d was read: got %d questions taken", i, got)
		}
		next(t, c)
	}
	<-done
	c.Close()
}

func TestHangUpComesAfterWhatWasSent(t *testing.T) {
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		if in, ok := in.(core.Message); ok {
			out.List = append(out.List,
				core.Send{Conn: in.Conn, Msg: relay.Notice{Text: "bye"}},
				core.CloseConn{Conn: in.Conn},
				core.Send{Conn: in.Conn, Msg: relay.Notice{Text: "too late"}})
		}
	}
	n := begin(t, node.Config{Machine: m})
	c := connect(t, n)
	defer c.Close()
	receive(t, c, `["CLOSE","x"]`)
	if got, want := next(t, c), `["NOTICE","bye"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := end(t, c); !isEOF(err) {
		t.Errorf("ended with %v, want EOF", err)
	}
}

func TestSignaturesAreChecked(t *testing.T) {
	var seen []bool
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, _ *core.Effects) {
		if in, ok := in.(core.Message); ok {
			seen = append(seen, in.SigOK)
		}
	}
	n := begin(t, node.Config{Machine: m})
	c := connect(t, n)
	defer c.Close()
	good := nostr.Event{Kind: 1, CreatedAt: 1, Tags: nostr.Tags{}, Content: "x"}
	if err := good.Sign(fmt.Sprintf("%064x", 7)); err != nil {
		t.Fatal(err)
	}
	forged, renamed := good, good
	forged.Sig = "00" + forged.Sig[2:]
	renamed.Content = "y"
	for _, e := range []nostr.Event{good, forged, good, renamed, forged} {
		receive(t, c, fmt.Sprintf(`["EVENT",%s]`, e.String()))
	}
	synced(t, n)
	if got, want := fmt.Sprint(seen), "[true false true false false]"; got != want {
		t.Errorf("signatures: got %s, want %s", got, want)
	}
}

func TestJunkReachesTheCoreAsMalformed(t *testing.T) {
	m := echo()
	n := begin(t, node.Config{Machine: m})
	c := connect(t, n)
	defer c.Close()
	for _, frame := range []string{"", "{", "[]", "\x00", "\xff\xfe", `["EVENT",{}]`} {
		receive(t, c, frame)
	}
	if err := c.ReceiveBinary(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 7 {
		if got, want := next(t, c), fmt.Sprintf(`["NOTICE","%d"]`, i+1); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func BenchmarkMessageToAnswer(b *testing.B) {
	n, err := node.New(node.Config{Machine: echo(), Backend: &backend{}, Journal: newJournal()})
	if err != nil {
		b.Fatal(err)
	}
	defer n.Close(b.Context())
	c, err := n.Connect(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for b.Loop() {
		if err := c.Receive(b.Context(), []byte(`["CLOSE","x"]`)); err != nil {
			b.Fatal(err)
		}
		if _, err := c.Next(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
