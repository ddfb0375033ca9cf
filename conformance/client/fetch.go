package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// FetchOpts tune a fetch. The zero value is a full clone of the wants.
type FetchOpts struct {
	Haves   []string // oids that the client claims to have
	Filter  string   // partial clone filter such as "blob:none"; "" for none
	Depth   int      // history depth; 0 for all
	Shallow []string // commits whose parents the client lacks
	Tags    bool     // ask for the tags of what comes, too
	Acks    bool     // ask that each commit is acknowledged that both have, in versions 0 and 1
	Wire    Wire

	DeepenSince int64    // the oldest time of commits to come, in seconds since the Unix epoch; 0 for all
	DeepenNot   []string // refs whose history is left out
	Relative    bool     // Depth counts from where the history of Shallow ends
}

// Fetch asks for objects by oid, in one exchange and without looking at the advertisement first. version
// is the protocol version to speak: 0, 1 or 2. What is refused in version 2 is asked for in version 0 where the
// advertisement is no later one. It returns the objects of the pack and a nil
// Observation, or HTTPAnswer if the status is not 200, ErrPkt, BadAnswer, Silence or TransportError.
//
// It panics if there is no want, or a want or have that is not 40 lower-case hexadecimal digits.
func (c *Client) Fetch(ctx context.Context, repoPath string, version int, wants []string, opts FetchOpts) (*Objects, Observation) {
	if len(wants) == 0 {
		panic("client: invariant: fetch without a want")
	}
	for _, list := range [][]string{wants, opts.Haves, opts.Shallow} {
		for _, oid := range list {
			if !validOID(oid) {
				panic(fmt.Sprintf("client: invariant: oid %q", oid))
			}
		}
	}
	objects, o := c.fetch(ctx, repoPath, version, wants, opts)
	switch o.(type) {
	case HTTPAnswer, ErrPkt, BadAnswer:
		if version == 2 && c.speaksNoV2(ctx, repoPath) {
			return c.fetch(ctx, repoPath, 0, wants, opts)
		}
	}
	return objects, o
}

// speaksNoV2 reports whether a server that is asked for version 2 advertises in an older one, which git then goes on with.
func (c *Client) speaksNoV2(ctx context.Context, repoPath string) bool {
	answer, is := c.Get(ctx, repoPath+"/info/refs?service="+UploadPack, protocolHeader(2)).(HTTPAnswer)
	if !is || answer.Status != http.StatusOK {
		return false
	}
	advert, err := readAdvert(answer.Body, UploadPack)
	return err == nil && advert.Version != 2
}

// cuts reports whether a fetch asks for less than all commits; then the server says, before all else, where it ends.
func (o FetchOpts) cuts() bool { return o.Depth > 0 || o.DeepenSince > 0 || len(o.DeepenNot) > 0 }

func (c *Client) fetch(ctx context.Context, repoPath string, version int, wants []string, opts FetchOpts) (*Objects, Observation) {
	body := fetchBody(wants, opts, c.offers.among(UploadPack, capsOfFetch))
	if version == 2 {
		body = fetchBodyV2(wants, opts)
	}
	o := c.rpc(ctx, repoPath, UploadPack, version, opts.Wire, payload{head: body})
	answer, ok := o.(HTTPAnswer)
	if !ok || answer.Status != http.StatusOK {
		return nil, o
	}
	objects, o := packOf(answer, version)
	if o != nil {
		return nil, o
	}
	if version != 2 && opts.cuts() && !objects.cut {
		return nil, BadAnswer{Phase: "fetch", Text: "no flush ends the list of the commits whose parents are left out", HTTP: answer}
	}
	for _, oid := range opts.Haves {
		objects.had[oid] = true
	}
	return objects, nil
}

// capsOfFetch are the capabilities that a fetch claims in versions 0 and 1, if nothing is known of what is offered.
const capsOfFetch = "ofs-delta side-band-64k no-progress agent=" + agent

