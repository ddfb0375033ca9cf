package githost

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/sim/kernel"
	"github.com/graspkit/graspkit/sim/network"
)

// A Mode is what a host does with a request.
type Mode string

// The modes. Each is a word of scenario files.
const (
	Serves    Mode = ""          // answers with what it holds
	Refuses   Mode = "refuses"   // takes no connection
	Drops     Mode = "drops"     // closes the connection without an answer
	Denies    Mode = "denies"    // asks for credentials
	Lacks     Mode = "lacks"     // answers that there is no such repository
	Limits    Mode = "limits"    // answers that there are too many requests
	Fails     Mode = "fails"     // answers with an error of its own
	Hangs     Mode = "hangs"     // never answers
	Drips     Mode = "drips"     // sends slowly: the answer takes Trouble.Slow longer
	Truncates Mode = "truncates" // ends in the middle of a pack
	Corrupts  Mode = "corrupts"  // sends a broken pack
	Cheats    Mode = "cheats"    // sends a sound pack of objects that nobody asked for
	Lies      Mode = "lies"      // says that it has what it has not, and sends nothing of it
	Floods    Mode = "floods"    // sends without end
	Redirects Mode = "redirects" // sends the asker to another host
)

// Modes lists all modes, the good one first.
func Modes() []Mode {
	return []Mode{
		Serves, Refuses, Drops, Denies, Lacks, Limits, Fails, Hangs, Drips, Truncates, Corrupts, Cheats, Lies, Floods,
		Redirects,
	}
}

// Limits of a configuration.
const (
	nameMax    = 253
	troubleMax = 1000
	timeMax    = 10_000 * time.Hour
)

// A Config describes one host. The zero value of every field but Name is a host that is well and fast and holds all
// that it is given.
type Config struct {
	Name  string       // authority in URLs, lower-case: "git1.example", "git1.example:8080"
	Link  network.Link // between a server and the host, in both directions
	Delay time.Duration

	Lacking int64         // objects of a million that the host does not keep when it is given them
	Late    time.Duration // how long after it was given an object it has it

	// PerMinute is how many requests the host answers in any 60 s; it answers more with Limits. Zero is no limit.
	PerMinute  int
	RetryAfter time.Duration // of the answer to those; zero says nothing

	// Erratic is a host that says of half of the requests beyond a limit that it wants to be left alone for a quarter of the time only,
	// names any of what it lacks first, and, when it has gone, lets who asks wait
	// for up to a minute.
	Erratic bool

	Trouble []Trouble // of those that apply to a request the last counts

	// Whims are modes of which a Chooser picks one for every request that no Trouble applies to; serving is always one
	// of its choices. They are for searches, not for scenarios.
	Whims []Mode
}

// A Trouble is one way in which a host misbehaves for some time. Times count from the start of the host's life, or
// from the instant of Host.Trouble.
type Trouble struct {
	Mode   Mode
	From   time.Duration
	Until  time.Duration // when it is over; zero is never
	Period time.Duration // a host that flaps: Mode for one period, well for the next; zero is all the time
	Well   int64         // requests of a million that it does not touch

	Delay      time.Duration // that answers take longer to begin
	RetryAfter time.Duration // of Limits; zero says nothing
	RedirectTo string        // of Redirects: the origin, "http://git2.example"
	Slow       time.Duration // of Drips: from the first byte to the last
}

// Validate returns an error that names the host and the field that makes no sense.
func (c Config) Validate() error {
	if c.Name == "" || len(c.Name) > nameMax || strings.ToLower(c.Name) != c.Name || strings.ContainsAny(c.Name, "/@ ?#") {
		return fmt.Errorf("git host %q: name is not the lower-case host[:port] of a URL", c.Name)
	}
	if err := c.validate(); err != nil {
		return fmt.Errorf("git host %s: %w", c.Name, err)
	}
	return nil
}

func (c Config) validate() error {
	if err := inRange(
		field{"delay", c.Delay}, field{"late", c.Late}, field{"retry after", c.RetryAfter},
		field{"latency of the link", c.Link.Latency}, field{"jitter of the link", c.Link.Jitter},
	); err != nil {
		return err
	}
	switch {
	case c.Lacking < 0 || c.Lacking > kernel.Million:
		return fmt.Errorf("lacking is %d, want 0 to %d objects of a million", c.Lacking, kernel.Million)
	case c.PerMinute < 0:
		return fmt.Errorf("per minute is %d, want 0 or more requests", c.PerMinute)
	case len(c.Trouble) > troubleMax:
		return fmt.Errorf("%d troubles, want at most %d", len(c.Trouble), troubleMax)
	}
	for _, mode := range c.Whims {
		if !slices.Contains(Modes(), mode) {
			return fmt.Errorf("whim %q is no mode", mode)
		}
	}
	for i, t := range c.Trouble {
		if err := t.Validate(); err != nil {
			return fmt.Errorf("trouble %d: %w", i+1, err)
		}
	}
	return nil
}

// Validate returns an error that names the field that makes no sense.
func (t Trouble) Validate() error {
	if err := inRange(
		field{"from", t.From}, field{"until", t.Until}, field{"period", t.Period}, field{"delay", t.Delay},
		field{"retry after", t.RetryAfter}, field{"slow", t.Slow},
	); err != nil {
		return err
	}
	switch {
	case !slices.Contains(Modes(), t.Mode):
		return fmt.Errorf("mode %q is none", t.Mode)
	case t.Until != 0 && t.Until <= t.From:
		return fmt.Errorf("until %v is not after from %v", t.Until, t.From)
	case t.Well < 0 || t.Well > kernel.Million:
		return fmt.Errorf("well is %d, want 0 to %d requests of a million", t.Well, kernel.Million)
	case (t.Mode == Redirects) != (t.RedirectTo != ""):
		return errors.New("redirect to belongs to the mode redirects, and to no other")
	case (t.Mode == Drips) != (t.Slow != 0):
		return errors.New("slow belongs to the mode drips, and to no other")
	case t.Mode != Limits && t.RetryAfter != 0:
		return errors.New("retry after belongs to the mode limits")
	}
	return nil
}

type field struct {
	name  string
	value time.Duration
}

func inRange(fields ...field) error {
	for _, f := range fields {
		if f.value < 0 || f.value > timeMax {
			return fmt.Errorf("%s is %v, want 0s to %v", f.name, f.value, timeMax)
		}
	}
	return nil
}

// applies reports whether the trouble is on, so long after it was set. The key is that of the request.
func (t Trouble) applies(since time.Duration, key kernel.Key) bool {
	if since < t.From || t.Until != 0 && since >= t.Until {
		return false
	}
	if t.Period > 0 && (since-t.From)/t.Period%2 == 1 {
		return false
	}
	return t.Well == 0 || !key.Chance(t.Well)
}
