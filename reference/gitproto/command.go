// Package gitproto is the git wire layer of the server: pkt-lines, advertisements, command lists, fetch requests and
// report-status, read from an io.Reader and written to an io.Writer. It executes nothing and holds no repository.
package gitproto

import "github.com/graspkit/graspkit/reference/repo"

// A Command asks to move one ref from Old to New. repo.ZeroOID as Old creates, as New deletes.
type Command struct {
	Old, New repo.OID
	Ref      string
}

// A Shape is what a command list says besides its commands: what the core must know to judge the push.
type Shape struct {
	Certificate bool // a push certificate block; its commands are not read (G01-PUSH-18)
	Atomic      bool
	Shallow     int // number of shallow lines before the commands
	Options     []string
}
