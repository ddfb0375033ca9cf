package gitproto

import (
	"errors"
	"io"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Status is a report-status message: how unpacking went, and how each ref fared.
type Status struct {
	Unpack string // "ok", or why the pack was refused
	Refs   []RefStatus
}

// A RefStatus is the outcome of one command.
type RefStatus struct {
	Ref    string
	OK     bool
	Reason string // why not
}

// Write writes the message with its flush. Reasons are kept on one line and cut if they are long.
func (s Status) Write(w io.Writer) error {
	lines := NewWriter(w)
	lines.Line("unpack " + oneLine(s.Unpack))
	for _, r := range s.Refs {
		if r.OK {
			lines.Line("ok " + r.Ref)
		} else {
			lines.Line("ng " + r.Ref + " " + oneLine(r.Reason))
		}
	}
	lines.Flush()
	return lines.Err()
}

// WriteSideBand writes the message on band 1 and the final flush, as clients that named side-band-64k expect it. Notes
// go before it on band 2, a line each: git shows them after "remote: ".
func (s Status) WriteSideBand(w io.Writer, notes ...string) error {
	for _, note := range notes {
		if _, err := NewBand(w, ProgressBand, SideBand64kMax).Write([]byte(oneLine(note) + "\n")); err != nil {
			return err
		}
	}
	if err := s.Write(NewBand(w, PackBand, SideBand64kMax)); err != nil {
		return err
	}
	lines := NewWriter(w)
	lines.Flush()
	return lines.Err()
}

// StatusMax is the longest report-status message that ReadStatus takes, in bytes.
const StatusMax = CommandMax * (repo.RefNameMax + lineMax)

// ReadStatus reads a plain report-status message up to its flush. Anything else is a *ProtocolError.
func ReadStatus(r io.Reader) (Status, error) {
	lines := NewReader(r, StatusMax)
	var s Status
	for {
		packet, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return Status{}, protocolErrorf("the report ends without a flush packet")
		case err != nil:
			return Status{}, err
		case packet.Kind == FlushPacket && s.Unpack != "":
			return s, nil
		case packet.Kind != DataPacket:
			return Status{}, protocolErrorf("the report has a packet that does not belong there")
		}
		verb, rest, _ := strings.Cut(string(packet.Text()), " ")
		switch {
		case verb == "unpack" && s.Unpack == "" && rest != "":
			s.Unpack = rest
		case verb == "ok" && s.Unpack != "" && rest != "":
			s.Refs = append(s.Refs, RefStatus{Ref: rest, OK: true})
		case verb == "ng" && s.Unpack != "" && rest != "":
			ref, reason, _ := strings.Cut(rest, " ")
			s.Refs = append(s.Refs, RefStatus{Ref: ref, Reason: reason})
		default:
			return Status{}, protocolErrorf("the report has a line %s", quote(packet.Text()))
		}
	}
}
