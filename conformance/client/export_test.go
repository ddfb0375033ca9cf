package client

import (
	"io"

	"github.com/nbd-wtf/go-nostr"
)

// ReadAdvert exposes the advertisement reader to the tests.
func ReadAdvert(body []byte, service string) (Advert, error) { return readAdvert(body, service) }

// ReadListed exposes the ls-refs reader to the tests.
func ReadListed(body []byte) (Advert, error) {
	a := Advert{Symrefs: make(map[string]string)}
	err := a.readRefs(body)
	return a, err
}

// ReadReport exposes the report-status reader to the tests.
func ReadReport(body []byte) (PushReport, error) { return readReport(body, eitherBand) }

// ReadReportInBand is ReadReport of a push that asked for the side-band.
func ReadReportInBand(body []byte) (PushReport, error) { return readReport(body, inBand) }

// ReadPack exposes the pack reader to the tests; it returns the number of objects.
func ReadPack(pack []byte) (int, error) {
	g, err := readPack(pack)
	if err != nil {
		return 0, err
	}
	return len(g.objects), nil
}

// ReadFetch exposes the readers of fetch answers to the tests.
func ReadFetch(body []byte, version int) (pack []byte, err error) {
	read := readFetch
	if version == 2 {
		read = readFetchV2
	}
	_, pack, err = read(body)
	return pack, err
}

// ParseMessage exposes the frame reader to the tests.
func ParseMessage(raw []byte) (label string, ev *nostr.Event, err error) {
	m, err := parseMessage(raw)
	return m.label, m.event, err
}

// ReadNegAnswer exposes the reader of reconciliation answers to the tests.
func ReadNegAnswer(own []*nostr.Event, answer []byte) (next []byte, o Observation) {
	return (&initiator{items: negItems(own)}).read(answer)
}

// PushReader reads the body of a push as it is sent.
func PushReader(opts PushOpts) io.Reader {
	return payload{head: pushHead(opts), tail: opts.Pack}.reader()
}

// RootOf exposes what a token is for to the tests.
func RootOf(path string) string { return rootOf(path) }
