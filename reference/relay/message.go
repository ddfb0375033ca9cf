package relay

import "github.com/nbd-wtf/go-nostr"

// A ClientMessage is what a client sent: an [Event], an [Auth], a [Req], a [Close], a [Count], a [NegOpen], a
// [NegMessage], a [NegClose], or a [Malformed] frame.
type ClientMessage interface{ clientMessage() }

// Event is a published event whose fields have the form that NIP-01 asks for. Its signature is not checked.
type Event struct {
	Event *nostr.Event
	IDOK  bool // the id is the hash of the fields (N01-EV-02)
}

// Req opens a subscription. Filters has 1 to FiltersMax elements.
type Req struct {
	Sub     string
	Filters []Filter
}

// Close ends a subscription.
type Close struct{ Sub string }

// Count asks how many events there are (NIP-45). Filters has 1 to FiltersMax elements.
type Count struct {
	Sub     string
	Filters []Filter
}

// NegOpen begins a reconciliation of what a filter selects (NIP-77). Message has at most NegBytesMax bytes and may be
// anything.
type NegOpen struct {
	Sub     string
	Filter  Filter
	Message []byte
}

// NegMessage goes on with a reconciliation.
type NegMessage struct {
	Sub     string
	Message []byte // as in NegOpen
}

// NegClose ends a reconciliation.
type NegClose struct{ Sub string }

// Malformed is a frame that is no valid message, with the answer to it: an [OK], a [Closed], a [NegError] or a
// [Notice].
type Malformed struct{ Reply ServerMessage }

func (Event) clientMessage()      {}
func (Req) clientMessage()        {}
func (Close) clientMessage()      {}
func (Count) clientMessage()      {}
func (NegOpen) clientMessage()    {}
func (NegMessage) clientMessage() {}
func (NegClose) clientMessage()   {}
func (Malformed) clientMessage()  {}

// A ServerMessage is what a server sends: an [EventFor], an [OK], an [EOSE], a [Closed], a [Counted], a [NegAnswer],
// a [NegError], a [Challenge] or a [Notice]; or what another relay sent and is [Unreadable].
type ServerMessage interface{ serverMessage() }

// EventFor is an event that a subscription asked for.
type EventFor struct {
	Sub   string
	Event *nostr.Event
}

// OK answers a published event. Text has a machine-readable prefix unless it is empty (N01-EV-01).
type OK struct {
	ID       string
	Accepted bool
	Text     string
}

// EOSE says that all stored events of a subscription were sent.
type EOSE struct{ Sub string }

// Closed says that the server ended or refused a subscription. Text has a machine-readable prefix.
type Closed struct{ Sub, Text string }

// Counted answers a Count.
type Counted struct {
	Sub   string
	Count int
}

// NegAnswer is the server's turn in a reconciliation.
type NegAnswer struct {
	Sub     string
	Message []byte
}

// NegError says that the server refused or ended a reconciliation (NIP-77). Text has a machine-readable prefix.
type NegError struct{ Sub, Text string }

// Notice is a message for people.
type Notice struct{ Text string }

// Unreadable is a frame of another server that is none of these, or beyond the limits. It is never sent.
type Unreadable struct {
	Sub    string // of an event that cannot be read; "" if it is anything else
	Reason string
}

func (Unreadable) serverMessage() {}
func (EventFor) serverMessage()   {}
func (OK) serverMessage()         {}
func (EOSE) serverMessage()       {}
func (Closed) serverMessage()     {}
func (Counted) serverMessage()    {}
func (NegAnswer) serverMessage()  {}
func (NegError) serverMessage()   {}
func (Notice) serverMessage()     {}
