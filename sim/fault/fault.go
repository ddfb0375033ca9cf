// Package fault says what goes wrong in a run, as values with a text form that parses back. It breaks nothing itself:
// the world carries a plan out.
package fault

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Deed is what a fault does.
type Deed string

// The deeds.
const (
	Crash   Deed = "crash"   // ends a server without warning: what its journal and its repositories do not have is lost
	Stop    Deed = "stop"    // ends a server in order
	Tear    Deed = "tear"    // ends a server without warning while its disk works: what is under way is done, not done, or done in part
	Restore Deed = "restore" // ends a server without warning, and puts back what its disk had at an earlier time
	Part    Deed = "part"    // lets nothing pass between a server and another node, or only one way
	Fail    Deed = "fail"    // has the store carry out nothing of an order, and say so
	Doubt   Deed = "doubt"   // has the store carry out an order, and say that it failed
	Fill    Deed = "fill"    // has the journal take nothing
	Slow    Deed = "slow"    // makes the disk of a server slower
	Jump    Deed = "jump"    // sets the time of day of a server
	Drift   Deed = "drift"   // sets the time of day of a server anew each minute
)

// Everybody stands for all other nodes.
const Everybody = "everybody"

// Names is the node that a server asks for the addresses of others: without it no name leads anywhere.
const Names = "names"

// Which way nothing passes in a Part.
const (
	BothWays = "and"  // neither way
	Sent     = "to"   // from the server to the node
	Received = "from" // from the node to the server
)

// Orders are those that a Fail or a Doubt strikes.
func Orders() []string { return []string{"create", "remove", "update", "copy", "tidy", "refs", "any"} }

// A Fault is one thing that goes wrong. It comes at a time, or a Crash, a Tear and a Stop after a point; fields that a deed does not use are zero.
type Fault struct {
	Do     Deed
	Server int           // from 1
	Way    string        // of Part
	With   string        // of Part: the other node, or Everybody
	Order  string        // of Fail and Doubt
	Times  int           // of Slow: how many times as slow
	By     time.Duration // of Jump: how much later the time of day is than it was at the start, earlier if negative; of Drift: a minute
	Of     time.Duration // of Restore: the time of the backup, since the start of the run
	At     time.Duration // since the start of the run; zero if it comes after a point
	After  Point
	For    time.Duration // until it is over; a server that has ended starts again then
}

// A Point is the N-th of its kind in the life of a server, or in all its lives.
type Point struct {
	Kind Kind
	N    int // from 1
	Life int // from 1; zero counts through all lives
}

// String writes the fault as Parse reads it.
func (f Fault) String() string {
	words := []string{string(f.Do), "server" + strconv.Itoa(f.Server)}
	switch f.Do { //nolint:exhaustive // the others have no words of their own
	case Part:
		words = append(words, f.Way, f.With)
	case Fail, Doubt:
		words = append(words, f.Order)
	case Slow:
		words = append(words, "by", strconv.Itoa(f.Times))
	case Jump, Drift:
		words = append(words, "by", f.By.String())
	case Restore:
		words = append(words, "of", f.Of.String())
	}
	if f.After != (Point{}) {
		words = append(words, "after", string(f.After.Kind), strconv.Itoa(f.After.N))
		if f.After.Life > 0 {
			words = append(words, "in", "life", strconv.Itoa(f.After.Life))
		}
	} else {
		words = append(words, "at", f.At.String())
	}
	if f.Do != Jump {
		words = append(words, "for", f.For.String())
	}
	return strings.Join(words, " ")
}

// Ends reports whether the fault ends a life of its server.
func (f Fault) Ends() bool { return f.Do == Crash || f.Do == Tear || f.Do == Stop || f.Do == Restore }

// Deeds lists all deeds.
func Deeds() []Deed {
	return []Deed{Crash, Tear, Stop, Restore, Part, Fail, Doubt, Fill, Slow, Jump, Drift}
}

