// Package snapshot copies, compares and prints a server as the value that it is: its state is data and nothing else, so a
// copy goes on where the original stood. It knows nothing of what the state means, and steps nobody.
package snapshot

import (
	"reflect"

	"github.com/graspkit/graspkit/reference/core"
)

// Text is the whole state of a server for a person, the same for equal ones: two servers of one text do the same from
// then on.
func Text(s *core.Server) string {
	p := printer{seen: map[target]int{}}
	p.print(reflect.ValueOf(s), 0)
	return string(p.out)
}
