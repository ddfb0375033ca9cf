package core

import (
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// A ConnID names one WebSocket connection. The shell never uses one twice.
type ConnID uint64

// A PushID names one push. The shell never uses one twice.
type PushID uint64

// A RequestID names one question or order of the core to its shell, answered by exactly one input.
type RequestID uint64

// An Input is something that happened to the server.
type Input interface{ input() }

// Started is the first input: what survived the last run. Nothing else may come before it.
type Started struct {
	Stored       []*nostr.Event
	Held         []HeldEvent
	Marks        []Mark
	Repositories []RepositoryRefs
	// Incomplete says that something of what was kept could not be read: a repository that nothing speaks of may be one
	// that it spoke of.
	Incomplete bool
}

// A HeldEvent is an event in purgatory, as the journal keeps it.
type HeldEvent struct {
	Event    *nostr.Event
	Arrived  instant.Instant
	Deadline instant.Instant
	Soft     bool // as in Record
}

// RepositoryRefs is one repository as the backend has it. Unknown says that its refs could not be read.
type RepositoryRefs struct {
	ID      repo.ID
	Refs    gitstore.Refs
	Unknown bool
}

// ConnOpened says that a client connected. Challenge is a text that nobody could foresee and no other connection has,
// for the client to authenticate with (NIP-42); with "" it cannot.
type ConnOpened struct {
	Conn      ConnID
	Challenge string
}

// ConnClosed says that a connection is gone; the shell sends nothing on it any more.
type ConnClosed struct{ Conn ConnID }

// Message is one decoded frame of a client. SigOK is meaningful for a relay.Event and a relay.Auth only.
type Message struct {
	Conn  ConnID
	Msg   relay.ClientMessage
	SigOK bool
}

// PushAsked is the command list of a push, read to its end, whose pack is still to come. It is answered by exactly one
// PushExpected or PushRefused. While the pack comes, which is as slow as its sender, the push holds nothing but what
// authorizes it; PushOffered follows when it is here, or PushForgone when it will not be.
type PushAsked PushOffered

// PushForgone ends a push whose pack does not come, or whose client has gone before anything was carried out. It may come
// at any time, also when the push has been refused.
type PushForgone struct{ Push PushID }

// PushOffered is a push whose pack is here, before any of it is used. It is answered by exactly one PushAdmitted or
// PushRefused, by what is true then.
type PushOffered struct {
	Push     PushID
	Repo     repo.ID
	Commands []gitproto.Command
	Shape    gitproto.Shape
}

// PushDone ends a push that was admitted, whatever its outcome. The refs named OK in the report have moved. Disk is what
// is there behind a push of which something failed; nil says that it could not be read, so that nobody knows.
type PushDone struct {
	Push   PushID
	Report gitstore.Report
	Disk   *OnDisk
}

// ObjectFacts answers AskObjects and CopyObjects: those of the oids that the repository does not have. A copy that failed
// has brought none of them.
type ObjectFacts struct {
	Request RequestID
	Missing []repo.OID
}

// EventsFound answers SearchEvents.
type EventsFound struct {
	Request RequestID
	Found   Found
}

// RepositoryDone answers CreateRepository, RemoveRepository, UpdateRefs, ReadRefs and TidyRepository. What was carried out
// is as it was ordered. A failed order may have been carried out in part: Disk is what is there behind it, and behind
// ReadRefs; nil says that it could not be read, so that nobody knows.
type RepositoryDone struct {
	Request RequestID
	OK      bool
	Disk    *OnDisk
}

// OnDisk is what a shell has found of a repository.
type OnDisk struct {
	There bool
	Refs  gitstore.Refs
}

// TimerFired says that the instant named by Deadline has come. A spurious one does no harm.
type TimerFired struct{}

// ClockSet says that the time of day is not what the instants say, which go on at their pace whatever clocks are set to:
// it is later by Ahead, earlier if that is negative. Until the first one they are the same. What an event says of itself
// in seconds since the epoch is compared with the time of day; nothing else is.
type ClockSet struct{ Ahead time.Duration }

// Shutdown asks for an orderly end: every connection is closed and no push is admitted any more.
type Shutdown struct{}

func (Started) input()        {}
func (ClockSet) input()       {}
func (ConnOpened) input()     {}
func (ConnClosed) input()     {}
func (Message) input()        {}
func (PushAsked) input()      {}
func (PushForgone) input()    {}
func (PushOffered) input()    {}
func (PushDone) input()       {}
func (EventsFound) input()    {}
func (ObjectFacts) input()    {}
func (RepositoryDone) input() {}
func (TimerFired) input()     {}
func (Shutdown) input()       {}