// Forms are examples, one for each deed and way of saying when.
func Forms() []string {
	return []string{
		"crash server1 at 45m for 2m", "crash server1 after commit 17 for 2m", "crash server1 after update 2 in life 3 for 1m",
		"tear server1 at 45m for 2m", "tear server1 after begun 20 for 2m",
		"stop server1 at 45m for 2m", "restore server1 of 30m at 2h for 1m", "part server1 and git1.example at 1h for 20m",
		"part server1 and names at 1h for 20m", "part server1 to owner1 at 1h for 20m", "part server1 from everybody at 1h for 20m", "fail server1 update at 1h for 10m",
		"doubt server1 any at 1h for 10m", "fill server1 at 1h for 10m", "slow server1 by 50 at 1h for 10m", "jump server1 by -30s at 1h",
		"drift server1 by 250ms at 1h for 20m",
	}
}

// Parse reads a fault as in Forms.
func Parse(text string) (Fault, error) {
	p := parser{text: text, words: strings.Fields(text)}
	f := p.fault()
	if p.err == nil && len(p.words) > 0 {
		p.fail("%q is too much", strings.Join(p.words, " "))
	}
	if p.err != nil {
		return Fault{}, p.err
	}
	return f, nil
}

// parser reads words until the first that is wrong.
type parser struct {
	text  string
	words []string
	err   error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("fault %q: %s", p.text, fmt.Sprintf(format, args...))
	}
}

// next takes the next word; "" if there is none.
func (p *parser) next() string {
	if len(p.words) == 0 {
		return ""
	}
	word := p.words[0]
	p.words = p.words[1:]
	return word
}

func (p *parser) want(word string) {
	if got := p.next(); got != word {
		p.fail("want %q in place of %q", word, got)
	}
}

func (p *parser) duration() time.Duration {
	word := p.next()
	d, err := time.ParseDuration(word)
	if err != nil {
		p.fail("%q is no duration", word)
	}
	return d
}

func (p *parser) positive() time.Duration {
	d := p.duration()
	if d <= 0 {
		p.fail("%s is no positive duration", d)
	}
	return d
}

func (p *parser) number() int {
	word := p.next()
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || strconv.Itoa(n) != word {
		p.fail("%q is no number from 1 on", word)
	}
	return n
}

func (p *parser) oneOf(what string, all []string) string {
	word := p.next()
	if !slices.Contains(all, word) {
		p.fail("%q is no %s: use %s", word, what, strings.Join(all, ", "))
	}
	return word
}

func words[T ~string](list []T) []string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = string(w)
	}
	return out
}

func (p *parser) fault() Fault {
	f := Fault{Do: Deed(p.oneOf("fault", words(Deeds())))}
	f.Server = p.server()
	switch f.Do { //nolint:exhaustive // the others have no words of their own
	case Part:
		f.Way = p.oneOf("way", []string{BothWays, Sent, Received})
		if f.With = p.next(); f.With == "" {
			p.fail("it names no other node")
		}
	case Fail, Doubt:
		f.Order = p.oneOf("order", Orders())
	case Slow:
		p.want("by")
		f.Times = p.number()
	case Jump, Drift:
		p.want("by")
		f.By = p.duration()
	case Restore:
		p.want("of")
		f.Of = p.positive()
	}
	p.when(&f)
	if f.Do != Jump {
		p.want("for")
		f.For = p.positive()
	}
	return f
}

func (p *parser) server() int {
	word := p.next()
	number, ok := strings.CutPrefix(word, "server")
	n, err := strconv.Atoi(number)
	if !ok || err != nil || n < 1 || strconv.Itoa(n) != number {
		p.fail("%q names no server, as server1 does", word)
	}
	return n
}

// when reads at what time or after which point.
func (p *parser) when(f *Fault) {
	if len(p.words) > 0 && p.words[0] == "after" && (f.Do == Crash || f.Do == Tear || f.Do == Stop) {
		p.next()
		f.After = Point{Kind: Kind(p.oneOf("point", words(append(Kinds(), Named()...)))), N: p.number()}
		if len(p.words) > 0 && p.words[0] == "in" {
			p.next()
			p.want("life")
			f.After.Life = p.number()
		}
		return
	}
	p.want("at")
	f.At = p.positive()
}
