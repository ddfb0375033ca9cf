package gitstore

import (
	"errors"
	"io"
	"slices"

	"github.com/graspkit/graspkit/reference/gitproto"
)

// A Quarantine says how a pack is held while its push is examined.
type Quarantine struct {
	Limits Limits // no zero field
	// Spool takes the pack, and what is large of its content, out of memory. It is new and empty, belongs to this push
	// alone and must stay until its Intake is done with. Nil keeps everything in memory.
	Spool Spool

	once func(*stored) *stored // returns an object as it is in memory already; nil: nobody knows
}

// An Intake is a push that was examined: either its refusal, or what must be stored, and then the refs moved, for its
// Report to be true.
type Intake struct {
	Report  Report
	objects []*stored // new objects that the new ref values reach, in the order of the walk
	spool   Spool
}

// Refused reports whether nothing is to be done but to hand the Report on.
func (in Intake) Refused() bool {
	return !in.Report.Whole()
}

// Objects is how many objects must be stored.
func (in Intake) Objects() int { return len(in.objects) }

// Examine does for Backend.Receive all that changes nothing: it reads the pack into quarantine and judges commands and
// objects (G01-PUSH-21, G01-PUSH-22). Push.Shallow is not used: everything that a new value reaches must be there. A
// refusal is an Intake; an error means that the store itself failed or that c stopped it.
func (v *View) Examine(c Cancel, push Push, pack io.Reader, q Quarantine) (Intake, error) {
	storage := newStorage()
	quarantine := &objects{source: storage, base: v.objects}
	if NeedsPack(push.Commands) {
		if err := readPack(c, pack, q, storage, quarantine); err != nil {
			return refusedPack(c, push, err, quarantine.failed())
		}
	}
	reasons := v.refusals(push.Commands, quarantine)
	walk := newConnectivity(v, quarantine)
	walk.strict = true
	for _, command := range push.Commands {
		if command.New.IsZero() || reasons[command.Ref] != "" {
			continue
		}
		complete, err := walk.complete(c, hashOf(command.New))
		if err != nil {
			return Intake{}, err
		}
		if !complete {
			if reasons == nil {
				reasons = map[string]string{}
			}
			reasons[command.Ref] = walk.reason()
		}
	}
	if err := quarantine.failed(); err != nil {
		return Intake{}, err
	}
	if reasons != nil {
		return Intake{Report: Refused(push.Commands, UnpackOK, reasons)}, nil
	}
	in := Intake{Report: Report{Unpack: UnpackOK}, objects: walk.reached, spool: q.Spool}
	for _, command := range push.Commands {
		in.Report.Results = append(in.Report.Results, Result{Ref: command.Ref, OK: true})
	}
	return in, nil
}

// refusedPack says what it means that a pack was not read: it is bad, or its sender is gone, unless we are to blame.
func refusedPack(c Cancel, push Push, err, failure error) (Intake, error) {
	var spool *spoolError
	switch {
	case c.Err() != nil, errors.As(err, &spool):
		return Intake{}, err
	case failure != nil:
		return Intake{}, failure
	}
	return Intake{Report: Refused(push.Commands, unpackReason(err), nil)}, nil
}

// NeedsPack reports whether a pack follows the commands: it does unless all of them delete.
func NeedsPack(commands []gitproto.Command) bool {
	return slices.ContainsFunc(commands, func(c gitproto.Command) bool { return !c.New.IsZero() })
}

func unpackReason(err error) string {
	var bad *packError
	if errors.As(err, &bad) {
		return bad.what
	}
	return "the pack could not be read"
}
