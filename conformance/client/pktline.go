package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// pktKind tells the kinds of pkt-lines.
type pktKind uint8

const (
	pktData     pktKind = iota + 1
	pktFlush            // 0000
	pktDelim            // 0001, protocol v2
	pktResponse         // 0002, protocol v2: end of response
)

// pktPayloadMax is the longest payload of one pkt-line.
const pktPayloadMax = 65_516

// A pktReader cuts a whole body into pkt-lines.
type pktReader struct {
	rest []byte
}

// next returns the next pkt-line; io.EOF when the body ends between two of them.
func (p *pktReader) next() (pktKind, []byte, error) {
	if len(p.rest) == 0 {
		return 0, nil, io.EOF
	}
	if len(p.rest) < 4 {
		return 0, nil, fmt.Errorf("pkt-line length cut short: %q", p.rest)
	}
	size, err := strconv.ParseUint(string(p.rest[:4]), 16, 16)
	if err != nil {
		return 0, nil, fmt.Errorf("pkt-line length %q is not hexadecimal", p.rest[:4])
	}
	switch size {
	case 0, 1, 2:
		p.rest = p.rest[4:]
		return pktFlush + pktKind(size), nil, nil
	case 3:
		return 0, nil, errors.New("pkt-line length 3")
	}
	if size > pktPayloadMax+4 {
		return 0, nil, fmt.Errorf("pkt-line length %d is longer than %d", size, pktPayloadMax+4)
	}
	if int(size) > len(p.rest) {
		return 0, nil, fmt.Errorf("pkt-line of %d bytes cut short after %d", size, len(p.rest))
	}
	payload := p.rest[4:size]
	p.rest = p.rest[size:]
	return pktData, payload, nil
}

// An errPktError carries an ERR pkt-line, or a fatal message of band 3, up to the caller.
type errPktError struct {
	pkt ErrPkt
}

func (e *errPktError) Error() string { return e.pkt.String() }

// line returns the next pkt-line as text without its line end. An ERR pkt-line comes as errPktError.
func (p *pktReader) line() (pktKind, string, error) {
	kind, payload, err := p.next()
	if err != nil || kind != pktData {
		return kind, "", err
	}
	if text, ok := bytes.CutPrefix(payload, []byte("ERR ")); ok {
		return 0, "", &errPktError{ErrPkt{Text: strings.TrimSpace(string(text))}}
	}
	return kind, strings.TrimSuffix(string(payload), "\n"), nil
}

// appendPkt appends one pkt-line. It panics if the payload is too long.
func appendPkt(out []byte, payload string) []byte {
	if len(payload) > pktPayloadMax {
		panic(fmt.Sprintf("client: invariant: pkt-line payload of %d bytes", len(payload)))
	}
	out = fmt.Appendf(out, "%04x", len(payload)+4)
	return append(out, payload...)
}

const (
	flushPkt = "0000"
	delimPkt = "0001"
)

// demux separates the side-band that starts at the next pkt-line: band 1 is data, band 2 is for the
// user. It ends at a flush or at the end of the body. Band 3 and ERR come as errPktError.
func (p *pktReader) demux() (data []byte, messages string, err error) {
	var progress strings.Builder
	for {
		kind, payload, err := p.next()
		if errors.Is(err, io.EOF) || (err == nil && kind != pktData) {
			return data, progress.String(), nil
		}
		if err != nil {
			return data, progress.String(), err
		}
		if text, ok := bytes.CutPrefix(payload, []byte("ERR ")); ok {
			return data, progress.String(), &errPktError{ErrPkt{Text: strings.TrimSpace(string(text))}}
		}
		if len(payload) == 0 {
			return data, progress.String(), errors.New("side-band pkt-line without a band")
		}
		switch payload[0] {
		case 1:
			data = append(data, payload[1:]...)
		case 2:
			progress.Write(payload[1:])
		case 3:
			text := strings.TrimSpace(string(payload[1:]))
			return data, progress.String(), &errPktError{ErrPkt{Text: text, Band3: true}}
		default:
			return data, progress.String(), fmt.Errorf("side-band pkt-line with band %d", payload[0])
		}
	}
}

// endsInFlush tells whether the last pkt-line of a body is a flush.
func endsInFlush(body []byte) bool {
	p := &pktReader{rest: body}
	last := pktData
	for {
		kind, _, err := p.next()
		if err != nil {
			return errors.Is(err, io.EOF) && last == pktFlush
		}
		last = kind
	}
}

// sideband tells whether the next pkt-line carries a band.
func (p *pktReader) sideband() bool {
	ahead := pktReader{rest: p.rest}
	kind, payload, err := ahead.next()
	return err == nil && kind == pktData && len(payload) > 0 && payload[0] >= 1 && payload[0] <= 3
}

// pktObservation turns an error of a pktReader into what was observed in the exchange.
func pktObservation(phase string, answer HTTPAnswer, err error) Observation {
	if fatal, ok := errors.AsType[*errPktError](err); ok {
		o := fatal.pkt
		o.BytesSent = answer.BytesSent
		return o
	}
	return BadAnswer{Phase: phase, Text: err.Error(), HTTP: answer}
}
