package gitexec_test

import (
	"fmt"
	"testing"
)

// A check is one thing that a user of git does, done with the installed git.
type check struct {
	name  string
	vital bool
	run   func(w *world)
	since string // the first version of git whose client can do it; "" is any
	only  string // the one protocol version that has something to show; "" is all
	heavy bool   // -short leaves it out
}

// skip ends a check that the installed git cannot do, or that has nothing to show.
func (c check) skip(t *testing.T, installed, version string) {
	t.Helper()
	var major, minor, wantMajor, wantMinor int
	if c.since != "" {
		_, _ = fmt.Sscanf(installed, "git version %d.%d", &major, &minor)
		_, _ = fmt.Sscanf(c.since, "%d.%d", &wantMajor, &wantMinor)
	}
	switch {
	case major < wantMajor || major == wantMajor && minor < wantMinor:
		t.Skipf("%s cannot do it: it needs %s", installed, c.since)
	case c.only != "" && c.only != version:
		t.Skipf("this is about protocol version %s", c.only)
	case c.heavy && testing.Short():
		t.Skip("-short moves no large packs")
	}
}

// gitVersion returns what the installed git says of itself.
func gitVersion(t *testing.T) string {
	t.Helper()
	stdout, _, err := runGit(t, "", "version")
	if err != nil {
		t.Fatal(err)
	}
	return stdout
}
