package shrink

import (
	"cmp"
	"slices"
	"strings"
)

// reached leaves out the operations to which the run does not come before it fails.
func (w *search) reached() error {
	list := w.outcome.Operations
	if !w.whole {
		happened := map[string]bool{}
		for _, name := range list {
			happened[name] = true
		}
		list = slices.DeleteFunc(slices.Clone(w.only), func(name string) bool { return !happened[name] })
		if len(list) == len(w.only) {
			return nil
		}
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(repositoryOf(a), repositoryOf(b)) })
	_, err := w.fails(w.node, list, false)
	return err
}

// groups takes the operations of one repository alone, if it fails with them alone, and then leaves out those of a whole
// repository, of an actor, and of a decision.
func (w *search) groups() error {
	if w.whole {
		return nil
	}
	for _, groupOf := range []func(string) string{repositoryOf, actorOf, decisionOf} {
		var names []string
		for _, name := range w.only {
			if group := groupOf(name); !slices.Contains(names, group) {
				names = append(names, group)
			}
		}
		if err := w.parts(len(names), func(from, to int) []string {
			out := names[from:to]
			return slices.DeleteFunc(slices.Clone(w.only), func(name string) bool { return slices.Contains(out, groupOf(name)) })
		}, func(from, to int) { names = slices.Delete(names, from, to) }); err != nil {
			return err
		}
	}
	return nil
}

// operations leaves out single operations.
func (w *search) operations() error {
	if w.whole {
		return nil
	}
	return w.parts(len(w.only), func(from, to int) []string {
		return slices.Delete(slices.Clone(w.only), from, to)
	}, func(int, int) {})
}

// parts tries a list of n parts without more and more and smaller and smaller pieces of it, until no single part can be
// left out. Rest are the operations without the parts from one up to another, and gone is called when these have been
// left out.
func (w *search) parts(n int, rest func(from, to int) []string, gone func(from, to int)) error {
	for size := n; size > 0; {
		left := n
		for from := 0; from < n; {
			to := min(from+size, n)
			taken, err := w.fails(w.node, rest(from, to), false)
			if err != nil {
				return err
			}
			if taken {
				gone(from, to)
				n -= to - from
			} else {
				from = to
			}
		}
		if size > 1 || n == left { // of single parts one may go when a later one has gone
			size /= 2
		}
		size = min(size, n)
	}
	return nil
}

// actorOf is who does an operation.
func actorOf(name string) string {
	actor, _, _ := strings.Cut(name, "/")
	return actor
}

// repositoryOf is the number of the repository that an operation is about, in the name of its actor.
func repositoryOf(name string) string {
	return strings.TrimLeft(actorOf(name), "abcdefghijklmnopqrstuvwxyz")
}

// decisionOf is what an operation followed from, with all that did.
func decisionOf(name string) string {
	decision, _, _ := strings.Cut(name, ".")
	return decision
}
