package gitproto

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// InfiniteDepth is the depth by which a client asks for the whole history.
const InfiniteDepth = 1<<31 - 1

// A Deepen asks for a cut history. The zero value asks for nothing (G01-GIT-09).
type Deepen struct {
	Depth    int      // commits from the wants, or below the client's boundary if Relative; 0 = not asked
	Relative bool     // deepen-relative
	Since    int64    // Unix seconds; 0 = not asked
	Not      []string // refs whose history is left out
}

// Asked reports whether the history is to be cut.
func (d Deepen) Asked() bool { return d.Depth > 0 || d.Since > 0 || len(d.Not) > 0 }

// An AckMode is how a v0 or v1 server acknowledges haves.
type AckMode uint8

// The modes, by the capability that asks for them.
const (
	SingleAck   AckMode = iota
	MultiAck            // multi_ack
	DetailedAck         // multi_ack_detailed
)

// A FetchRequest is one stateless request for a pack, of any protocol version.
type FetchRequest struct {
	Wants, Haves []repo.OID
	Shallow      []repo.OID // the client's boundary: it has these commits but not their parents
	Deepen       Deepen
	Filter       Filter
	Done         bool // the client waits for the pack, not for more acknowledgments
	WaitForDone  bool // version 2: never send a pack before done
	IncludeTag   bool
	NoProgress   bool

	// The rest is of versions 0 and 1 only, where capabilities stand in the first line.
	Acks     AckMode
	NoDone   bool
	CutShort bool // the request ends after its wants: a deepening client wants the shallow lines and no more
	BandSize int  // packet size of the side-band; 0 = the pack is sent bare
}

// ParseFetch reads the arguments of the fetch command of version 2. Bad or unknown ones are a *ProtocolError.
func ParseFetch(args []string) (FetchRequest, error) {
	q := FetchRequest{BandSize: SideBand64kMax}
	for _, arg := range args {
		if err := q.argument(arg); err != nil {
			return FetchRequest{}, err
		}
	}
	return q, nil
}

func (q *FetchRequest) argument(arg string) error {
	switch arg {
	case "done":
		q.Done = true
	case "wait-for-done":
		q.WaitForDone = true
	case "include-tag":
		q.IncludeTag = true
	case "no-progress":
		q.NoProgress = true
	case "deepen-relative":
		q.Deepen.Relative = true
	case "thin-pack", "ofs-delta":
		// Packs hold whole objects, which every client reads.
	default:
		key, value, _ := strings.Cut(arg, " ")
		return q.pair(key, value)
	}
	return nil
}

// pair reads the lines that versions 0, 1 and 2 share.
func (q *FetchRequest) pair(key, value string) error {
	var err error
	switch key {
	case "want":
		q.Wants, err = appendOID(q.Wants, key, value)
	case "have":
		q.Haves, err = appendOID(q.Haves, key, value)
	case "shallow":
		q.Shallow, err = appendOID(q.Shallow, key, value)
	case "deepen":
		depth, bad := strconv.ParseInt(value, 10, 32)
		if bad != nil || depth < 1 {
			return protocolErrorf("invalid deepen %s", quote(value))
		}
		q.Deepen.Depth = int(depth)
	case "deepen-since":
		since, bad := strconv.ParseInt(value, 10, 64)
		if bad != nil || since < 1 {
			return protocolErrorf("invalid deepen-since %s", quote(value))
		}
		q.Deepen.Since = since
	case "deepen-not":
		q.Deepen.Not = append(q.Deepen.Not, value)
	case "filter":
		q.Filter, err = ParseFilter(value)
	default:
		return protocolErrorf("unexpected line %s", quote(key+" "+value))
	}
	return err
}

func appendOID(list []repo.OID, key, value string) ([]repo.OID, error) {
	if len(value) != len(repo.ZeroOID) || !repo.IsOID(value) {
		return nil, protocolErrorf("bad object id %s after %s", quote(value), key)
	}
	return append(list, repo.OID(value)), nil
}

// ReadFetch reads a whole request of version 0 or 1: wants, a flush, haves, and done or a flush. One without wants
// is an empty request, which wants no answer. A malformed one is a *ProtocolError.
func ReadFetch(r io.Reader) (FetchRequest, error) {
	lines := NewReader(r, RequestMax)
	var q FetchRequest
	for first := true; ; first = false {
		line, end, err := fetchLine(lines)
		if err != nil {
			return FetchRequest{}, err
		}
		if end != inside {
			break
		}
		if first {
			want := len("want ") + len(repo.ZeroOID)
			if len(line) > want && line[want] == ' ' {
				if err := q.capabilities(ParseCapabilities(line[want:])); err != nil {
					return FetchRequest{}, err
				}
				line = line[:want]
			}
		}
		if key, value, _ := strings.Cut(line, " "); key == "have" {
			return FetchRequest{}, protocolErrorf("unexpected line %s", quote(line))
		} else if err := q.pair(key, value); err != nil {
			return FetchRequest{}, err
		}
	}
	if len(q.Wants) == 0 {
		return FetchRequest{}, nil
	}
	for !q.Done {
		line, end, err := fetchLine(lines)
		if err != nil || end != inside {
			q.CutShort = end == atEnd && len(q.Haves) == 0
			return q, err
		}
		if line == "done" {
			q.Done = true
		} else if key, value, _ := strings.Cut(line, " "); key != "have" {
			return FetchRequest{}, protocolErrorf("expected have or done, got %s", quote(line))
		} else if err := q.pair(key, value); err != nil {
			return FetchRequest{}, err
		}
	}
	return q, nil
}

// A position says where a line was read.
type position uint8

const (
	inside  position = iota
	atFlush          // a flush packet ended the section
	atEnd            // the request ended
)

func fetchLine(lines *Reader) (string, position, error) {
	packet, err := lines.Next()
	switch {
	case errors.Is(err, io.EOF):
		return "", atEnd, nil
	case err != nil:
		return "", atEnd, err
	case packet.Kind == FlushPacket:
		return "", atFlush, nil
	case packet.Kind != DataPacket:
		return "", atEnd, protocolErrorf("the request has a packet that does not belong there")
	}
	return string(packet.Text()), inside, nil
}

func (q *FetchRequest) capabilities(list Capabilities) error {
	switch {
	case list.Has("multi_ack_detailed"):
		q.Acks = DetailedAck
	case list.Has("multi_ack"):
		q.Acks = MultiAck
	}
	switch {
	case list.Has("side-band-64k"):
		q.BandSize = SideBand64kMax
	case list.Has("side-band"):
		q.BandSize = SideBandMax
	}
	q.NoDone = list.Has("no-done")
	q.IncludeTag = list.Has("include-tag")
	q.NoProgress = list.Has("no-progress")
	q.Deepen.Relative = list.Has("deepen-relative")
	return list.check()
}
