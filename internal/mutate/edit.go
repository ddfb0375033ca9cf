package mutate

import (
	"slices"
	"strings"
)

// A rewriting is a set of changes of one text that may lie within one another: what is wrapped first is the outermost.
type rewriting struct {
	edits []edit
}

// An edit puts text before offset from and, if to is greater, leaves out what stands up to there.
type edit struct {
	from, to int
	text     string
	closing  bool // it ends what began before
}

// wrap puts texts around what stands from one offset to another.
func (r *rewriting) wrap(from, to int, before, after string) {
	r.edits = append(r.edits, edit{from, from, before, false}, edit{to, to, after, true})
}

// replace puts a text in the place of another.
func (r *rewriting) replace(from, to int, text string) {
	r.edits = append(r.edits, edit{from, to, text, false})
}

// apply returns the source with all changes.
func (r *rewriting) apply(source []byte) string {
	order := make([]int, len(r.edits))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := r.edits[i], r.edits[j]
		switch {
		case a.from != b.from:
			return a.from - b.from
		case a.closing != b.closing && a.closing:
			return -1
		case a.closing != b.closing:
			return 1
		case a.closing:
			return j - i
		}
		return i - j
	})
	var out strings.Builder
	at := 0
	for _, i := range order {
		e := r.edits[i]
		out.Write(source[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(source[at:])
	return out.String()
}
