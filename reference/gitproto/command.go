// Package gitproto is the git wire layer of the server: pkt-lines, advertisements, command lists, fetch requests and
// report-status, read from an io.Reader and written to an io.Writer. It executes nothing and holds no repository.
package gitproto

import (
	"slices"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Command asks to move one ref from Old to New. repo.ZeroOID as Old creates, as New deletes, as both see Grounded.
type Command struct {
	Old, New repo.OID
	Ref      string
}

// Grounded returns the commands as they are carried out where each ref is at what at says. A ref that is where a command
// wants it needs no move: a state has moved it, perhaps, since the client looked. And a client that finds a ref gone which
// it is to delete says ZeroOID twice, as git's own server takes it: a deletion of whatever is there. In both the old value
// becomes the one that is; of all others it says what the client relies on, and is compared.
func Grounded(commands []Command, at func(ref string) repo.OID) []Command {
	grounded := commands // most say already what is
	for i, c := range commands {
		is := at(c.Ref)
		if c.Old == is || c.New != is && (!c.Old.IsZero() || !c.New.IsZero()) {
			continue
		}
		if &grounded[0] == &commands[0] {
			grounded = slices.Clone(commands)
		}
		grounded[i].Old = is
	}
	return grounded
}

// A Shape is what a command list says besides its commands: what the core must know to judge the push.
type Shape struct {
	Certificate bool // a push certificate block; its commands are not read (G01-PUSH-18)
	Atomic      bool
	Shallow     int // number of shallow lines before the commands
	Options     []string
}
