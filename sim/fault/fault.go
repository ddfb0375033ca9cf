// Package fault says what goes wrong in a run, as values with a text form that parses back. It breaks nothing itself:
// the world carries a plan out.
package fault

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Crash ends a server without warning: what its journal and its repositories do not have is lost.
type Crash struct {
	Server int           // from 1
	At     time.Duration // since the start of the run
	Down   time.Duration // until it starts again on what survived
}

// form is how a Crash is written.
const form = "crash server1 at 45m for 2m"

// String writes the crash as Parse reads it.
func (c Crash) String() string {
	return fmt.Sprintf("crash server%d at %s for %s", c.Server, c.At, c.Down)
}

// Parse reads "crash server1 at 45m for 2m". Durations are positive.
func Parse(text string) (Crash, error) {
	words := strings.Fields(text)
	if len(words) != 6 || words[0] != "crash" || words[2] != "at" || words[4] != "for" {
		return Crash{}, fmt.Errorf("fault %q is not of the form %q", text, form)
	}
	number, ok := strings.CutPrefix(words[1], "server")
	server, err := strconv.Atoi(number)
	if !ok || err != nil || server < 1 || strconv.Itoa(server) != number {
		return Crash{}, fmt.Errorf("fault %q names no server, as server1 does", text)
	}
	c := Crash{Server: server}
	for _, d := range []struct {
		text string
		out  *time.Duration
	}{{words[3], &c.At}, {words[5], &c.Down}} {
		if *d.out, err = time.ParseDuration(d.text); err != nil || *d.out <= 0 {
			return Crash{}, fmt.Errorf("fault %q: %q is no positive duration", text, d.text)
		}
	}
	return c, nil
}
