package main

import (
	"crypto/rand"
	"encoding/hex"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
)

// seedUsage is what --seed says of itself.
const seedUsage = "make keys and identifiers from `TEXT`, and from the nonce, instead of chance"

// A nonce is what tells the keys and identifiers of a run from those of another run with the same seed.
type nonce struct {
	given func() bool // reports whether there was one on the command line
	text  string
}

func (n *nonce) flag(c *cobra.Command) {
	const name = "nonce"
	n.given = func() bool { return c.Flags().Changed(name) }
	c.Flags().StringVar(&n.text, name, "", "repeat the run that reported this nonce (`TEXT`) and its seed, on a fresh server (drawn anew for each run by URL; none for sim and serve)")
}

// of is the nonce of a run: the one that was asked for, or a fresh one for a server that may have seen the seed before.
// sim and serve are new with each run, and the same seed shows the same there.
func (n *nonce) of(t target.Target) string {
	if n.given() || suite.WorldOf(t) != "live" {
		return n.text
	}
	return freshText()
}

// freshBytes is the length of a seed or a nonce that is made by chance.
const freshBytes = 8

func freshText() string {
	b := make([]byte, freshBytes)
	_, _ = rand.Read(b) // never fails, it says
	return hex.EncodeToString(b)
}
