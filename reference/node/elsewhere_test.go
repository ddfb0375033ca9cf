package node_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// An elsewhere is a doorkeeper with an order under way in another repository, and one in its own if it is said to be.
type elsewhere struct {
	*doorkeeper
	here bool
}

func (e elsewhere) Settled(id repo.ID) bool { return id != demo() || !e.here }

// The end of a push waits for what it led to in its repository, for a while, and not for what goes on in other ones.
func TestEndOfAPushWaitsForItsRepository(t *testing.T) {
	for _, here := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d, making := newDoorkeeper(), make(chan struct{})
			step := d.step
			d.step = func(now instant.Instant, in core.Input, out *core.Effects) {
				step(now, in, out)
				if _, is := in.(core.PushDone); is {
					out.List = append(out.List, core.CreateRepository{Request: 1, Repo: repo.ID{Identifier: "other"}})
				}
			}
			n := begin(t, node.Config{
				Machine: elsewhere{d, here},
				Backend: &backend{create: func(repo.ID) error { <-making; return nil }},
			})
			g := n.Gate(t.Context())
			offer(t, g, "admit")
			before := time.Now() // of the bubble: it passes where everybody waits, and by as much as they wait for
			if err := g.Done(gitstore.Report{Unpack: "ok"}); err != nil {
				t.Errorf("Done: %v", err)
			}
			if waited := time.Since(before) > 0; waited != here {
				t.Errorf("with an order in its repository %v, and one elsewhere: got waited %v, want as much", here, waited)
			}
			close(making)
			g.Close()
		})
	}
}
