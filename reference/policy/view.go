package policy

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// A View is what the rules may look at: events that are held or stored at this instant. Entries past their deadline are
// not in it.
type View interface {
	// Announcement returns the accepted announcement at id, held or stored.
	Announcement(id repo.ID) (repo.Announcement, bool)
	// Hosted reports whether the accepted announcement at id lists this service, or is archived here, and has its repository; of
	// a place for contributions, whether it is there.
	Hosted(id repo.ID) bool
	// Owners returns who has an accepted announcement of the identifier that lists this service, sorted: the roots of
	// maintainer sets that mean something here.
	Owners(identifier string) []repo.PubKey
	// MaintainerSet returns the maintainer set of the repository at id; empty without an announcement (G01-MNT-01).
	MaintainerSet(id repo.ID) []repo.PubKey
	// Holding returns those of Owners whose maintainer set holds the key, sorted.
	Holding(key repo.PubKey, identifier string) []repo.PubKey
	// Vouches reports whether the maintainer set of the repository at id holds the author of a once a is accepted: a may
	// be what lists back (repo.Reciprocal).
	Vouches(id repo.ID, a repo.Announcement) bool
	// Stored returns a stored event, or nil.
	Stored(id string) *nostr.Event
	// StoredAt returns the stored event with this address, or nil.
	StoredAt(kind int, author, identifier string) *nostr.Event
	// Mentioned reports whether a stored event refers to the event id by an e, E or q tag. Events that anybody may
	// store without a reference do not count (INV-27).
	Mentioned(id string) bool
}
