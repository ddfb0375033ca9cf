// Package admission tells a server that is for its members alone (GRASP-08) who they are, by a command of its operator. It does not
// know whether the server goes by that: who judges it sees for itself.
package admission

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
)

// FilePlaceholder stands, in the words of the command, for the path of the list.
const FilePlaceholder = "{file}"

// Within is how long the command may take unless told otherwise.
const Within = time.Minute

// A Command is who is told. Words are required.
type Command struct {
	// Words are the words of the command line, the program first; no shell is involved. {file} stands for a file with the public keys of
	// the members, in hexadecimal, one a line; it is there while the command runs.
	Words []string
	// Within bounds the command; zero means Within.
	Within time.Duration
	// Fill replaces what other placeholders there are, when the command is run; nil replaces none.
	Fill func(words []string) []string
}

// SetMembers runs the command, and returns when it has ended. The list is of the members that a run needs, and of nobody else: the
// command may add others to it. Errors are those of launch.Run and of a list that cannot be written.
func (c *Command) SetMembers(ctx context.Context, pubkeys []string) error {
	list, err := os.CreateTemp("", "graspkit-members-")
	if err != nil {
		return fmt.Errorf("list of members: %w", err)
	}
	defer func() { _ = os.Remove(list.Name()) }() // temporary anyway
	_, err = list.WriteString(strings.Join(append(pubkeys, ""), "\n"))
	if closed := list.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(list.Name(), 0o644) //nolint:gosec // the server may be another user, and public keys are no secret
	}
	if err != nil {
		return fmt.Errorf("list of members: %w", err)
	}
	words := c.Words
	if c.Fill != nil {
		words = c.Fill(words)
	}
	filled := make([]string, len(words))
	for i, word := range words {
		filled[i] = strings.ReplaceAll(word, FilePlaceholder, list.Name())
	}
	within := c.Within
	if within <= 0 {
		within = Within
	}
	return launch.Run(ctx, filled, within)
}
