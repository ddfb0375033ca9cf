package suite

import (
	"regexp"
	"sync"
	"weak"
)

// An expression is a regular one that is compiled when somebody asks for it, and forgotten when nobody does: together those of all steps
// are a fifth of what a run has in memory, and once each line has been found nobody asks.
type expression struct {
	text string

	mu   sync.Mutex
	made weak.Pointer[regexp.Regexp]
}

// expr panics if the text is no expression: it is one of our own.
func (e *expression) expr() *regexp.Regexp {
	e.mu.Lock()
	defer e.mu.Unlock()
	if made := e.made.Value(); made != nil {
		return made
	}
	made := compiled(e.text)
	e.made = weak.Make(made)
	return made
}

// compiled is regexp.MustCompile, for texts of our own.
func compiled(expr string) *regexp.Regexp { return regexp.MustCompile(expr) }
