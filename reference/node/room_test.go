package node_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/web"
)

// aFrame is an event of whatever signature: a machine of a test looks at none.
var aFrame = `["EVENT",{"id":"` + strings.Repeat("a", 64) + `","pubkey":"` + strings.Repeat("b", 64) +
	`","created_at":1,"kind":1,"tags":[],"content":"","sig":"` + strings.Repeat("c", 128) + `"}]`

// A recording machine takes every event and push, and notes what it hears.
func recording(heard *[]string) *machine {
	m := &machine{}
	m.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		switch in := in.(type) {
		case core.Message:
			switch msg := in.Msg.(type) {
			case relay.Event:
				*heard = append(*heard, "event")
				ev := event(1, msg.Event.ID)
				out.List = append(out.List, store(ev), core.Send{Conn: in.Conn, Msg: relay.OK{ID: msg.Event.ID, Accepted: true}})
			case relay.Req:
				out.List = append(out.List, core.Send{Conn: in.Conn, Msg: relay.EOSE{Sub: msg.Sub}})
			}
		case core.PushAsked:
			out.List = append(out.List, core.PushExpected{Push: in.Push})
		case core.PushOffered:
			out.List = append(out.List, core.PushAdmitted{Push: in.Push})
		case core.PushDone:
			*heard = append(*heard, "push done")
			out.List = append(out.List, store(event(2, "push")))
		case core.TimerFired:
			*heard = append(*heard, "timer")
			m.deadline = 0
			out.List = append(out.List, store(event(3, "timer")))
		}
	}
	return m
}

// While there is no room, what would have to be recorded is refused or waits, time stands still, and reads go on. When there
// is room again all goes on by itself.
func TestNoRoom(t *testing.T) {
	var heard []string
	m, j, mock := recording(&heard), newJournal(), clock.NewMock()
	n := begin(t, node.Config{Machine: m, Journal: j, Clock: mock})
	c := connect(t, n)
	before := n.Gate(t.Context())
	commands := []gitproto.Command{{Old: "0", New: "1", Ref: "refs/heads/main"}}
	if a, err := before.Offer(demo(), commands, gitproto.Shape{}); err != nil || !a.Admitted {
		t.Fatalf("push while there is room: got %v, %v", a, err)
	}
	if a, err := before.Ready(); err != nil || !a.Admitted {
		t.Fatalf("push while there is room: got %v, %v", a, err)
	}
	synced(t, n) // nobody looks at the machine now
	m.deadline = instant.Instant(mock.Now().Add(time.Second).UnixNano())

	j.mu.Lock()
	j.room = fmt.Errorf("%w: the disk is full", node.ErrNoRoom)
	j.mu.Unlock()
	receive(t, c, aFrame)
	if got := next(t, c); !strings.Contains(got, `false,"error: the server cannot write to its disk`) {
		t.Errorf("event without room: got %s, want OK false with the reason", got)
	}
	receive(t, c, `["REQ","s",{}]`)
	if got := next(t, c); got != `["EOSE","s"]` {
		t.Errorf("query without room: got %s, want an answer", got)
	}
	if a, err := n.Gate(t.Context()).Offer(demo(), commands, gitproto.Shape{}); err != nil || a.Admitted || !strings.Contains(a.Reason, "cannot write") {
		t.Errorf("push without room: got %v, %v, want it refused with the reason", a, err)
	}
	done := make(chan error, 1)
	go func() {
		defer close(done)
		done <- before.Done(gitstore.Report{Unpack: gitstore.UnpackOK})
	}()
	mock.Add(3 * time.Second)
	// Tokens run out although time stands still for everything else.
	if r, err := n.Admits(t.Context(), web.Token{}); err != nil || r.Accepted() || m.tokens[0] != instant.Instant(mock.Now().UnixNano()) {
		t.Errorf("token without room: judged at %v (%v), want the time of day", m.tokens, err)
	}
	receive(t, c, `["REQ","s",{}]`)
	_ = next(t, c)
	select {
	case err := <-done:
		t.Errorf("the push has ended without room: %v", err)
	default:
	}
	if at := instant.Instant(mock.Now().UnixNano()); m.instants[len(m.instants)-1] >= at {
		t.Errorf("without room: time went on to %v", at)
	}
	if len(heard) > 0 {
		t.Errorf("without room: the core heard of %v, want nothing", heard)
	}

	j.mu.Lock()
	j.room = nil
	j.mu.Unlock()
	mock.Add(time.Second)
	if err := <-done; err != nil {
		t.Errorf("the push that was under way: %v", err)
	}
	receive(t, c, aFrame)
	if got := next(t, c); !strings.Contains(got, "true") {
		t.Errorf("event with room again: got %s, want OK true", got)
	}
	if _, _, err := n.Deadline(t.Context()); err != nil { // it waits for all that came before
		t.Fatal(err)
	}
	if got := strings.Join(heard, ", "); got != "timer, push done, event" && got != "push done, timer, event" {
		t.Errorf("with room again: the core heard of %s", got)
	}
}

// A turn that the core has taken already waits for room, its clients with it, and the node ends if there is none for long.
func TestATurnWaitsForRoom(t *testing.T) {
	for _, again := range []bool{true, false} {
		t.Run(fmt.Sprint("room again ", again), func(t *testing.T) {
			var heard []string
			j, mock := newJournal(), clock.NewMock()
			n := begin(t, node.Config{Machine: recording(&heard), Journal: j, Clock: mock})
			c := connect(t, n)
			tried := make(chan struct{}, 100)
			j.mu.Lock()
			j.fail = fmt.Errorf("write: %w", node.ErrNoRoom)
			j.before = func() { tried <- struct{}{} }
			j.mu.Unlock()
			receive(t, c, aFrame)
			<-tried
			if again {
				j.mu.Lock()
				j.fail = nil
				j.mu.Unlock()
			}
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				if again {
					if got := next(t, c); !strings.Contains(got, "true") {
						t.Errorf("with room again: got %s, want OK true", got)
					}
					return
				}
				<-n.Done()
			}()
			for over := false; !over; {
				select {
				case <-ended:
					over = true
				default:
					mock.Add(time.Second)
				}
			}
			if err := n.Err(); again && err != nil || !again && !errors.Is(err, node.ErrNoRoom) {
				t.Errorf("the node: got %v", err)
			}
		})
	}
}
