package gitserve

import (
	"errors"
	"fmt"
	"io"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// An Admission is the answer to a push that was offered.
type Admission struct {
	Admitted bool
	Reason   string // why not, in words for the git user
}

// A Gate judges pushes, before their packs come by Offer, and by Ready when they are here; both may wait for the decision.
// After an admission by Offer Done is called exactly once, with what became of the push, before the client hears of it, unless
// Ready has refused it.
type Gate interface {
	Offer(id repo.ID, commands []gitproto.Command, shape gitproto.Shape) (Admission, error)
	Ready() (Admission, error)
	Done(report gitstore.Report) error
}

// DrainMax is how much of a body is read and thrown away after a push was decided, in bytes: a client that is still
// sending may not look for an answer.
const DrainMax = 512 << 20

// Texts that clients see.
const (
	refusalPrefix   = "authorisation failed: "
	storageFailure  = "storage error"
	noCertificates  = "push certificates are not supported"
	refusedByServer = "the push was refused"
)

// ReceivePack serves one stateless receive-pack request: it reads the command list, offers it to the gate, and
// either answers the refusal or has the backend execute exactly the commands that were judged (G01-PUSH-03,
// G01-PUSH-18, G01-PUSH-28). A list without commands is git's probe: it gets an empty answer and the gate is not
// asked. A refusal is no error here; errors are those of the gate, of the backend, of r and of w, and their texts are
// not for the client. If nothing was written, the caller may still answer that the server failed.
func ReceivePack(c gitstore.Cancel, backend gitstore.Backend, gate Gate, id repo.ID, r io.Reader, w io.Writer) error {
	list, err := gitproto.ReadCommands(r)
	var malformed *gitproto.ProtocolError
	switch {
	case errors.As(err, &malformed):
		drain(c, r)
		return answerMalformed(w, list, malformed.What)
	case err != nil:
		return fmt.Errorf("read command list: %w", err)
	case len(list.Commands) == 0 && !list.Shape.Certificate:
		return nil
	}
	admission, err := gate.Offer(id, list.Commands, list.Shape)
	if err != nil {
		return fmt.Errorf("judge push: %w", err)
	}
	if !admission.Admitted {
		drain(c, r)
		return answerRefusal(w, list, admission.Reason)
	}
	report, late, failure, err := execute(c, backend, gate, id, list, r)
	drain(c, r)
	if late != nil {
		return answerRefusal(w, list, late.Reason)
	}
	if failure != nil || err != nil {
		report = doubtful(report)
	}
	if err := errors.Join(err, answerReport(w, list, report)); err != nil {
		return errors.Join(failure, err)
	}
	if failure != nil {
		return &AnsweredError{failure}
	}
	return nil
}

// An AnsweredError is a failure of the backend that the client was told of: the answer is whole, and a report in it says of
// each ref what became of it.
type AnsweredError struct{ Err error }

func (e *AnsweredError) Error() string { return e.Err.Error() }

// Unwrap returns the failure.
func (e *AnsweredError) Unwrap() error { return e.Err }

// errLate ends a push that is not admitted any more when its pack is here.
var errLate = errors.New("gitserve: the push came too late")

// execute runs a push that may come, and tells the gate how it went, whatever happens: when its pack is here the gate is asked
// again, and may be against it, which is late then. A failure is one of the backend, an error one of the gate.
func execute(c gitstore.Cancel, backend gitstore.Backend, gate Gate, id repo.ID, list gitproto.CommandList, pack io.Reader) (
	report gitstore.Report, late *Admission, failure, err error,
) {
	report = gitstore.Refused(list.Commands, storageFailure, nil)
	defer func() {
		if late != nil {
			return // the gate has ended it
		}
		if doneErr := gate.Done(report); doneErr != nil {
			err = fmt.Errorf("finish push: %w", doneErr)
		}
	}()
	if list.Shape.Certificate {
		report.Unpack = noCertificates
		return report, nil, nil, nil
	}
	push := gitstore.Push{Commands: list.Commands, Shallow: list.Shallow, Options: list.Shape.Options, Here: func() error {
		admission, err := gate.Ready()
		if err == nil && !admission.Admitted {
			late, err = &admission, errLate
		}
		return err
	}}
	done, failed := backend.Receive(c, id, push, pack)
	if late != nil {
		return report, late, nil, nil
	}
	if len(done.Results) > 0 {
		report = done
	}
	if failed != nil {
		return report, nil, fmt.Errorf("receive pack: %w", failed), nil
	}
	return report, nil, nil, nil
}

// doubtful is what a client is told when the store or the gate has failed: refs that have moved may not stay.
func doubtful(report gitstore.Report) gitstore.Report {
	told := gitstore.Report{Unpack: report.Unpack, Notes: report.Notes}
	for _, result := range report.Results {
		if result.OK {
			result = gitstore.Result{Ref: result.Ref, Reason: storageFailure}
		}
		told.Results = append(told.Results, result)
	}
	return told
}

// answerMalformed tells the client that its command list was not understood. Where it asked for a report before that, it
// gets one, since some clients read nothing else: the reason stands where git says why nothing was unpacked.
func answerMalformed(w io.Writer, list gitproto.CommandList, what string) error {
	if !wantsReport(list) {
		return answerError(w, refusalPrefix+what)
	}
	return answerStatus(w, list, gitproto.Status{Unpack: refusalPrefix + what})
}

// answerRefusal tells the client that no command is executed: each ref with the reason where a report was asked for,
// else an ERR packet.
func answerRefusal(w io.Writer, list gitproto.CommandList, reason string) error {
	if reason == "" {
		reason = refusedByServer
	}
	if len(list.Commands) == 0 || !wantsReport(list) {
		return answerError(w, refusalPrefix+reason)
	}
	status := gitproto.Status{Unpack: gitstore.UnpackOK}
	for _, command := range list.Commands {
		status.Refs = append(status.Refs, gitproto.RefStatus{Ref: command.Ref, Reason: reason})
	}
	return answerStatus(w, list, status, refusalPrefix+reason)
}

func answerReport(w io.Writer, list gitproto.CommandList, report gitstore.Report) error {
	switch {
	case wantsReport(list):
		return answerStatus(w, list, report.Status(), report.Notes...)
	case report.Unpack != gitstore.UnpackOK:
		return answerError(w, report.Unpack)
	}
	for _, result := range report.Results {
		if !result.OK {
			return answerError(w, result.Ref+": "+result.Reason)
		}
	}
	return nil
}

func answerStatus(w io.Writer, list gitproto.CommandList, status gitproto.Status, notes ...string) error {
	write := status.Write
	if list.Capabilities.Has("side-band-64k") {
		write = func(w io.Writer) error { return status.WriteSideBand(w, notes...) }
	}
	if err := write(w); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return nil
}

func wantsReport(list gitproto.CommandList) bool {
	return list.Capabilities.Has("report-status") || list.Capabilities.Has("report-status-v2")
}

// drain reads what the client still sends, up to DrainMax. That it fails is of no interest: the answer is written
// in any case.
func drain(c gitstore.Cancel, r io.Reader) {
	buffer := make([]byte, 32<<10)
	for total := 0; total < DrainMax && c.Err() == nil; {
		n, err := r.Read(buffer)
		if err != nil {
			return
		}
		total += n
	}
}
