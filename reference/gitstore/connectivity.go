package gitstore

import (
	"fmt"

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
	why      string    // if it is broken by something other than a gap
	strict   bool      // what comes from elsewhere may not do harm to who checks it out
	reached  []*stored // new objects, in the order of the walk
}

func newConnectivity(v *View, quarantine *objects) *connectivity {
	return &connectivity{from: quarantine, sound: v.sound, frontier: newFrontier(v), seen: hashes{}}
}

type link struct {
	hash plumbing.Hash
	kind ObjectType // what it must be; AnyObject for a new ref value
	old  bool       // the object with this link is not of this push

	modules bool // it is the content of a .gitmodules
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
		if next.modules && x.Type() == Blob {
			if why := w.modules(x); why != "" {
				w.broken, w.why = true, why
				break
			}
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
	switch {
	case !w.strict || old:
	case err != nil:
		w.why = fmt.Sprintf("object %.8s: %v", oidOf(x.id), err)
	case (x.Type() == Commit || x.Type() == Tag) && overflows(w.from.data(x)):
		w.why = fmt.Sprintf("object %.8s has a date that is out of range", oidOf(x.id))
		return nil, errDate
	case x.Type() == Tree:
		if w.why = w.names(x, links); w.why != "" {
			return nil, errTree
		}
	}
	if old {
		for i := range links {
			links[i].old = true
		}
	}
	return links, err
}

// reason says why what was asked for is not complete.
func (w *connectivity) reason() string {
	if w.why != "" {
		return w.why
	}
	return ReasonMissing
}

// names judges the names in a tree that came from elsewhere, and marks what is the content of a .gitmodules.
func (w *connectivity) names(x object, links []link) string {
	at := 0
	for data := w.from.data(x); len(data) > 0; {
		entry, rest, err := nextLink(data)
		if err != nil {
			return ""
		}
		switch {
		case plain(entry.name):
		case isDotGit(entry.name):
			return fmt.Sprintf("tree %.8s has an entry that stands for .git", oidOf(x.id))
		case isDotGitmodules(entry.name) && entry.soft:
			return fmt.Sprintf("tree %.8s has a .gitmodules that is a symbolic link", oidOf(x.id))
		case isDotGitmodules(entry.name) && entry.kind == Blob:
			links[at].modules = true
		}
		if entry.kind != 0 {
			at++
		}
		data = rest
	}
	return ""
}

// modulesMax bounds a .gitmodules that is looked at. Nobody writes a larger one.
const modulesMax = 4 << 20

func (w *connectivity) modules(x object) string {
	why := "it is too large"
	if x.Size() <= modulesMax {
		why = checkModules(w.from.data(x))
	}
	if why == "" {
		return ""
	}
	return fmt.Sprintf(".gitmodules %.8s: %s", oidOf(x.id), why)
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
