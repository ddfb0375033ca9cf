// Package history asks of what several clients saw of one repository whether some order of it all explains it: every answer
// to an event, every push report, every advertisement and every query is an operation with the moments at which it began and
// ended, and a search looks for an order in which a GRASP server may have done them. It sends nothing, knows no time but the
// order of moments, and says nothing of what never came: silence is no operation. The objects of git are numbers here; those of
// a check are made by package client.
package history

import "slices"

// Limits of one history: the search is exponential in what happens at the same time.
const (
	StatesMax  = 32
	ObjectsMax = 30
	RefsMax    = 4
	AuthorsMax = 4
)

// An Object is what a ref may point to, counted from 1 as in Repository.Objects.
type Object uint8

// None is where a ref is not there; Foreign is an object that nobody of the history has made.
const (
	None    Object = 0
	Foreign Object = 255
)

// A Refs says where each ref is, in the order of Repository.Refs.
type Refs [RefsMax]Object

// A Repository is what a history is about. It is served with what the first state says when the history begins.
type Repository struct {
	Refs    []string // names, at most RefsMax
	Objects []string // names, at most ObjectsMax
	Authors []string // names, at most AuthorsMax
	States  []State  // whatever anybody may publish, at most StatesMax
}

// A State is one signed state of the repository.
type State struct {
	Author int
	Date   int64  // created_at
	ID     string // of two of one date the lower one counts
	Refs   Refs
}

// Rules are what a row asks for beyond what every server owes.
type Rules struct {
	Latest  bool // the latest of several held states alone authorizes (G01-PURG-17)
	Deleted bool // a held state that was deleted authorizes nothing, and is not served (G01-DEL-01)
}

// A Kind is what an operation does.
type Kind uint8

// The kinds of operations.
const (
	Publish Kind = iota + 1 // a state
	Delete                  // a state, by its id
	Push                    // commands
	Read                    // an advertisement
	Query                   // for the states of the repository
	Restart                 // an orderly end and a start of the server
)

// A Result is how an operation was answered.
type Result uint8

// The results. What was not answered may have happened, or may happen until the end of the history.
const (
	Unknown Result = iota
	Accepted
	Refused
)

// An Operation is one act of a client, with what it saw. Moments are drawn from one counter for all clients.
type Operation struct {
	Client       int
	Kind         Kind
	Call, Return int64
	Result       Result
	Began, Ended int64 // in milliseconds since the history began, for those who read about it

	State    int       // of Publish and Delete
	Commands []Command // of Push
	Carries  []Object  // of Push; all objects in the pack
	Refs     Refs      // of Read
	Stray    string    // of Read; a ref that no state of the history has
	Settled  bool      // of Read; nothing was under way for so long that what is shown is what is there
	Served   []int     // of Query; states
	Unsigned string    // of Query; an event that nobody of the history has made
}

// A Command is one line of a push.
type Command struct {
	Ref      int
	Old, New Object
	OK       bool // it was reported as done
}

// changes reports whether an operation may change something of the repository.
func (o Operation) changes() bool { return o.Kind != Read && o.Kind != Query }

// done are the commands that were reported as done.
func (o Operation) done() []Command {
	return slices.DeleteFunc(slices.Clone(o.Commands), func(c Command) bool { return !c.OK })
}
