package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
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
	Pack       []byte      // nil sends none
	Large      *PackStream // if not nil, in place of Pack
	Caps       string      // CapsDefault if empty
	NoSideband bool        // leave side-band-64k out of the default capabilities
	Shallow    []string
	RawBody    []byte // if not nil, the whole request body; everything else is ignored
	Version    int    // of the Git-Protocol header, 0 for none
	Wire       Wire
	Patience   time.Duration // that an answer is waited for beyond what others are
	Token      string        // of the header Authorization, "" for none
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
		if opts.Caps == "" {
			opts.Caps = c.offers.among(ReceivePack, opts.caps())
		}
		body = payload{head: pushHead(opts), tail: opts.Pack, large: opts.Large}
	}
	opts.Wire.more = opts.Patience + time.Duration(len(opts.Commands)/updateRate)*time.Second
	opts.Wire.token = opts.Token
	o := c.rpc(ctx, repoPath, ReceivePack, opts.Version, opts.Wire, body)
	answer, ok := o.(HTTPAnswer)
	if !ok || answer.Status != http.StatusOK {
		return o
	}
	report, err := readReport(answer.Body, opts.band())
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
	caps := opts.caps()
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

// caps are the capabilities that the push claims.
func (opts PushOpts) caps() string {
	switch {
	case opts.Caps != "":
		return opts.Caps
	case opts.NoSideband:
		return strings.Replace(CapsDefault, "side-band-64k ", "", 1)
	}
	return CapsDefault
}

// A band says how a report has to come.
type band uint8

const (
	eitherBand band = iota // nobody knows what was asked for: the body was written by hand
	inBand                 // in the side-band, which ends in a flush of its own
	outOfBand              // in plain pkt-lines
)

// band is how the report has to come, by the capabilities that were claimed.
func (opts PushOpts) band() band {
	switch {
	case opts.RawBody != nil:
		return eitherBand
	case slices.Contains(strings.Fields(opts.caps()), "side-band-64k"):
		return inBand
	}
	return outOfBand
}

// Report reads the body as the report of a push, in whatever band it came.
func (a HTTPAnswer) Report() (PushReport, error) { return readReport(a.Body, eitherBand) }

// readReport decodes the answer of receive-pack as git does, which goes by what it asked for. An ERR packet may come
// instead of a report, and is no part of any band.
func readReport(body []byte, asked band) (PushReport, error) {
	p := &pktReader{rest: body}
	var report PushReport
	if asked == inBand && !p.sideband() {
		if _, _, err := p.line(); err != nil && !errors.Is(err, io.EOF) {
			return report, err
		}
		if len(body) > 0 {
			return report, errors.New("the answer is not in the side-band that was asked for")
		}
	}
	if asked != outOfBand && p.sideband() {
		data, messages, err := p.demux()
		if err == nil && asked == inBand && !endsInFlush(body) {
			err = errors.New("no flush at the end of the side-band")
		}
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
