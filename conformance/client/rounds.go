package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// roundFirst is how many haves git tells in the first round of a negotiation; each further one tells twice as many.
const roundFirst = 16

// A Negotiation is how a fetch in rounds went.
type Negotiation struct {
	Rounds int  // requests before the last one
	Ready  bool // the server said that it knows enough
}

// FetchRounds fetches as git does over HTTP: it tells what it has in rounds, of which each is answered, and ends the
// negotiation when the server has heard enough or everything is told. advert says what the server offers in the version to
// speak. It returns what Fetch returns.
func (c *Client) FetchRounds(ctx context.Context, repoPath string, advert Advert, wants, haves []string) (*Objects, Negotiation, Observation) {
	var n Negotiation
	var common []string
	for size := roundFirst; len(haves) > 0 && !n.Ready; size *= 2 {
		told := haves[:min(size, len(haves))]
		haves = haves[len(told):]
		body := roundBody(advert, wants, append(slices.Clone(common), told...))
		o := c.rpc(ctx, repoPath, UploadPack, advert.Version, Wire{}, payload{head: body})
		answer, ok := o.(HTTPAnswer)
		if !ok || answer.Status != http.StatusOK {
			return nil, n, o
		}
		n.Rounds++
		acked, ready, err := readRound(answer.Body, advert.Version)
		if err != nil {
			return nil, n, pktObservation(fmt.Sprintf("round %d, of %d haves", n.Rounds, len(told)), answer, err)
		}
		common = append(common, acked...)
		n.Ready = ready
		if ready && advert.Version == 2 { // the pack is in this answer
			objects, o := packOf(answer, advert.Version)
			return objects, n, o
		}
	}
	objects, o := c.Fetch(ctx, repoPath, advert.Version, wants, FetchOpts{Haves: common})
	return objects, n, o
}

// packOf reads the pack of an answer.
func packOf(answer HTTPAnswer, version int) (*Objects, Observation) {
	read := readFetch
	if version == 2 {
		read = readFetchV2
	}
	objects, pack, err := read(answer.Body)
	if err != nil {
		return nil, pktObservation("fetch", answer, err)
	}
	if objects.graph, err = readPack(pack); err != nil {
		return nil, BadAnswer{Phase: "pack", Text: err.Error(), HTTP: answer}
	}
	return objects, nil
}

// roundBody is the request of one round, with what was found to be common before.
func roundBody(advert Advert, wants, haves []string) []byte {
	var out []byte
	if advert.Version == 2 {
		out = appendPkt(nil, "command=fetch\n")
		out = append(out, delimPkt...)
		out = appendPkt(out, "no-progress\n")
		out = appendPkt(out, "ofs-delta\n")
		for _, oid := range wants {
			out = appendPkt(out, "want "+oid+"\n")
		}
	} else {
		caps := ""
		for _, word := range []string{"multi_ack_detailed", "side-band-64k", "ofs-delta", "no-progress"} {
			if _, offered := advert.Cap(word); offered {
				caps += " " + word
			}
		}
		for _, oid := range wants {
			out = appendPkt(out, "want "+oid+caps+"\n")
			caps = ""
		}
		out = append(out, flushPkt...)
	}
	for _, oid := range haves {
		out = appendPkt(out, "have "+oid+"\n")
	}
	return append(out, flushPkt...)
}

// readRound decodes the answer to a round: what is common, and whether the server knows enough.
func readRound(body []byte, version int) (common []string, ready bool, err error) {
	p := &pktReader{rest: bytes.Clone(body)}
	if version == 2 {
		kind, line, err := p.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, false, err
		}
		if err != nil || kind != pktData || line != "acknowledgments" {
			return nil, false, fmt.Errorf("expected acknowledgments, got %q", clip(line))
		}
	}
	answered := false
	for {
		kind, line, err := p.line()
		switch {
		case errors.Is(err, io.EOF) && version == 2:
			return nil, false, errors.New("no flush behind the acknowledgments")
		case errors.Is(err, io.EOF) && !answered:
			return nil, false, errors.New("a round without an answer")
		case errors.Is(err, io.EOF):
			return common, ready, nil
		case err != nil:
			return nil, false, err
		case kind != pktData && version == 2 && !answered:
			return nil, false, errors.New("acknowledgments of nothing")
		case kind != pktData:
			return common, ready, nil
		}
		words := strings.Fields(line)
		switch {
		case line == "NAK":
		case line == "ready" && version == 2:
			ready = true
		case len(words) >= 2 && words[0] == "ACK" && validOID(words[1]):
			common = append(common, words[1])
			ready = ready || len(words) == 3 && words[2] == "ready"
		default:
			return nil, false, fmt.Errorf("unexpected line %q in the answer to a round", clip(line))
		}
		answered = true
	}
}
