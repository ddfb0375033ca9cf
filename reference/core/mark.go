package core

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A MarkKind says what a Mark means. The numbers are kept by journals: none is used again.
type MarkKind uint8

// The kinds of marks.
const (
	// MarkPlaceholder keeps the ref of Repo that is named after Event until its time is over: nobody has published the
	// event yet (G01-PR-07).
	MarkPlaceholder MarkKind = 1
	// MarkRetired keeps the repository Repo, although no announcement stands for it: its announcement was served and is
	// gone (G01-DEL-06).
	MarkRetired MarkKind = 2
	// MarkDeletedState remembers Event, a deleted state of Repo.Owner for the identifier, until the author has a newer one
	// (G01-DEL-07).
	MarkDeletedState MarkKind = 3
	// MarkExpired remembers Event, whose time in purgatory ran out at At, until Until (REF-PURG-10).
	MarkExpired MarkKind = 4
	// MarkDeletedAnnouncement is what MarkDeletedState is, for an announcement.
	MarkDeletedAnnouncement MarkKind = 5
)

// A Mark is a small fact without an event that outlives a restart. Kind, Event, Repo and Host name it: of two with one
// name the later is kept.
type Mark struct {
	Kind    MarkKind
	Event   string          // event id, where the kind has one
	Repo    repo.ID         // where the kind has one
	Host    string          // normalized authority, where the kind has one instead of Repo
	Count   int             // where the kind has one
	Created int64           // created_at of the event in seconds, where the kind has one
	At      instant.Instant // when it was made
	Until   instant.Instant // when it ends; 0 if it has no time of its own
}

// MarkNameMax is the longest name of a mark, in bytes: every journal takes a key of that length.
const MarkNameMax = 4096

// Name is what a journal keeps a mark under: its kind and its names, or a digest of them if they are long. Two marks of
// one name are one.
func (m Mark) Name() string {
	name := m.LongName()
	if len(name) <= MarkNameMax {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return strconv.Itoa(int(m.Kind)) + "/" + hex.EncodeToString(sum[:]) // one slash, so it is nobody's long name
}

// LongName is the name however long it is, which journals have kept marks under.
func (m Mark) LongName() string {
	return strconv.Itoa(int(m.Kind)) + "/" + m.Event + "/" + string(m.Repo.Owner) + "/" + m.Repo.Identifier + m.Host
}
