package gitstore

import (
	"github.com/go-git/go-git/v5/plumbing"
)

// A connectivity walk visits what the new values of a push reach, up to what is known to be complete: in a sound
// repository everything that it has, else what its refs reach.
type connectivity struct {
	from     *objects
	sound    bool
	frontier *frontier
	seen     hashes // objects found complete or broken
	broken   bool
	reached  []*stored // new objects, in the order of the walk
}

func newConnectivity(v *View, quarantine *objects) *connectivity {
	return &connectivity{from: quarantine, sound: v.sound, frontier: newFrontier(v), seen: hashes{}}
}

type link struct {
	hash plumbing.Hash
	kind ObjectType // what it must be; AnyObject for a new ref value
	old  bool       // the object with this link is not of this push
}

// complete reports whether everything that start reaches is there, well-formed and of the right type. After one
// false answer all later ones are false: the push is refused as a whole anyway.
func (w *connectivity) complete(c Cancel, start plumbing.Hash) (bool, error) {
	stack := []link{{hash: start, kind: plumbing.AnyObject}}
	for len(stack) > 0 && !w.broken {
		if err := c.Err(); err != nil {
			return false, err
		}
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if w.seen[next.hash] && next.old {
			continue
		}
		if next.old && next.kind == Blob && w.from.base.has(next.hash) {
			// Of what was here before only that it is there is asked: reading all blobs again would take too long.
			w.seen[next.hash] = true
			continue
		}
		x, ok := w.from.get(next.hash)
		if !ok || next.kind != plumbing.AnyObject && next.kind != x.Type() {
			w.broken = true
			break
		}
		if w.seen[next.hash] {
			continue
		}
		known, err := w.known(c, x)
		if err != nil {
			return false, err
		}
		if known {
			continue
		}
		w.seen[next.hash] = true
		links, err := w.links(x)
		if err != nil {
			w.broken = true
		}
		stack = append(stack, links...)
	}
	return !w.broken, nil
}

// known reports whether an object is known to be complete.
func (w *connectivity) known(c Cancel, x object) (bool, error) {
	if w.sound {
		return w.from.base.has(x.id), nil
	}
	return w.frontier.reaches(c, x)
}

// links returns what an object points to, and notes it among the reached if it is new.
func (w *connectivity) links(x object) ([]link, error) {
	old := !w.sound && w.from.base.has(x.id)
	if s, ok := x.EncodedObject.(*stored); ok && !old {
		w.reached = append(w.reached, s)
	}
	links, err := linksOf(x, w.from)
	if old {
		for i := range links {
			links[i].old = true
		}
	}
	return links, err
}

func linksOf(x object, from *objects) ([]link, error) {
	switch x.Type() {
	case Commit:
		c, err := parseCommit(from.data(x))
		links := []link{{hash: c.tree, kind: Tree}}
		for _, parent := range c.parents {
			links = append(links, link{hash: parent, kind: Commit})
		}
		return links, err
	case Tag:
		t, err := parseTag(from.data(x))
		return []link{{hash: t.target, kind: t.kind}}, err
	case Tree:
		content := from.data(x)
		if err := checkTree(content); err != nil {
			return nil, err
		}
		var links []link
		for data := content; len(data) > 0; {
			entry, rest, err := nextLink(data)
			if err != nil {
				return nil, err
			}
			if entry.kind != 0 {
				links = append(links, link{hash: entry.hash, kind: entry.kind})
			}
			data = rest
		}
		return links, nil
	default:
		return nil, nil
	}
}
