package client

import (
	"fmt"
	"net/http"
	"time"
)

// An Observation is what one act of the client brought to light. Its dynamic type is one of the
// structs of this package; there are no others.
type Observation interface {
	observation()
	// String tells the observation in one line, for reports.
	String() string
}

// OKFrame is an OK message that answers an event (NIP-01).
type OKFrame struct {
	ID       string // event id, as sent by the relay
	Accepted bool
	Prefix   string // machine-readable prefix without its colon, or ""
	Text     string // the message behind the prefix; the whole message if there is no prefix
}

// ClosedFrame is a CLOSED message: the relay refuses or ends a subscription (NIP-01).
type ClosedFrame struct {
	Sub          string
	Prefix, Text string // as in OKFrame
}

// NegErrFrame is a NEG-ERR message: the relay refuses or ends a reconciliation (NIP-77).
type NegErrFrame struct {
	Sub          string
	Prefix, Text string // as in OKFrame
}

// NoticeFrame is a NOTICE message (NIP-01). It never is proof of anything but contact.
type NoticeFrame struct {
	Text string
}

// HTTPAnswer is one whole HTTP response.
type HTTPAnswer struct {
	Status    int
	Header    http.Header
	Body      []byte // at most MaxBodyBytes
	BytesSent int    // bytes of the request body that the transport took
}

// PushReport is the report-status of receive-pack.
type PushReport struct {
	Unpack    string      // "ok" or the reason why unpacking failed
	Refs      []RefReport // in the order of the report
	Messages  string      // what the server sent for the user's eyes, band 2
	BytesSent int         // bytes of the request body that the transport took
}

// RefReport is one line of a PushReport.
type RefReport struct {
	Name   string
	OK     bool
	Reason string // only when not OK
}

// ErrPkt is an ERR pkt-line, or the fatal message of band 3.
type ErrPkt struct {
	Text      string
	Band3     bool // came on band 3 of the side-band
	BytesSent int  // bytes of the request body that the transport took
}

// Silence means that no answer came. It proves nothing.
type Silence struct {
	After   time.Duration // how long was waited, by the target's clock
	Awaited string        // what was waited for, such as "OK"
}

// Late means that what was waited for came soon after its bound, in a world whose time is not ours. It proves nothing.
type Late struct {
	After, Bound time.Duration
}

// TransportError means that the exchange broke down below the protocol. It proves nothing.
type TransportError struct {
	Phase string // "dial", "send", "recv", "request", "body", "sleep", "ledger"
	Text  string
	Err   error
}

// RateLimited means that the server asked for a slower pace. It proves nothing.
type RateLimited struct {
	Text string
}

// BadEvent is an event that the relay sent although its id or its signature is wrong.
type BadEvent struct {
	Sub, ID, Why string
}

// BadAnswer is an answer that breaks its protocol: a relay message that is not one, a malformed
// pkt-line, a pack that does not parse. It is contact, but neither a refusal nor inconclusive.
type BadAnswer struct {
	Phase string     // "frame", "negentropy", "advertisement", "fetch", "pack", "report"
	Text  string     // what is wrong with it
	HTTP  HTTPAnswer // the exchange it came in, if any
}

func (OKFrame) observation()        {}
func (ClosedFrame) observation()    {}
func (NegErrFrame) observation()    {}
func (NoticeFrame) observation()    {}
func (HTTPAnswer) observation()     {}
func (Advert) observation()         {}
func (PushReport) observation()     {}
func (ErrPkt) observation()         {}
func (Silence) observation()        {}
func (Late) observation()           {}
func (TransportError) observation() {}
func (RateLimited) observation()    {}
func (BadEvent) observation()       {}
func (BadAnswer) observation()      {}

func (o OKFrame) String() string {
	return fmt.Sprintf("OK %t %q for event %s", o.Accepted, joinPrefix(o.Prefix, o.Text), short(o.ID))
}

func (o ClosedFrame) String() string {
	return fmt.Sprintf("CLOSED %q of subscription %q", joinPrefix(o.Prefix, o.Text), o.Sub)
}

func (o NegErrFrame) String() string {
	return fmt.Sprintf("NEG-ERR %q of reconciliation %q", joinPrefix(o.Prefix, o.Text), o.Sub)
}

func (o NoticeFrame) String() string { return fmt.Sprintf("NOTICE %q", clip(o.Text)) }

func (o HTTPAnswer) String() string {
	return fmt.Sprintf("HTTP %d %s, %d bytes %q", o.Status, o.Header.Get("Content-Type"), len(o.Body), clip(string(o.Body)))
}

func (o PushReport) String() string {
	s := fmt.Sprintf("push report: unpack %s", clip(o.Unpack))
	for i, r := range o.Refs {
		if i == refsShownMax {
			s += fmt.Sprintf(", and %d more", len(o.Refs)-i)
			break
		}
		if r.OK {
			s += ", ok " + clip(r.Name)
		} else {
			s += ", ng " + clip(r.Name) + " " + clip(r.Reason)
		}
	}
	return fmt.Sprintf("%s (%d bytes sent)", s, o.BytesSent)
}

func (o ErrPkt) String() string { return fmt.Sprintf("ERR %q", clip(o.Text)) }

func (o Silence) String() string {
	if o.After <= 0 { // where nothing is under way any more, nobody has to wait for it
		return "silence, awaiting " + o.Awaited
	}
	return fmt.Sprintf("silence for %v, awaiting %s", o.After, o.Awaited)
}

func (o Late) String() string {
	return fmt.Sprintf("it came after %v, within twice the bound of %v: this machine may have been too busy, or the server too slow",
		o.After.Round(time.Millisecond), o.Bound)
}

func (o TransportError) String() string {
	return fmt.Sprintf("transport error (%s): %s", o.Phase, clip(o.Text))
}

func (o RateLimited) String() string { return fmt.Sprintf("rate limited: %q", clip(o.Text)) }

func (o BadEvent) String() string {
	return fmt.Sprintf("bad event %s on subscription %q: %s", short(o.ID), o.Sub, o.Why)
}

func (o BadAnswer) String() string {
	return fmt.Sprintf("bad answer (%s): %s", o.Phase, clip(o.Text))
}

// refsShownMax bounds the refs named in the text of one observation.
const refsShownMax = 8

// clipBytesMax bounds each foreign string in the text of an observation.
const clipBytesMax = 240

// clip bounds a foreign text for display.
func clip(s string) string {
	if len(s) > clipBytesMax {
		return s[:clipBytesMax] + "..."
	}
	return s
}

// short abbreviates an id for display.
func short(id string) string {
	if len(id) > 12 {
		return id[:12]
	}
	return id
}

func joinPrefix(prefix, text string) string {
	if prefix == "" {
		return clip(text)
	}
	return prefix + ": " + clip(text)
}
