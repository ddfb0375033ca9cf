package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// CapsDefault are the capabilities that Push claims unless told otherwise.
const CapsDefault = "report-status side-band-64k agent=" + agent

// A Command is one line of a push: Ref goes from Old to New, ZeroOID standing for "does not exist".
type Command struct {
	Old, New, Ref string
}

// PushOpts are the parts of a push.
type PushOpts struct {
	Commands   []Command
	Pack       []byte // nil sends none
	Caps       string // CapsDefault if empty
	NoSideband bool   // leave side-band-64k out of the default capabilities
	Shallow    []string
	RawBody    []byte // if not nil, the whole request body; everything else is ignored
	Version    int    // of the Git-Protocol header, 0 for none
	Wire       Wire
}

// Push performs one receive-pack exchange, without asking for the advertisement first. It returns
// PushReport; ErrPkt; HTTPAnswer if the status is not 200; BadAnswer if there is no report, or a broken
// one; Silence or TransportError.
//
// It panics if a command is not well formed: whoever means to send such a thing uses RawBody. Names of
// refs are checked for what would break the line only.
func (c *Client) Push(ctx context.Context, repoPath string, opts PushOpts) Observation {
	body := payload{head: opts.RawBody}
	if opts.RawBody == nil {
		body = payload{head: pushHead(opts), tail: opts.Pack}
	}
	opts.Wire.more = time.Duration(len(opts.Commands)/updateRate) * time.Second
	o := c.rpc(ctx, repoPath, ReceivePack, opts.Version, opts.Wire, body)
	answer, ok := o.(HTTPAnswer)
	if !ok || answer.Status != http.StatusOK {
		return o
	}
	report, err := readReport(answer.Body)
	if err != nil {
		return pktObservation("report", answer, err)
	}
	report.BytesSent = answer.BytesSent
	return report
}

// PushBody is the request body of a push, for callers who want to change it before sending it raw.
func PushBody(opts PushOpts) []byte { return append(pushHead(opts), opts.Pack...) }

// pushHead is what comes before the pack.
func pushHead(opts PushOpts) []byte {
	caps := opts.Caps
	if caps == "" {
		caps = CapsDefault
		if opts.NoSideband {
			caps = strings.Replace(caps, "side-band-64k ", "", 1)
		}
	}
	var out []byte
	for _, oid := range opts.Shallow {
		out = appendPkt(out, "shallow "+oid+"\n")
	}
	for i, command := range opts.Commands {
		if !validOID(command.Old) || !validOID(command.New) || command.Ref == "" || strings.ContainsAny(command.Ref, "\x00\n") {
			panic(fmt.Sprintf("client: invariant: push command %q", command))
		}
		line := command.Old + " " + command.New + " " + command.Ref
		if i == 0 {
			line += "\x00 " + caps
		}
		out = appendPkt(out, line)
	}
	return append(out, flushPkt...)
}

// readReport decodes the answer of receive-pack, inside or outside of the side-band.
func readReport(body []byte) (PushReport, error) {
	p := &pktReader{rest: body}
	var report PushReport
	if p.sideband() {
		data, messages, err := p.demux()
		if err != nil {
			return report, err
		}
		report.Messages = messages
		p = &pktReader{rest: data}
	}
	for {
		kind, line, err := p.line()
		if errors.Is(err, io.EOF) && report.Unpack == "" {
			return report, errors.New("answer without a report")
		}
		if errors.Is(err, io.EOF) {
			return report, errors.New("no flush at the end of the report")
		}
		if err != nil {
			return report, err
		}
		if kind == pktFlush && report.Unpack != "" {
			return report, nil
		}
		if kind != pktData {
			return report, errors.New("answer without a report")
		}
		if err := report.add(line); err != nil {
			return report, err
		}
	}
}

// add takes one line of a report.
func (o *PushReport) add(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "unpack" && o.Unpack == "" && rest != "":
		o.Unpack = rest
	case o.Unpack == "" || rest == "":
		return fmt.Errorf("unexpected line %q in the report", clip(line))
	case len(o.Refs) >= refsMax:
		return fmt.Errorf("report of more than %d refs", refsMax)
	case word == "ok":
		o.Refs = append(o.Refs, RefReport{Name: rest, OK: true})
	case word == "ng":
		name, reason, _ := strings.Cut(rest, " ")
		o.Refs = append(o.Refs, RefReport{Name: name, Reason: reason})
	case word == "option": // report-status-v2; nothing that a check looks at
	default:
		return fmt.Errorf("unexpected line %q in the report", clip(line))
	}
	return nil
}

// Ref returns the report of one ref.
func (o PushReport) Ref(name string) (RefReport, bool) {
	for _, r := range o.Refs {
		if r.Name == name {
			return r, true
		}
	}
	return RefReport{}, false
}

// Accepted reports whether the pack was unpacked and every ref reported was updated; a report without
// refs accepts nothing.
func (o PushReport) Accepted() bool {
	_, refused := refusedPush(o)
	return !refused && o.Unpack == "ok" && len(o.Refs) > 0
}