// fetchBody is the request of versions 0 and 1, which claims some capabilities and those that it needs.
func fetchBody(wants []string, opts FetchOpts, claimed string) []byte {
	caps := strings.TrimRight(" "+claimed, " ")
	if opts.Filter != "" {
		caps += " filter"
	}
	if opts.Acks {
		caps += " multi_ack_detailed"
	}
	if opts.Tags {
		caps += " include-tag"
	}
	if opts.Depth > 0 || len(opts.Shallow) > 0 {
		caps += " shallow"
	}
	if opts.DeepenSince != 0 {
		caps += " deepen-since"
	}
	if len(opts.DeepenNot) > 0 {
		caps += " deepen-not"
	}
	if opts.Relative {
		caps += " deepen-relative"
	}
	var out []byte
	for _, oid := range wants {
		out = appendPkt(out, "want "+oid+caps+"\n")
		caps = ""
	}
	for _, oid := range opts.Shallow {
		out = appendPkt(out, "shallow "+oid+"\n")
	}
	if opts.Depth > 0 {
		out = appendPkt(out, fmt.Sprintf("deepen %d\n", opts.Depth))
	}
	if opts.DeepenSince != 0 {
		out = appendPkt(out, fmt.Sprintf("deepen-since %d\n", opts.DeepenSince))
	}
	for _, ref := range opts.DeepenNot {
		out = appendPkt(out, "deepen-not "+ref+"\n")
	}
	if opts.Filter != "" {
		out = appendPkt(out, "filter "+opts.Filter+"\n")
	}
	out = append(out, flushPkt...)
	for _, oid := range opts.Haves {
		out = appendPkt(out, "have "+oid+"\n")
	}
	return appendPkt(out, "done\n")
}

// fetchBodyV2 is the request of version 2.
func fetchBodyV2(wants []string, opts FetchOpts) []byte {
	out := appendPkt(nil, "command=fetch\n")
	out = append(out, delimPkt...)
	out = appendPkt(out, "ofs-delta\n")
	out = appendPkt(out, "no-progress\n")
	if opts.Tags {
		out = appendPkt(out, "include-tag\n")
	}
	if opts.Relative {
		out = appendPkt(out, "deepen-relative\n")
	}
	for _, oid := range wants {
		out = appendPkt(out, "want "+oid+"\n")
	}
	for _, oid := range opts.Haves {
		out = appendPkt(out, "have "+oid+"\n")
	}
	for _, oid := range opts.Shallow {
		out = appendPkt(out, "shallow "+oid+"\n")
	}
	if opts.Depth > 0 {
		out = appendPkt(out, fmt.Sprintf("deepen %d\n", opts.Depth))
	}
	if opts.DeepenSince != 0 {
		out = appendPkt(out, fmt.Sprintf("deepen-since %d\n", opts.DeepenSince))
	}
	for _, ref := range opts.DeepenNot {
		out = appendPkt(out, "deepen-not "+ref+"\n")
	}
	if opts.Filter != "" {
		out = appendPkt(out, "filter "+opts.Filter+"\n")
	}
	out = appendPkt(out, "done\n")
	return append(out, flushPkt...)
}

// readFetch decodes the answer of versions 0 and 1 up to the bytes of the pack.
func readFetch(body []byte) (*Objects, []byte, error) {
	objects := newObjects()
	p := &pktReader{rest: body}
	answered := false // what the client says to have
	for {
		if bytes.HasPrefix(p.rest, []byte("PACK")) {
			return objects, p.rest, nil
		}
		if p.sideband() {
			pack, messages, err := p.demux()
			objects.Messages = messages
			return objects, pack, err
		}
		kind, line, err := p.line()
		if errors.Is(err, io.EOF) {
			return nil, nil, errors.New("answer without a pack")
		}
		if err != nil {
			return nil, nil, err
		}
		if kind == pktFlush && !answered {
			objects.cut = true
		}
		answered = answered || line == "NAK" || strings.HasPrefix(line, "ACK ")
		known := kind == pktFlush || line == "NAK" || line == "version 1" || strings.HasPrefix(line, "ACK ")
		if !known && !objects.shallowLine(line) {
			return nil, nil, fmt.Errorf("unexpected line %q before the pack", clip(line))
		}
	}
}

// readFetchV2 decodes the sections of version 2 up to the bytes of the pack.
func readFetchV2(body []byte) (*Objects, []byte, error) {
	objects := newObjects()
	p := &pktReader{rest: body}
	section := ""
	for {
		kind, line, err := p.line()
		if errors.Is(err, io.EOF) || (err == nil && kind == pktFlush) {
			return nil, nil, errors.New("answer without a pack")
		}
		if err != nil {
			return nil, nil, err
		}
		switch {
		case kind != pktData:
			section = ""
		case section == "" && line == "packfile":
			pack, messages, err := p.demux()
			objects.Messages = messages
			return objects, pack, err
		case section == "":
			section = line
		case section == "shallow-info":
			if !objects.shallowLine(line) {
				return nil, nil, fmt.Errorf("unexpected line %q in section shallow-info", clip(line))
			}
		case section == "acknowledgments" || section == "wanted-refs":
		default:
			return nil, nil, fmt.Errorf("unknown section %q", clip(section))
		}
	}
}
