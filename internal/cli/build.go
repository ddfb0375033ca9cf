package cli

import "runtime/debug"

// A Build says of which source a binary was made, as far as it knows.
type Build struct {
	Version string // of the module, "(devel)" if nobody has given it one
	Commit  string // "" if it is not known, as under go run
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
		if s.Key == "vcs.revision" {
			by.Commit = s.Value
		}
	}
	return by
}

// String is the version, with the commit where the version says nothing.
func (b Build) String() string {
	if b.Version != "(devel)" || len(b.Commit) < revisionShown {
		return b.Version
	}
	return b.Version + " " + b.Commit[:revisionShown]
}
