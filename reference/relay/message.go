package relay

import "github.com/nbd-wtf/go-nostr"

// A ClientMessage is what a client sent: an [Event], a [Req], a [Close], or a [Malformed] frame.
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

// Malformed is a frame that is no valid message, with the answer to it: an [OK], a [Closed] or a [Notice].
type Malformed struct{ Reply ServerMessage }

func (Event) clientMessage()     {}
func (Req) clientMessage()       {}
func (Close) clientMessage()     {}
func (Malformed) clientMessage() {}

// A ServerMessage is what the server sends: an [EventFor], an [OK], an [EOSE], a [Closed] or a [Notice].
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

// Notice is a message for people.
type Notice struct{ Text string }

func (EventFor) serverMessage() {}
func (OK) serverMessage()       {}
func (EOSE) serverMessage()     {}
func (Closed) serverMessage()   {}
func (Notice) serverMessage()   {}
