package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/sim/kernel"
)

// tear leaves the disk of a server as a loss of power does: each order and each push that is under way has been carried out, or
// not, or in part. Nobody is told which; the answer is for the record.
func (s *server) tear() (done string) {
	var all []string
	key := s.key.WithText("tear").With(uint64(s.Life()))
	for _, o := range s.host.under {
		if word := o.tear(s.model, key.With(uint64(o.key))); word != "" {
			all = append(all, word)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.pushes)) {
		if p := s.pushes[id]; p.unpacked && !p.lacks {
			some := torn(p.commands, key.With(uint64(p.key)))
			s.model.Receive(p.repo, some, false)
			all = append(all, fmt.Sprintf("push %d of %d", len(some), len(p.commands)))
		}
	}
	return strings.Join(all, ", ")
}

// tear carries out as much of an order as is drawn, past whatever watches the store; what the store refuses would have failed
// without the loss as well. A repository is removed at once or not at all, and HEAD moves behind the refs.
func (o *order) tear(m *Model, key kernel.Key) (done string) {
	whole := key.WithText("whole").Chance(evens)
	switch e := o.effect.(type) {
	case core.CreateRepository:
		if _, err := m.Refs(e.Repo); err != nil && !whole {
			m.half[e.Repo] = true
			return "create half"
		}
		_ = m.Create(e.Repo)
		return "create"
	case core.RemoveRepository:
		if whole {
			_ = m.Remove(e.Repo)
			return "remove"
		}
	case core.UpdateRefs:
		if whole {
			_ = m.Update(e.Repo, e.Commands, e.Head)
			return "update"
		}
		some := torn(e.Commands, key)
		_ = m.Update(e.Repo, some, "")
		return fmt.Sprintf("update %d of %d", len(some), len(e.Commands))
	case core.CopyObjects:
		some := torn(e.OIDs, key)
		_ = m.Copy(never{}, e.Repo, e.From, some)
		return fmt.Sprintf("copy %d of %d", len(some), len(e.OIDs))
	case core.TidyRepository:
		if whole {
			_ = m.Tidy(never{}, e.Repo, e.Keep)
			return "tidy"
		}
	}
	return ""
}

// evens is one half, of a million.
const evens = kernel.Million / 2

// torn is the part of a list that has been done: from its start on, as much as is drawn.
func torn[T any](list []T, key kernel.Key) []T { return list[:key.Below(int64(len(list)+1))] }
