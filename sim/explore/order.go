package explore

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// An order is a question or an order of the core. It is carried out at one point and answered at another: an answer may be old
// when it arrives.
type order struct {
	effect   core.Effect
	answer   core.Input // once it has been carried out
	canceled bool
	key      string // what it is, but for the number of the request
}

// order takes an order.
func (w *world) order(effect core.Effect) {
	o := order{effect: effect}
	o.key = fmt.Sprintf("%T %s", effect, o.subject())
	at, _ := slices.BinarySearchFunc(w.orders, o, func(a, b order) int { return cmp.Compare(a.key, b.key) })
	for at < len(w.orders) && w.orders[at].key == o.key {
		at++
	}
	w.orders = slices.Insert(w.orders, at, o)
}

// subject is what an order is about.
func (o *order) subject() string {
	list := func(oids []repo.OID) string {
		var b strings.Builder
		for _, oid := range oids {
			b.WriteString(" " + string(oid))
		}
		return b.String()
	}
	id := func(id repo.ID) string { return string(id.Owner) + "/" + id.Identifier }
	switch e := o.effect.(type) {
	case core.AskObjects:
		return id(e.Repo) + list(e.OIDs)
	case core.CopyObjects:
		return id(e.Repo) + " " + id(e.From) + list(e.OIDs)
	case core.CreateRepository:
		return id(e.Repo)
	case core.RemoveRepository:
		return id(e.Repo)
	case core.ReadRefs:
		return id(e.Repo)
	case core.UpdateRefs:
		return id(e.Repo)
	case core.TidyRepository:
		return id(e.Repo)
	}
	panic(fmt.Sprintf("explore: invariant: unknown order %T", o.effect))
}

// request is the number of an order.
func (o *order) request() core.RequestID { return requestOf(o.effect) }

// requestOf is the number that an effect brings, 0 if it brings none.
func requestOf(effect core.Effect) core.RequestID {
	switch e := effect.(type) {
	case core.AskObjects:
		return e.Request
	case core.CopyObjects:
		return e.Request
	case core.CreateRepository:
		return e.Request
	case core.RemoveRepository:
		return e.Request
	case core.ReadRefs:
		return e.Request
	case core.UpdateRefs:
		return e.Request
	case core.TidyRepository:
		return e.Request
	}
	return 0
}

// never is a gitstore.Cancel that never stops.
type never struct{}

func (never) Err() error { return nil }

var errCanceled = errors.New("explore: the order was taken back")

// execute carries an order out.
func (w *world) execute(o *order) {
	switch e := o.effect.(type) {
	case core.AskObjects:
		missing, err := w.git.Missing(e.Repo, e.OIDs)
		if err != nil {
			missing = e.OIDs
		}
		o.answer = core.ObjectFacts{Request: e.Request, Missing: missing}
	case core.CopyObjects:
		facts := core.ObjectFacts{Request: e.Request}
		if w.git.Copy(never{}, e.Repo, e.From, e.OIDs) != nil {
			facts.Missing = e.OIDs
		}
		o.answer = facts
	case core.CreateRepository:
		o.answer = w.done(e.Request, e.Repo, w.git.Create(e.Repo))
	case core.RemoveRepository:
		o.answer = w.done(e.Request, e.Repo, w.git.Remove(e.Repo))
	case core.UpdateRefs:
		o.answer = w.done(e.Request, e.Repo, w.git.Update(e.Repo, e.Commands, e.Head))
	case core.TidyRepository:
		err := errCanceled
		if !o.canceled {
			err = w.git.Tidy(never{}, e.Repo, e.Keep)
		}
		o.answer = w.done(e.Request, e.Repo, err)
	case core.ReadRefs:
		o.answer = core.RepositoryDone{Request: e.Request, OK: true, Disk: w.onDisk(e.Repo)}
	}
}

// done is the answer to an order. One that failed may have been carried out in part, so the refs are read behind it.
func (w *world) done(request core.RequestID, id repo.ID, err error) core.RepositoryDone {
	done := core.RepositoryDone{Request: request, OK: err == nil}
	if err != nil {
		done.Disk = w.onDisk(id)
	}
	return done
}

func (w *world) onDisk(id repo.ID) *core.OnDisk {
	refs, err := w.git.Refs(id)
	return &core.OnDisk{There: err == nil, Refs: refs}
}

// unpack carries out an admitted push.
func (w *world) unpack(p *push, broken bool) {
	report := w.git.Receive(w.repoOf(*p), p.commands, broken)
	p.report, p.stage = &report, stageReports
}

// report tells the server what came of a push, and its client.
func (w *world) report(p push) {
	done := core.PushDone{Push: p.id, Report: *p.report}
	if !p.report.Whole() {
		done.Disk = w.onDisk(w.repoOf(p))
	}
	w.endPush(p.id)
	w.step(done)
}

// commands are what a client sends that wants refs moved, given those that it sees; none if it sees no repository or nothing
// is left to do.
func commands(refs gitstore.Refs, err error, want []repo.Ref) []gitproto.Command {
	if err != nil {
		return nil
	}
	var list []gitproto.Command
	for _, ref := range want {
		c := gitproto.Command{Ref: ref.Name, Old: repo.ZeroOID, New: ref.OID}
		for _, there := range refs.Refs {
			if there.Name == ref.Name {
				c.Old = there.OID
			}
		}
		if c.Old != c.New {
			list = append(list, c)
		}
	}
	return list
}
