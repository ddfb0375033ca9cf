package fetch

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// havesMax is how many tips of our refs are told to a host, so that it leaves out what they reach.
const havesMax = 256

// packRequest encodes the request for a pack. Whole objects or deltas within the pack are wanted: no thin one.
func packRequest(a advertisement, wants, haves []repo.OID) []byte {
	var b bytes.Buffer
	lines := gitproto.NewWriter(&b)
	end := ""
	if a.version == 2 {
		lines.Line("command=fetch")
		if a.capabilities.Has("agent") {
			lines.Line("agent=" + gitproto.Agent)
		}
		if a.capabilities.Has("object-format") {
			lines.Line("object-format=sha1")
		}
		lines.Delim()
		lines.Line("ofs-delta")
		lines.Line("no-progress")
	} else {
		for _, name := range []string{"side-band-64k", "ofs-delta", "no-progress"} {
			if a.capabilities.Has(name) {
				end += " " + name
			}
		}
		end += " agent=" + gitproto.Agent
	}
	for _, oid := range wants {
		lines.Line("want " + string(oid) + end)
		end = ""
	}
	if a.version != 2 {
		lines.Flush()
	}
	for _, oid := range haves {
		lines.Line("have " + string(oid))
	}
	lines.Line("done")
	if a.version == 2 {
		lines.Flush()
	}
	return b.Bytes() // writing to memory never fails
}

// deniedError is what a host says that lacks one of the objects that it was asked for.
type deniedError struct{ oid repo.OID }

func (e *deniedError) Error() string { return "the host does not have " + string(e.oid) }

// notOurs is how git refuses a want. Whatever else a host says names no object (REF-HUNT-16).
var notOurs = regexp.MustCompile(`^(?:upload-pack: )?not our ref ([0-9a-f]{40})$`)

// refusal turns the text of an ERR packet into an error.
func refusal(text string) error {
	text = strings.TrimSpace(text)
	if m := notOurs.FindStringSubmatch(text); m != nil {
		return &deniedError{repo.OID(m[1])}
	}
	return failed(BadData, "the host says %.200q", text)
}

// readPack copies the pack of an answer.
func readPack(r io.Reader, a advertisement, into io.Writer) error {
	lines := gitproto.NewReader(r, unbounded)
	for {
		packet, err := lines.Next()
		if err != nil {
			return lineError(err)
		}
		text := string(packet.Text())
		if message, is := strings.CutPrefix(text, "ERR "); is {
			return refusal(message)
		}
		if a.version == 2 {
			if packet.Kind == gitproto.DataPacket && text == "packfile" {
				return demultiplex(lines, into)
			}
			if packet.Kind == gitproto.FlushPacket {
				return failed(BadData, "the answer has no pack")
			}
			continue // another section
		}
		switch {
		case packet.Kind == gitproto.DataPacket && (text == "NAK" || strings.HasPrefix(text, "ACK ")):
			if a.capabilities.Has("side-band-64k") {
				return demultiplex(lines, into)
			}
			_, err := io.Copy(into, r)
			return err
		default:
			return failed(BadData, "%.100q stands where the pack has to be", text)
		}
	}
}

// demultiplex copies the pack out of a side-band, which a flush packet ends.
func demultiplex(lines *gitproto.Reader, into io.Writer) error {
	for {
		packet, err := lines.Next()
		switch {
		case err != nil:
			return lineError(err)
		case packet.Kind == gitproto.FlushPacket:
			return nil
		case packet.Kind != gitproto.DataPacket || len(packet.Data) == 0:
			return failed(BadData, "a packet in the side-band does not belong there")
		}
		switch packet.Data[0] {
		case gitproto.PackBand:
			if _, err := into.Write(packet.Data[1:]); err != nil {
				return err
			}
		case gitproto.ProgressBand:
		case gitproto.ErrorBand:
			return refusal(string(packet.Data[1:]))
		default:
			if message, is := bytes.CutPrefix(packet.Text(), []byte("ERR ")); is {
				return refusal(string(message))
			}
			return failed(BadData, "the side-band has a band %d", packet.Data[0])
		}
	}
}

// readError names a failure in the middle of a body; the end of the body is none.
func readError(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	return classify(ctx, err)
}
