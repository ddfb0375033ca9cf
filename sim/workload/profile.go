package workload

import (
	"fmt"
	"slices"
)

// An Op is one of the things that people do.
type Op uint8

// The operations. Each is a word of scenario files; see String.
const (
	OpAnnounce   Op = iota // the own announcement
	OpWork                 // a state and its push, in either order
	OpRival                // two states of one second
	OpUnpushed             // a state that is never pushed
	OpBack                 // to what the server has had
	OpPush                 // what the team wants
	OpPlant                // a ref that nobody declared
	OpAgain                // an event that somebody has sent before
	OpRemove               // by request: an event, a kind, a key, a listing
	OpPull                 // a pull request and its commit, or one of both
	OpAsk                  // for announcements and states of the project
	OpClaim                // a stranger's state, and the push that would fit it
	OpPushOwn              // to the stranger's own repository
	OpIssue                // about the owner's repository
	OpMeddle               // with the ref of a pull request
	OpDrop                 // a maintainer leaves the set while a state of theirs waits
	OpParts                // of what is declared: one ref, or a pack that lacks objects
	OpRace                 // pushes of different refs at one instant
	OpUpdate               // a pull request and its update
	OpOther                // an event that is not of git: replaceable, addressable, ephemeral, expiring
	OpLimit                // an event at a limit, or one past it
	OpQuery                // any REQ or COUNT, or the end of one
	OpReconnect            // to a server
	OpLook                 // at the refs of a repository, as a clone or fetch does first
	OpReconcile            // by negentropy, or the end of it
	OpOdd                  // an event at the edge of what can be read, and a push that fits it
	OpPassing              // an announcement, a state or a pull request that is over by its own word soon
	OpSpeak                // what speaks of a repository or of a patch by one tag alone, and lists of servers
	OpCopy                 // an announcement that names a relay by a clone URL alone
	OpEdge                 // what few people do: roots that are none, odd requests to vanish, pushes of nothing
	OpMany                 // a state of as many refs as there may be, or one more
	OpContribute           // a pull request whose commit is at a place for contributions, or something wrong there
	OpMention              // what names several things, which let it in or are let in by it
	OpExact                // what is just at an edge: of a second, of an answer, of two times or of two repositories
	OpMeanwhile            // what comes while something else of it is under way, and what is empty where more may stand
	OpSeldom               // what follows from two things that seldom come together
	Ops                    // how many there are
)

var opNames = [Ops]string{
	"announce", "work", "rival", "unpushed", "back", "push", "plant", "again", "remove", "pull", "ask", "claim", "push_own",
	"issue", "meddle", "drop", "parts", "race", "update", "other", "limit", "query", "reconnect", "look", "reconcile", "odd", "passing", "speak", "copy", "edge", "many",
	"contribute", "mention", "exact", "meanwhile", "seldom",
}

// String is the word for an operation, "announce".
func (o Op) String() string { return opNames[o] }

// ParseOp reads the word for an operation.
func ParseOp(word string) (Op, bool) {
	i := slices.Index(opNames[:], word)
	return Op(max(i, 0)), i >= 0
}

// Weights say how often an operation is drawn, set against the sum of all of them; what has zero never is. All zero
// stands for the usual ones.
type Weights [Ops]int

// The usual weights, in the order in which a draw goes through them.
var (
	usualTeam = []weighted{
		{OpAnnounce, 2},
		{OpWork, 5},
		{OpRival, 1},
		{OpUnpushed, 1},
		{OpBack, 2},
		{OpPush, 1},
		{OpPlant, 1},
		{OpAgain, 2},
		{OpRemove, 1},
		{OpPull, 1},
		{OpAsk, 1},
	}
	usualStranger = []weighted{
		{OpAnnounce, 1},
		{OpClaim, 2},
		{OpPush, 1},
		{OpPushOwn, 1},
		{OpPlant, 2},
		{OpIssue, 1},
		{OpPull, 2},
		{OpMeddle, 1},
		{OpRemove, 1},
		{OpAgain, 1},
	}
)

type weighted struct {
	op     Op
	weight int
}

// table is what is drawn from.
func (w Weights) table(usual []weighted) []weighted {
	if w == (Weights{}) {
		return usual
	}
	var t []weighted
	for op, weight := range w {
		if weight > 0 {
			t = append(t, weighted{Op(op), weight})
		}
	}
	return t
}

// A Chain is who lists whom as maintainer.
type Chain string

// The chains. Each is a word of scenario files.
const (
	Star   Chain = ""       // the owner lists all others, and they the owner
	Line   Chain = "line"   // everybody lists the next one
	Circle Chain = "circle" // and the last one the owner
	Drawn  Chain = "drawn"  // everybody lists whom they like at the moment
)

// Chains lists all of them.
func Chains() []Chain { return []Chain{Star, Line, Circle, Drawn} }

// MaintainersMax is how many maintainers a project can have beside its owner.
const MaintainersMax = 6

// A Profile says how people behave. The zero value is the usual: one maintainer, every operation of the usual ones, each
// event dated when it is made and sent to all servers once.
type Profile struct {
	Maintainers int   // beside the owner; zero is one
	Chain       Chain // who lists whom
	Identifiers int   // projects share so many identifiers; zero is one for each
	Owners      int   // and so many people, who then work on several projects; zero is their own for each
	Keys        int   // people of all seeds share the keys of so many; zero is their own for each seed
	Aliases     bool  // identifiers differ in case, in an ending or in how they are encoded only

	Dated   int64 // events of a million that are dated before or behind the time that they are made
	Partly  int64 // events and pushes of a million that go to some servers only
	Listing int64 // announcements of a million that list some servers only
	Retried int64 // events of a million that are sent again until they are answered

	Team     Weights // of owner and maintainers
	Stranger Weights
}

// Validate returns an error that names the field that makes no sense.
func (p Profile) Validate() error {
	switch {
	case p.Maintainers < 0 || p.Maintainers > MaintainersMax:
		return fmt.Errorf("maintainers is %d, want 1 to %d", p.Maintainers, MaintainersMax)
	case !slices.Contains(Chains(), p.Chain):
		return fmt.Errorf("chain %q is none", p.Chain)
	case p.Identifiers < 0 || p.Owners < 0 || p.Keys < 0:
		return fmt.Errorf("identifiers, owners and keys are %d, %d and %d, want 1 or more", p.Identifiers, p.Owners, p.Keys)
	}
	for _, share := range []int64{p.Dated, p.Partly, p.Listing, p.Retried} {
		if share < 0 || share > million {
			return fmt.Errorf("a share is %d, want 0 to %d of a million", share, int64(million))
		}
	}
	for op := range Ops {
		if p.Team[op] < 0 || p.Stranger[op] < 0 {
			return fmt.Errorf("the weight of %s is negative", op)
		}
	}
	return nil
}

const million = 1_000_000
