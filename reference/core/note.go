package core

import "github.com/graspkit/graspkit/reference/repo"

// A Note is a fact about what the server did: the single source of logs, metrics, traces and measurements. It asks the
// shell for nothing and is never sent to a client.
type Note struct {
	Fact        Fact
	Event       string  // event id, where there is one
	Kind        int     // event kind, where there is an event
	PubKey      string  // its author
	Repo        repo.ID // repository or, for a state event, its identifier with an empty owner
	Push        PushID
	URL         string // of another relay
	Requirement string // id of the rule that decided
	Reason      string
	Count       int // refs moved, waiting events, ... as the Fact says
}

// A Fact says what a Note is about.
type Fact string

// The facts.
const (
	EventStored       Fact = "event_stored"       // accepted and served from now on
	EventHeld         Fact = "event_held"         // accepted into purgatory
	EventReleased     Fact = "event_released"     // moved from purgatory to the store by git data
	EventRefused      Fact = "event_refused"      // answered OK false
	EventDuplicate    Fact = "event_duplicate"    // known already
	EventReplaced     Fact = "event_replaced"     // a newer version took its place, in purgatory or in the store
	EventSoftened     Fact = "event_softened"     // a held announcement lost its repository
	EventRevived      Fact = "event_revived"      // and got a new one
	EventDeleted      Fact = "event_deleted"      // at the request of its author
	EventExpired      Fact = "event_expired"      // its time in purgatory ran out
	PushStarted       Fact = "push_admitted"      // Count commands
	PushStopped       Fact = "push_refused"       // by the Ruling
	PushFinished      Fact = "push_done"          // Count refs moved
	PushFailed        Fact = "push_failed"        // admitted, but the pack or a ref was refused
	RefsMoved         Fact = "refs_moved"         // by an event without a push; Count refs
	ObjectsCopied     Fact = "objects_copied"     // from another repository, with what they reach; Count objects
	RefPlaced         Fact = "ref_placed"         // a pull request ref waits for its event
	RefsExpired       Fact = "refs_expired"       // pull request refs whose events did not come; Count refs
	RepositoryCreated Fact = "repository_created" // an empty bare repository
	RepositoryRemoved Fact = "repository_removed"
	RepositoryRetired Fact = "repository_retired" // kept and served no more
	RepositoryTidied  Fact = "repository_tidied"  // Count packs that it had got since it was tidied last
	RepositoryBroken  Fact = "repository_broken"  // an order for it failed
	ConnectionRefused Fact = "connection_refused"
)
