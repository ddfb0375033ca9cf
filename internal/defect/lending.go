package defect

import (
	"io"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

func lendingDefects() []Defect {
	l := &lender{from: map[repo.ID][]repo.ID{}, broken: map[repo.ID]bool{}}
	return []Defect{{
		Name:    "repositories-lend-objects",
		Backend: func(b gitstore.Backend) gitstore.Backend { return lent{backend{b}, l} },
		Filter: func() Filter {
			s := &shelf{map[string]filed{}}
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				_, ev := published(i)
				for _, e := range effects {
					r, _ := e.(core.Record)
					if was := s.byID[r.ID].event; r.Op == core.OpUnstore && was != nil && was.Kind == policy.KindAnnouncement && ev != nil && ev.Kind == policy.KindDeletion {
						l.close(repositoryBy(was))
					}
				}
				s.note(effects)
				return effects
			}}
		},
	}}
}

// A lender remembers what was copied and is kept in one place alone: a repository lacks it once the one is deleted that it was copied from.
type lender struct {
	mu     sync.Mutex
	from   map[repo.ID][]repo.ID // what a repository has borrowed from; guarded by mu
	broken map[repo.ID]bool      // guarded by mu
}

// A lent backend has what it copies from others.
type lent struct {
	backend
	by *lender
}

// Copy implements gitstore.Backend.
func (l lent) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	l.by.mu.Lock()
	l.by.from[id] = append(l.by.from[id], from)
	l.by.mu.Unlock()
	return l.Backend.Copy(c, id, from, oids)
}

// close breaks the repositories that have borrowed from one whose announcement was deleted.
func (l *lender) close(id repo.ID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for borrower, lenders := range l.from {
		l.broken[borrower] = l.broken[borrower] || slices.Contains(lenders, id)
	}
}

func (l *lender) lacks(id repo.ID) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken[id]
}

// UploadPack fails where objects lack.
func (l lent) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	if l.by.lacks(id) {
		return gitproto.WriteError(w, "upload-pack: unable to read tree")
	}
	return l.Backend.UploadPack(c, id, version, r, w)
}

// Receive takes nothing upon objects that lack.
func (l lent) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	if l.by.lacks(id) {
		return gitstore.Refused(p.Commands, "missing necessary objects", nil), nil
	}
	return l.Backend.Receive(c, id, p, pack)
}
