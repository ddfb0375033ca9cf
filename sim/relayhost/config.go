package relayhost

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A Mode is what a relay does with who asks it.
type Mode string

// The modes. Each is a word of scenario files.
const (
	Serves  Mode = ""        // answers as NIP-01 has it
	Refuses Mode = "refuses" // takes no connection, and ends those that there are
	Drops   Mode = "drops"   // ends a connection at its Trouble.After-th message
	Hangs   Mode = "hangs"   // takes all that it is sent, and says nothing
	Freezes Mode = "freezes" // is gone without a word: connections stay half open, and attempts get no answer
	Closes  Mode = "closes"  // answers each question with CLOSED and Trouble.Text
	Denies  Mode = "denies"  // wants its askers to authenticate (NIP-42)
	Omits   Mode = "omits"   // never says EOSE
	Forges  Mode = "forges"  // sends events with signatures that do not fit
	Strays  Mode = "strays"  // sends what nobody asked for beside what was asked for
	Repeats Mode = "repeats" // sends each event twice
	Sticks  Mode = "sticks"  // knows no since and no until: each page is the first one
	Floods  Mode = "floods"  // answers questions without end
	Bars    Mode = "bars"    // wants its askers to authenticate, and answers none of them all the same
	Hides   Mode = "hides"   // answers as if it had nothing, and tells of what is new
)

// Modes lists all modes, the good one first.
func Modes() []Mode {
	return []Mode{Serves, Refuses, Drops, Hangs, Freezes, Closes, Denies, Omits, Forges, Strays, Repeats, Sticks, Floods, Bars, Hides}
}

// A Negentropy is what a relay does with a NEG-OPEN (NIP-77).
type Negentropy string

// The ways with negentropy.
const (
	Reconciles Negentropy = ""        // answers
	Unknown    Negentropy = "unknown" // says in a NOTICE that it does not know the message
	Declines   Negentropy = "declines"
	Ignores    Negentropy = "ignores" // says nothing
)

// A Limiting is how a relay tells somebody who asks too much.
type Limiting string

// The ways to tell: by a CLOSED, or by a NOTICE and nothing else.
const (
	ByClosed Limiting = ""
	ByNotice Limiting = "notice"
)

// Limits of a configuration, and of what a relay takes.
const (
	nameMax          = 253
	textMax          = 1000
	pageDefault      = 500
	pageMax          = 1_000_000
	troubleMax       = 1000
	timeMax          = 10_000 * time.Hour
	connsMax         = 10_000
	subscriptionsMax = 200 // of one connection
	perMinuteMax     = 1_000_000
)

// A Config describes one relay. The zero value of every field but Name is a relay that is well and fast.
type Config struct {
	Name  string        // authority in URLs, lower-case: "relay1.example", "relay1.example:8080"
	Delay time.Duration // of every answer

	Negentropy Negentropy
	PageMax    int // most events of one answer to one filter; zero is 500

	// PerMinute is how many questions (REQ, COUNT, NEG-OPEN) of all connections are answered in any 60 s. Zero is no limit.
	PerMinute int
	Limiting  Limiting

	Members    bool // answers nobody who has not authenticated (NIP-42), whatever its trouble; any key will do
	Challenges bool // says AUTH to whoever connects, and wants nothing by it

	Trouble []Trouble // of those that apply at an instant the last counts
}

// A Trouble is one way in which a relay misbehaves for some time. Times count from the start of the relay's life, or from
// the instant of Host.Behave.
type Trouble struct {
	Mode   Mode
	From   time.Duration
	Until  time.Duration // when it is over; zero is never
	Period time.Duration // a relay that flaps: Mode for one period, well for the next; zero is all the time

	Delay time.Duration // that everything takes longer
	After int           // of Drops: which message of the asker ends the connection, from 1
	Text  string        // of Closes
}

// Validate returns an error that names the relay and the field that makes no sense.
func (c Config) Validate() error {
	if c.Name == "" || len(c.Name) > nameMax || strings.ToLower(c.Name) != c.Name || strings.ContainsAny(c.Name, "/@ ?#") {
		return fmt.Errorf("relay %q: name is not the lower-case host[:port] of a URL", c.Name)
	}
	if err := c.validate(); err != nil {
		return fmt.Errorf("relay %s: %w", c.Name, err)
	}
	return nil
}

func (c Config) validate() error {
	switch {
	case c.Delay < 0 || c.Delay > timeMax:
		return fmt.Errorf("delay is %v, want 0s to %v", c.Delay, timeMax)
	case !slices.Contains([]Negentropy{Reconciles, Unknown, Declines, Ignores}, c.Negentropy):
		return fmt.Errorf("negentropy %q is no way with it", c.Negentropy)
	case c.Limiting != ByClosed && c.Limiting != ByNotice:
		return fmt.Errorf("limiting %q is no way to tell", c.Limiting)
	case c.PageMax < 0 || c.PageMax > pageMax:
		return fmt.Errorf("page max is %d, want 0 to %d events", c.PageMax, pageMax)
	case c.PerMinute < 0 || c.PerMinute > perMinuteMax:
		return fmt.Errorf("per minute is %d, want 0 to %d questions", c.PerMinute, perMinuteMax)
	case len(c.Trouble) > troubleMax:
		return fmt.Errorf("%d troubles, want at most %d", len(c.Trouble), troubleMax)
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
	for _, f := range []struct {
		name  string
		value time.Duration
	}{{"from", t.From}, {"until", t.Until}, {"period", t.Period}, {"delay", t.Delay}} {
		if f.value < 0 || f.value > timeMax {
			return fmt.Errorf("%s is %v, want 0s to %v", f.name, f.value, timeMax)
		}
	}
	switch {
	case !slices.Contains(Modes(), t.Mode):
		return fmt.Errorf("mode %q is none", t.Mode)
	case t.Until != 0 && t.Until <= t.From:
		return fmt.Errorf("until %v is not after from %v", t.Until, t.From)
	case (t.Mode == Drops) != (t.After > 0) || t.After < 0:
		return fmt.Errorf("after is %d: the mode drops wants 1 or more, and no other has it", t.After)
	case t.Mode != Closes && t.Text != "" || len(t.Text) > textMax:
		return fmt.Errorf("text belongs to the mode closes, with at most %d bytes", textMax)
	}
	return nil
}

// applies reports whether the trouble is on, so long after it was set.
func (t Trouble) applies(since time.Duration) bool {
	if since < t.From || t.Until != 0 && since >= t.Until {
		return false
	}
	return t.Period == 0 || (since-t.From)/t.Period%2 == 0
}

// begins is the first time after since at which the trouble begins to apply; false if there is none.
func (t Trouble) begins(since time.Duration) (time.Duration, bool) {
	next := t.From
	if since >= t.From {
		if t.Period == 0 {
			return 0, false
		}
		next = t.From + ((since-t.From)/(2*t.Period)+1)*2*t.Period
	}
	return next, t.Until == 0 || next < t.Until
}
