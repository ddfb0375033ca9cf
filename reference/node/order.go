package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// An order is an order or question of the core, for a worker. The core gives one order per repository at a time, and
// none while a push to it runs.
type order struct{ effect core.Effect }

// carryOut is a worker: it takes orders until the node has ended.
func (n *Node) carryOut() {
	for o := range n.work {
		answer := n.answer(o.effect)
		_ = n.put(context.Background(), item{input: answer}) // ErrStopped: nobody left to hear it
	}
}

func (n *Node) answer(e core.Effect) core.Input {
	switch e := e.(type) {
	case core.AskObjects:
		missing, err := n.backend.Missing(e.Repo, e.OIDs)
		if err != nil {
			missing = e.OIDs
			if !errors.Is(err, gitstore.ErrNoRepository) {
				n.orderFailed("question about objects failed", e.Repo, err)
			}
		}
		return core.ObjectFacts{Request: e.Request, Missing: missing}
	case core.CreateRepository:
		return n.ordered("repository not created", e.Request, e.Repo, n.backend.Create(e.Repo))
	case core.RemoveRepository:
		return n.ordered("repository not removed", e.Request, e.Repo, n.backend.Remove(e.Repo))
	case core.UpdateRefs:
		return n.ordered("refs not moved", e.Request, e.Repo, n.backend.Update(e.Repo, e.Commands, e.Head))
	case core.ReadRefs:
		disk := n.onDisk(e.Repo)
		return core.RepositoryDone{Request: e.Request, OK: disk != nil, Disk: disk}
	case core.TidyRepository:
		return n.ordered("repository not tidied", e.Request, e.Repo, n.tidy(e))
	case core.CopyObjects:
		facts := core.ObjectFacts{Request: e.Request}
		if err := n.copyObjects(e); err != nil {
			facts.Missing = e.OIDs
			n.orderFailed("objects not copied", e.Repo, err)
		}
		return facts
	default:
		panic(fmt.Sprintf("node: invariant: %T is no order", e))
	}
}

// ordered answers an order. One that failed may have been carried out in part, so the refs are read behind it.
func (n *Node) ordered(what string, request core.RequestID, id repo.ID, err error) core.RepositoryDone {
	if err == nil {
		return core.RepositoryDone{Request: request, OK: true}
	}
	if !errors.Is(err, context.Canceled) { // else the core has asked for it, or it is the end
		n.orderFailed(what, id, err)
	}
	return core.RepositoryDone{Request: request, Disk: n.onDisk(id)}
}

// onDisk says what there is of a repository, nil if that could not be read.
func (n *Node) onDisk(id repo.ID) *core.OnDisk {
	refs, err := n.backend.Refs(id)
	if err != nil && !errors.Is(err, gitstore.ErrNoRepository) {
		n.orderFailed("refs not read", id, err)
		return nil
	}
	return &core.OnDisk{There: err == nil, Refs: refs}
}

// copyMax is how long a copy from one repository to another may take.
const copyMax = 10 * time.Minute

// copyObjects copies until the node has no time left.
func (n *Node) copyObjects(e core.CopyObjects) error {
	ctx, done := n.bounded(copyMax, nil)
	defer done()
	return n.backend.Copy(ctx, e.Repo, e.From, e.OIDs)
}

// orderFailed reports an error of the backend; a nil error is none.
func (n *Node) orderFailed(what string, id repo.ID, err error) {
	if err == nil {
		return
	}
	n.counts.add("order_failed")
	n.log.LogAttrs(context.Background(), slog.LevelError, "order failed",
		slog.String("order", what), slog.String("repo", id.Path()), slog.Any("error", err))
}
