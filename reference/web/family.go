package web

import (
	"slices"
	"strconv"
	"strings"
)

// What the document says of the members of the GRASP family that are settings: each is listed exactly if it is on.

// What a service says that is an archive and only read.
const (
	CurationArchive    = "Read-only sync of whitelisted repositories and maintainers"
	CurationArchiveAll = "Read-only sync of all repositories found on network"
)

// archiveAll is the entry of an archive that has everything.
const archiveAll = "all"

// grasps lists what is configured, archives and contributions where they are on (G05-02, G06-ADV-01).
func (c Config) grasps() []string {
	list := append([]string{}, c.Grasps...)
	add := func(name string, on bool) {
		if on && !slices.Contains(list, name) {
			list = append(list, name)
			slices.Sort(list)
		}
	}
	add("GRASP-05", len(c.Archive) > 0)
	add("GRASP-06", c.Contributions)
	return list
}

// curation is what is configured, but for an archive that is only read: nothing else is taken there, whatever was said of it
// (G05-05).
func (c Config) curation() string {
	switch {
	case len(c.Archive) == 0 || !c.ReadOnly:
		return c.Curation
	case slices.Contains(c.Archive, archiveAll):
		return CurationArchiveAll
	}
	return CurationArchive
}

// archiveCriteria adds to what is accepted anyway what is archived.
func (c Config) archiveCriteria(otherwise string) string {
	if len(c.Archive) == 0 {
		return otherwise
	}
	what := archived(c.Archive)
	if c.ReadOnly {
		return "This is an archive that takes no pushes. Accepted are, whatever services they list, " + what + "."
	}
	return otherwise + " Archived are, whatever services they list, " + what + "."
}

// archiveTold is how many entries of an archive are told one by one.
const archiveTold = 10

func archived(entries []string) string {
	if slices.Contains(entries, archiveAll) {
		return "all repositories"
	}
	text := "repositories that these name: " + strings.Join(entries[:min(len(entries), archiveTold)], ", ")
	if more := len(entries) - archiveTold; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}
