package cli

import (
	"runtime/debug"
	"strings"
	"time"
)

// A Build says of which source a binary was made, as far as it knows.
type Build struct {
	Version string    // of the module, "(devel)" if nobody has given it one
	Commit  string    // "" if it is not known, as under go run
	Time    time.Time // of the commit, zero if that is not known
}

// revisionShown is how many digits of a commit name it to a person.
const revisionShown = 12

// ThisBuild returns the build of the running binary.
func ThisBuild() Build {
	by := Build{Version: "(devel)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return by
	}
	if info.Main.Version != "" {
		by.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			by.Commit = s.Value
		case "vcs.time":
			by.Time, _ = time.Parse(time.RFC3339, s.Value) // zero if it is none
		}
	}
	return by
}

// String is the version, with the commit where the version does not name it, as it does between two releases.
func (b Build) String() string {
	if len(b.Commit) < revisionShown || strings.Contains(b.Version, b.Commit[:revisionShown]) {
		return b.Version
	}
	return b.Version + " " + b.Commit[:revisionShown]
}
