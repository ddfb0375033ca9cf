package gitstore

import (
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// A frontier knows which commits and tags the refs of a repository reach: with all that they point to they are
// complete. It walks no further than the questions make it: most pushes build on what a branch points to.
type frontier struct {
	view  *View
	seen  hashes          // what is reached, as far as walked; nil before the first question
	queue []plumbing.Hash // commits whose parents were not looked at
	late  []plumbing.Hash // what refs besides branches point to; looked at when the branches are exhausted
}

func newFrontier(v *View) *frontier { return &frontier{view: v} }

// reaches reports whether a commit is reached; of other objects, whether a ref points to them.
func (f *frontier) reaches(c Cancel, x object) (bool, error) {
	if f.seen == nil {
		f.start()
	}
	for x.Type() == Commit && !f.seen[x.id] && f.more() {
		if err := c.Err(); err != nil {
			return false, err
		}
		h := f.queue[0]
		f.queue = f.queue[1:]
		commit, _ := f.view.objects.commit(h)
		for _, parent := range commit.parents {
			f.add(parent)
		}
	}
	return f.seen[x.id], nil
}

func (f *frontier) start() {
	f.seen = hashes{}
	for _, ref := range f.view.refs.Refs {
		h := hashOf(ref.OID)
		if strings.HasPrefix(ref.Name, "refs/heads/") {
			f.add(h)
		} else {
			f.late = append(f.late, h)
		}
	}
	for _, h := range f.late {
		f.seen[h] = true
	}
}

// more makes sure that there is something in the queue, if anything is left.
func (f *frontier) more() bool {
	for len(f.queue) == 0 && len(f.late) > 0 {
		h := f.late[0]
		f.late = f.late[1:]
		target, tags, ok := f.view.objects.peel(h)
		for _, tag := range tags {
			f.seen[tag.id] = true
		}
		switch {
		case !ok:
		case target.Type() == Commit && target.id == h:
			f.queue = append(f.queue, h) // seen already, its parents were not
		case target.Type() == Commit:
			f.add(target.id)
		default:
			f.seen[target.id] = true
		}
	}
	return len(f.queue) > 0
}

func (f *frontier) add(h plumbing.Hash) {
	if !f.seen[h] {
		f.seen[h] = true
		f.queue = append(f.queue, h)
	}
}
