package scenarios

import (
	"slices"
	"time"

	"github.com/goccy/go-yaml/ast"
)

// Sync is how servers sync with each other. Without Bound they do not.
type Sync struct {
	Bootstrap Bootstrap
	Bound     time.Duration
}

// A Bootstrap says of which others each server is told by its operator.
type Bootstrap string

// The bootstraps. Each is a word of scenario files.
const (
	BootstrapNone Bootstrap = ""     // of none: a server knows those that announcements name
	BootstrapAll  Bootstrap = "all"  // of all others
	BootstrapRing Bootstrap = "ring" // of the next one, the last of the first
)

// Peers lists the numbers of the servers that a server is told of, both from 1 on.
func (s Scenario) Peers(server int) []int {
	var list []int
	for n := 1; n <= s.Servers; n++ {
		if n != server && (s.Sync.Bootstrap == BootstrapAll || s.Sync.Bootstrap == BootstrapRing && n == server%s.Servers+1) {
			list = append(list, n)
		}
	}
	return list
}

// sync reads how servers sync.
func (r *reader) sync(out *Sync) func(ast.Node) error {
	words := []string{"none", string(BootstrapAll), string(BootstrapRing)}
	return func(n ast.Node) error {
		var word string
		err := r.mapping("sync", n, []field{
			{"bootstrap", false, r.text(&word, 10, "none, all or ring", func(s string) bool { return slices.Contains(words, s) })},
			{"bound", true, r.duration(&out.Bound, DurationMin, DurationMax)},
		})
		if word != "none" {
			out.Bootstrap = Bootstrap(word)
		}
		return err
	}
}
