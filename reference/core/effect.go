package core

import (
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// An Effect is something that the shell must do. The Record effects of a step are made durable, in order and all
// together, before any other effect of that step or a later one is carried out; then the others follow in order.
type Effect interface{ effect() }

// Effects collects the effects of one or more steps, in order. The zero value is ready.
type Effects struct{ List []Effect }

func (e *Effects) add(x Effect) { e.List = append(e.List, x) }

// Reset empties the list and keeps its memory.
func (e *Effects) Reset() {
	clear(e.List)
	e.List = e.List[:0]
}

// An Op says what a Record does to the journal.
type Op uint8

// The journal operations. Applying the same record twice is the same as once.
const (
	OpStore   Op = iota + 1 // Event is stored; an event of the same id that was held is no longer
	OpUnstore               // the event ID is stored no more: replaced or deleted
	OpHold                  // Event is held until Deadline; also written when the deadline moves
	OpDrop                  // the event ID is held no more: replaced, superseded, deleted or expired
	OpMark                  // Mark is true from now on
	OpUnmark                // the mark with the name of Mark is true no more
)

// Record is one journal entry.
type Record struct {
	Op       Op
	ID       string          // event id, in every operation on an event
	Event    *nostr.Event    // OpStore, OpHold
	Arrived  instant.Instant // OpHold
	Deadline instant.Instant // OpHold
	Soft     bool            // OpHold: an announcement in the second phase of its life (REF-PURG-01)
	Mark     Mark            // OpMark, OpUnmark
}

// Send sends a message to a client. The records of its step are durable before, so an OK true and a live EVENT follow
// durability.
type Send struct {
	Conn ConnID
	Msg  relay.ServerMessage
}

// SearchEvents asks for what a question finds, which costs more than a step should. It is answered by EventsFound with what
// Find returns. Nobody but the client waits for it: a connection has one at a time.
type SearchEvents struct {
	Request  RequestID
	Question Question
}

// CloseConn closes a connection from our side.
type CloseConn struct{ Conn ConnID }

// PushExpected lets the pack of a push come: what it asks for is right at present.
type PushExpected struct{ Push PushID }

// PushAdmitted lets a push run with exactly the commands that were offered. It is answered by PushDone. Until then the
// core admits no other push to the repository and gives no order for it.
type PushAdmitted struct{ Push PushID }

// PushRefused ends a push before its pack is used. Nothing needs to be durable.
type PushRefused struct {
	Push   PushID
	Ruling policy.Ruling
}

// AskObjects asks which of the oids a repository lacks. It is answered by ObjectFacts; other inputs may come before.
type AskObjects struct {
	Request RequestID
	Repo    repo.ID
	OIDs    []repo.OID
}

// CreateRepository orders an empty bare repository. It is answered by RepositoryDone.
type CreateRepository struct {
	Request RequestID
	Repo    repo.ID
}

// RemoveRepository orders a repository deleted. It is answered by RepositoryDone.
type RemoveRepository struct {
	Request RequestID
	Repo    repo.ID
}

// ReadRefs asks what refs a repository has, after an order for it has failed. It is answered by RepositoryDone.
type ReadRefs struct {
	Request RequestID
	Repo    repo.ID
}

// UpdateRefs orders refs moved without a push, all or none, and HEAD pointed at Head unless that is "". Git comes
// first, the journal second: the events that this makes true are recorded only after RepositoryDone.
type UpdateRefs struct {
	Request  RequestID
	Repo     repo.ID
	Commands []gitproto.Command
	Head     string
}

// CopyObjects orders objects of another repository of the server, with all that they reach, into a repository: all or
// none. No ref moves. It is answered by ObjectFacts: what of the objects the repository still lacks (G01-XR-01).
type CopyObjects struct {
	Request    RequestID
	Repo, From repo.ID
	OIDs       []repo.OID
}

// TidyRepository orders what refs and Keep reach packed together and everything else removed. No ref moves, and who
// reads meanwhile finds all that is reached. It is answered by RepositoryDone.
type TidyRepository struct {
	Request RequestID
	Repo    repo.ID
	Keep    []repo.OID // sorted; some of them may not be there
}

// CancelTidy asks for an early end of a TidyRepository, because something else is to be done in the repository. That is
// answered all the same, as failed if it has not come to its end.
type CancelTidy struct{ Request RequestID }

func (Record) effect()           {}
func (SearchEvents) effect()     {}
func (Send) effect()             {}
func (CloseConn) effect()        {}
func (PushExpected) effect()     {}
func (PushAdmitted) effect()     {}
func (PushRefused) effect()      {}
func (AskObjects) effect()       {}
func (CreateRepository) effect() {}
func (RemoveRepository) effect() {}
func (ReadRefs) effect()         {}
func (UpdateRefs) effect()       {}
func (CopyObjects) effect()      {}
func (TidyRepository) effect()   {}
func (CancelTidy) effect()       {}
func (Note) effect()             {}
