// Package gitstore says what a store of git repositories is, and holds the deterministic memory backend on go-git
// storers: quarantine, compare-and-swap, object walks. It authorizes nothing and speaks no HTTP.
package gitstore

import (
	"errors"
	"io"
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// ErrNoRepository is returned when a repository is not there.
var ErrNoRepository = errors.New("gitstore: no such repository")

// ErrConflict is returned by Update when a ref does not hold its expected old value; nothing was changed.
var ErrConflict = errors.New("gitstore: a ref changed meanwhile")

// A Cancel tells a long operation to stop: Err becomes non-nil. A context.Context is one.
type Cancel interface{ Err() error }

// Refs is the ref state of one repository.
type Refs struct {
	Head string     // target of the symbolic HEAD, "refs/heads/main"; it may name a branch that does not exist yet
	Refs []repo.Ref // all refs but HEAD, sorted by name
}

// A Push is what a backend executes: exactly the commands that were judged, all or none of them.
type Push struct {
	Commands []gitproto.Command
	Shallow  []repo.OID // shallow boundary that the client declared
	Options  []string
	// Here, if not nil, is called once when the pack is here, to its end, and before the push makes anybody wait or changes
	// anything. With an error of it the push ends, and Receive returns that error.
	Here func() error
}

// Arrived calls Here.
func (p Push) Arrived() error {
	if p.Here == nil {
		return nil
	}
	return p.Here()
}

// A Report is the outcome of a push, in the words of report-status.
type Report struct {
	Unpack  string // "ok", or why the pack was refused
	Results []Result
	Notes   []string // what else the git user may want to know of a refusal, line by line; no paths, no internal errors
}

// Whole reports whether the pack was taken and every command carried out.
func (r Report) Whole() bool {
	return r.Unpack == UnpackOK && !slices.ContainsFunc(r.Results, func(x Result) bool { return !x.OK })
}

// A Result is the outcome of one command.
type Result struct {
	Ref    string
	OK     bool
	Reason string // why not, in words for the git user; no paths, no internal errors
}

// UnpackOK is Report.Unpack of a pack that was taken.
const UnpackOK = "ok"

// Reasons of results that every backend spells alike.
const (
	ReasonStale    = "stale old value: the ref does not point to the expected object"
	ReasonAtomic   = "atomic push failure: another ref was refused"
	ReasonUnpack   = "unpacker error"
	ReasonMissing  = "missing necessary objects"
	ReasonName     = "funny refname"
	ReasonCollides = "the name collides with another ref"
	ReasonBranch   = "a branch must point to a commit"
)

// Refused returns a report in which no command was executed. The refs of reasons get their reason, all others
// ReasonAtomic, or ReasonUnpack if unpack is not UnpackOK.
func Refused(commands []gitproto.Command, unpack string, reasons map[string]string) Report {
	other := ReasonAtomic
	if unpack != UnpackOK {
		other = ReasonUnpack
	}
	report := Report{Unpack: unpack}
	for _, c := range commands {
		reason, ok := reasons[c.Ref]
		if !ok {
			reason = other
		}
		report.Results = append(report.Results, Result{Ref: c.Ref, Reason: reason})
	}
	return report
}

// Status returns the report as the message that a client reads.
func (r Report) Status() gitproto.Status {
	s := gitproto.Status{Unpack: r.Unpack}
	for _, result := range r.Results {
		s.Refs = append(s.Refs, gitproto.RefStatus(result))
	}
	return s
}

// A Backend stores bare repositories. Calls for one repository are serialized by the caller, except Advertise,
// UploadPack, Refs, Missing and Take, which may run at the same time as anything. Refs of a repository are written only
// by Create, Remove, Update and Receive, and objects by Copy, Take and Tidy besides.
type Backend interface {
	// Create makes an empty repository whose HEAD names repo.HeadNew. It repairs a half-made one and does nothing
	// to a complete one.
	Create(id repo.ID) error
	// Remove deletes a repository; one that is not there is no error.
	Remove(id repo.ID) error
	// Repositories lists what is there, sorted by repo.ID.Compare.
	Repositories() ([]repo.ID, error)
	// Refs returns all refs; ErrNoRepository if it is not there.
	Refs(id repo.ID) (Refs, error)
	// Missing returns those of oids that the repository does not have, in the order given.
	Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error)
	// Update moves refs, all or none, comparing old values, and then points HEAD at head unless head is "".
	Update(id repo.ID, commands []gitproto.Command, head string) error
	// Advertise writes the ref advertisement of a service, service line included where the protocol version has one.
	Advertise(c Cancel, id repo.ID, service gitproto.Service, version int, w io.Writer) error
	// UploadPack serves one stateless upload-pack request.
	UploadPack(c Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error
	// Receive reads a pack (absent when every command deletes) into quarantine, checks that all it needs is there,
	// and moves the refs, all or none, by the commands as gitproto.Grounded has them. A refusal is a Report; an error
	// means that the store itself failed. A Report with results is exact even beside an error.
	Receive(c Cancel, id repo.ID, push Push, pack io.Reader) (Report, error)
	// Copy brings objects of another repository of the store, with all that they reach, into a repository: all or
	// none. No ref moves. The other repository is only read, like by UploadPack. ErrIncomplete if it lacks something,
	// ErrNoRepository if one of the two is not there.
	Copy(c Cancel, id, from repo.ID, oids []repo.OID) error
	// Take reads a pack that was fetched from elsewhere into quarantine and keeps the wanted objects that it brings, with
	// what they reach. No ref changes. It may run at the same time as anything, and holds up nobody while it reads.
	Take(c Cancel, id repo.ID, wants []repo.OID, pack io.Reader) (Taking, error)
	// Tidy packs together what the refs and the objects of keep reach, and removes all other objects; what of keep is not there
	// is passed over. No ref changes. Whoever reads meanwhile finds what it began to read, and an early end, by an error or by
	// a crash, loses nothing that is needed.
	Tidy(c Cancel, id repo.ID, keep []repo.OID) error
}
