package node_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// A doorkeeper is a machine that admits pushes, refuses them before or behind their packs or lets them wait, by the name of the
// first ref.
type doorkeeper struct {
	machine
	waiting core.PushID
	offered chan struct{} // told when a push waits
	open    int
	reports []gitstore.Report
	forgone int
}

func (d *doorkeeper) Idle() bool { return d.machine.Idle() && d.open == 0 }

var unsigned = policy.Ruling{Decision: policy.Refuse, Prefix: "restricted", Reason: "not signed"}

func newDoorkeeper() *doorkeeper {
	d := &doorkeeper{offered: make(chan struct{}, 1)}
	d.step = func(_ instant.Instant, in core.Input, out *core.Effects) {
		switch in := in.(type) {
		case core.PushAsked:
			if in.Commands[0].Ref == "refuse" {
				out.List = append(out.List, core.PushRefused{Push: in.Push, Ruling: unsigned})
				return
			}
			d.open++
			out.List = append(out.List, core.PushExpected{Push: in.Push})
		case core.PushForgone:
			d.open--
			d.forgone++
		case core.PushOffered:
			switch in.Commands[0].Ref {
			case "admit":
				out.List = append(out.List, core.PushAdmitted{Push: in.Push})
			case "late":
				d.open--
				out.List = append(out.List, core.PushRefused{Push: in.Push, Ruling: unsigned})
			default:
				d.waiting = in.Push
				d.offered <- struct{}{}
			}
		case core.Message: // admits who waits
			out.List = append(out.List, core.PushAdmitted{Push: d.waiting})
			out.List = append(out.List, core.Send{Conn: in.Conn, Msg: relay.Notice{Text: "admitted"}})
		case core.PushDone:
			d.open--
			d.reports = append(d.reports, in.Report)
		}
	}
	return d
}

func commands(ref string) []gitproto.Command { return []gitproto.Command{{Ref: ref}} }

func offer(t *testing.T, g *node.Gate, ref string) gitserve.Admission {
	t.Helper()
	a, err := g.Offer(demo(), commands(ref), gitproto.Shape{})
	if err != nil {
		t.Fatalf("Offer: %v", err)
	}
	if !a.Admitted {
		return a
	}
	if a, err = g.Ready(); err != nil {
		t.Fatalf("Ready: %v", err)
	}
	return a
}

func TestGateAsksTheCore(t *testing.T) {
	d := newDoorkeeper()
	n := begin(t, node.Config{Machine: d})

	g := n.Gate(t.Context())
	if diff := cmp.Diff(gitserve.Admission{Reason: "not signed"}, offer(t, g, "refuse")); diff != "" {
		t.Errorf("refused push (-want +got):\n%s", diff)
	}
	g.Close()
	synced(t, n)

	g = n.Gate(t.Context())
	if diff := cmp.Diff(gitserve.Admission{Reason: "not signed"}, offer(t, g, "late")); diff != "" {
		t.Errorf("push that is refused when its pack is here (-want +got):\n%s", diff)
	}
	g.Close()
	synced(t, n)

	g = n.Gate(t.Context())
	if a, err := g.Offer(demo(), commands("admit"), gitproto.Shape{}); err != nil || !a.Admitted {
		t.Errorf("Offer: got %v, %v", a, err)
	}
	g.Close() // its pack never came
	synced(t, n)
	if d.forgone != 1 {
		t.Errorf("got %d pushes forgone, want 1", d.forgone)
	}

	g = n.Gate(t.Context())
	if diff := cmp.Diff(gitserve.Admission{Admitted: true}, offer(t, g, "admit")); diff != "" {
		t.Errorf("admitted push (-want +got):\n%s", diff)
	}
	synced(t, n) // passes while a push runs
	report := gitstore.Report{Unpack: "ok", Results: []gitstore.Result{{Ref: "admit", OK: true}}}
	if err := g.Done(report); err != nil {
		t.Errorf("Done: %v", err)
	}
	g.Close()

	g = n.Gate(t.Context())
	offer(t, g, "admit")
	g.Close() // without Done
	if len(d.reports) != 2 {
		t.Fatalf("got %d reports, want 2", len(d.reports))
	}
	if diff := cmp.Diff(report, d.reports[0]); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if last := d.reports[1]; last.Unpack == "ok" || len(last.Results) != 1 || last.Results[0].OK {
		t.Errorf("report of a push that was cut off: got %+v, want a failure of its ref", last)
	}
}

func TestCloseWaitsForPushes(t *testing.T) {
	d := newDoorkeeper()
	n := begin(t, node.Config{Machine: d})
	c := connect(t, n)
	g := n.Gate(t.Context())
	offer(t, g, "admit")
	closed := make(chan error)
	go func() { closed <- n.Close(context.Background()) }()
	for { // until the end has begun
		other, err := n.Connect(t.Context())
		if errors.Is(err, node.ErrStopped) {
			break
		}
		other.Close()
	}
	if _, err := n.Gate(t.Context()).Offer(demo(), commands("admit"), gitproto.Shape{}); !errors.Is(err, node.ErrStopped) {
		t.Errorf("Offer of a stopping node: got %v, want ErrStopped", err)
	}
	select {
	case <-n.Done():
		t.Error("the node ended before its push")
	case <-n.Aborted():
		t.Error("the push was canceled, and time was left")
	default:
	}
	if err := g.Done(gitstore.Report{Unpack: "ok"}); err != nil && !errors.Is(err, node.ErrStopped) {
		t.Errorf("Done: %v", err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if len(d.reports) != 1 {
		t.Errorf("got %d reports, want 1", len(d.reports))
	}
	if err := end(t, c); !isEOF(err) {
		t.Errorf("connection ended with %v, want EOF", err)
	}
	c.Close()
}

func TestCloseCancelsPushesThatTakeTooLong(t *testing.T) {
	d := newDoorkeeper()
	n := begin(t, node.Config{Machine: d})
	g := n.Gate(t.Context())
	offer(t, g, "admit")
	closed := make(chan error)
	go func() { closed <- n.Close(canceled()) }()
	<-n.Aborted()
	g.Close()
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if len(d.reports) != 1 {
		t.Errorf("got %d reports, want 1", len(d.reports))
	}
}

func TestPushOfAClientThatLeftIsEnded(t *testing.T) {
	for _, admittedFirst := range []bool{false, true} {
		d := newDoorkeeper()
		n := begin(t, node.Config{Machine: d})
		ctx, leave := context.WithCancel(t.Context())
		g := n.Gate(ctx)
		if a, err := g.Offer(demo(), commands("wait"), gitproto.Shape{}); err != nil || !a.Admitted {
			t.Fatalf("Offer: got %v, %v", a, err)
		}
		answer := make(chan error)
		go func() {
			_, err := g.Ready()
			answer <- err
		}()
		c := connect(t, n)
		<-d.offered
		admit := func() {
			receive(t, c, `["CLOSE","x"]`)
			next(t, c)
		}
		if admittedFirst {
			admit()
			leave()
			<-answer
			g.Close()
		} else {
			leave()
			if err := <-answer; !errors.Is(err, context.Canceled) {
				t.Errorf("Ready: got %v, want Canceled", err)
			}
			admit()
		}
		c.Close()
		synced(t, n)
		if len(d.reports)+d.forgone != 1 || len(d.reports) == 1 && d.reports[0].Unpack == "ok" {
			t.Errorf("admitted first %t: reports %+v and %d forgone, want one end", admittedFirst, d.reports, d.forgone)
		}
	}
}
