// Package gitroom is a plant: a pure room that speaks to go-git.
package gitroom

import (
	"time"

	"github.com/go-git/go-git/v5/plumbing/object"
)

func sign(sec int64) object.Signature {
	return object.Signature{When: time.Unix(sec, 0).UTC()}
}

func age(c *object.Commit) int64 { return c.Committer.When.Unix() }

func later(c *object.Commit) bool {
	return c.Committer.When.After(time.Now()) // want: pure-time
}

func when(c *object.Commit) (t time.Time) { // want: pure-time
	return c.Committer.When.Local() // want: pure-func
}
