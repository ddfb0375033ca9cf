package suite

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/graspkit/graspkit/features"
)

// A step is one form of step, and all that can be known of it without running it: the lint of features, barriers, what a
// run needs and costs, and the page about the vocabulary are derived from these fields.
type step struct {
	text     string        // a regular expression, in which a word in braces stands for a group; see placeholders
	role     role          // what it is for in a check; how its outcome counts follows from that
	sees     sight         // what it makes the target say, or judges
	within   time.Duration // how long the target has for it; zero is at once
	cost     cost
	needs    []string // powers of the target, by the words of tags such as "needs:clock"
	refuses  bool     // it judges a refusal, which proves nothing without an accepted twin
	answered bool     // of an act: it looks at the answer itself, and any will do
	unmoved  bool     // it judges that the act changed nothing: somebody looks before the act and behind it
	absent   bool     // it judges, behind a barrier, what is or is not served
	scores   bool     // of a twin: that it fails is a violation of the row itself
	doc      string   // one line for authors

	run  func(w *world, words []string, table [][]string) outcome
	form *expression // of text
	word string      // the longest text without a group, which every fitting line holds
}

// A role says what a step is for.
type role uint8

// The roles of steps.
const (
	setUp     role = iota + 1 // brings about what the check rests on; that it cannot is no violation of the check's row
	act                       // does what the check is about, and judges nothing
	assertion                 // judges what the act brought
	record                    // notes a fact, whatever it is
	twin                      // the accepted counterpart of a refusal, which differs in the one tested thing
	control                   // shows that the target is as it was; it never scores for the row under test
)

func (r role) String() string {
	return [...]string{"", "set-up", "act", "assertion", "record", "twin", "control"}[r]
}

// A sight is the kind of observation that a step makes.
type sight string

// The kinds of observations.
const (
	answers      sight = "the answer to an event"
	servedEvents sight = "what the relay serves"
	advertised   sight = "the refs that are advertised"
	reports      sight = "the answer to a push"
	fetched      sight = "what a fetch brings"
	pages        sight = "an HTTP answer"
	hostsAsked   sight = "what a git host of the suite is asked"
	relaysAsked  sight = "what a relay of the suite is asked"
	serverLife   sight = "the end and the start of the server"
	passing      sight = "time"
)

// A cost is what a step leaves behind on the target.
type cost struct {
	events, pushes int
	each           bool // for each of the number that the step names first
}

// table reports whether the step has a table: its text ends in a colon.
func (s step) table() bool { return strings.HasSuffix(s.text, ":") }

// spends is the cost of the step with the words of one line.
func (s step) spends(words []string) cost {
	c := s.cost
	if !c.each {
		return c
	}
	for _, word := range words {
		if digits.MatchString(word) {
			n := int(number(word))
			return cost{events: n * c.events, pushes: n * c.pushes}
		}
	}
	return c
}

var digits = regexp.MustCompile(`^[0-9]+$`)

// A registry is every form of step.
type registry struct {
	steps []step
	found sync.Map // text to bound, for a line stands in many checks
}

// A bound is a line of a check with the step that it is a form of.
type bound struct {
	step    step
	words   []string
	fitting int // how many steps it is a form of: one, unless a feature is wrong
}

// theRegistry is made once.
var theRegistry = sync.OnceValue(func() *registry { return newRegistry(families()...) })

// families are the steps by subject, in the order of the page about them.
func families() [][]step {
	return [][]step{
		announcementSteps(),
		stateSteps(),
		tieSteps(),
		phaseSteps(),
		identifierSteps(),
		eventSteps(),
		forgerySteps(),
		spellingSteps(),
		tagsSteps(),
		relatedSteps(),
		deletionSteps(),
		erasureSteps(),
		vanishSteps(),
		lifetimeSteps(), escapedSteps(),
		authenticationSteps(),
		privateSteps(),
		tokenSteps(),
		apartSteps(),
		breathSteps(), twoConnectionsSteps(),
		pieceSteps(),
		shownSteps(),
		markedSteps(),
		stockMemberSteps(),
		waitSteps(),
		contributionSteps(),
		servedSteps(),
		heldSteps(),
		querySteps(),
		filterSteps(),
		dressedSteps(), characterSteps(),
		oftenSteps(),
		subscriptionSteps(),
		valueSteps(),
		agreeingSteps(),
		lastingSteps(),
		orderSteps(),
		reconciliationSteps(),
		repositorySteps(),
		pushSteps(),
		commandSteps(),
		raceSteps(),
		siblingSteps(),
		pullRequestSteps(),
		releasedSteps(),
		gitSteps(),
		negotiationSteps(),
		cutSteps(),
		stockGitSteps(),
		transportSteps(),
		visitSteps(),
		pathSteps(),
		documentSteps(),
		answerSteps(),
		listedSteps(),
		admissionSteps(),
		hostileSteps(),
		weightSteps(),
		huntSteps(),
		hostSteps(),
		namedHostSteps(),
		relaySteps(),
		plusSteps(),
		archiveSteps(),
		restartSteps(),
		expirySteps(),
	}
}

func newRegistry(families ...[]step) *registry {
	r := &registry{steps: slices.Concat(families...)}
	for i := range r.steps {
		r.steps[i].compile()
	}
	return r
}

// find returns the step that a line is a form of.
func (r *registry) find(line string) bound {
	known, _ := r.found.Load(line)
	if b, ok := known.(bound); ok {
		return b
	}
	var b bound
	for _, s := range r.steps {
		if !strings.Contains(line, s.word) {
			continue
		}
		if m := s.form.expr().FindStringSubmatch(line); m != nil {
			b.fitting++
			b.step, b.words = s, m[1:]
		}
	}
	r.found.Store(line, b)
	return b
}

// of returns the steps of a check.
func (r *registry) of(c features.Check) []bound {
	all := make([]bound, len(c.Steps))
	for i, s := range c.Steps {
		all[i] = r.find(s.Text)
	}
	return all
}

// some reports whether a property holds of a step of the check.
func (r *registry) some(c features.Check, holds func(step) bool) bool {
	return slices.ContainsFunc(c.Steps, func(s features.Step) bool { return holds(r.find(s.Text).step) })
}

// needs reports whether the check needs a power of the target, by one of its steps or by its tag.
func (r *registry) needs(c features.Check, power string) bool {
	return c.Has("needs:"+power) || r.some(c, func(s step) bool { return slices.Contains(s.needs, power) })
}
