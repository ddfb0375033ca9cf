// Package ledger is the list of what a run writes to a server: a file of JSON lines, each of which is on the disk before what it
// names is sent. Whoever holds it can find and remove all of that later, also where the run was killed.
//
// It holds no secret: a key that a run has made follows from the seed and the nonce in it, of a key that was given to the run it has
// the public half alone. It sends nothing, removes nothing and knows no server.
package ledger

import "time"

// Schema names the form of the lines, in the first one.
const Schema = "graspkit.ledger/1"

// The kinds of lines.
const (
	TypeRun    = "run"    // the first one: which run, at which server
	TypeKey    = "key"    // a key that signs
	TypeEvent  = "event"  // an event is about to be sent
	TypePush   = "push"   // a push is about to begin
	TypeAnswer = "answer" // an event was answered; it may be lost
)

// A Run is the first line.
type Run struct {
	Type    string    `json:"type"`
	Schema  string    `json:"schema"`
	Run     string    `json:"run"`   // the eight digits that name it
	URL     string    `json:"url"`   // of the service
	Seed    string    `json:"seed"`  // keys follow from both,
	Nonce   string    `json:"nonce"` // and from their names
	Started time.Time `json:"started"`
}

// A Key is somebody who signs.
type Key struct {
	Type   string `json:"type"`
	Pubkey string `json:"pubkey"`
	Npub   string `json:"npub"`
	// Name is what the key follows from beside seed and nonce; empty for one that was given to the run.
	Name string `json:"name,omitempty"`
	// Again is of the keys of a check that got another try; they are others.
	Again bool `json:"again,omitempty"`
}

// An Event is one that is about to be sent, valid or not.
type Event struct {
	Type       string `json:"type"`
	ID         string `json:"id"`
	Kind       int    `json:"kind"`
	Pubkey     string `json:"pubkey"`
	CreatedAt  int64  `json:"created_at"`
	Identifier string `json:"d,omitempty"`          // its d tag
	Address    string `json:"address,omitempty"`    // of a replaceable or an addressable event, as an a tag has it
	Repository string `json:"repository,omitempty"` // URL of what an announcement announces
	Bytes      int    `json:"bytes"`
	// Lent is of an event that was put at a relay of the suite, where the server may get it, and not sent.
	Lent bool `json:"lent,omitempty"`
}

// A Push is one that is about to begin.
type Push struct {
	Type       string `json:"type"`
	Repository string `json:"repository"` // URL
	Bytes      int    `json:"bytes"`
}

// An Answer is what came for an event.
type Answer struct {
	Type  string `json:"type"`
	ID    string `json:"id"`
	Taken bool   `json:"taken"`
}

// Limits of a ledger.
const (
	// LineMax bounds one line.
	LineMax = 64 << 10
	// LinesMax bounds the lines that are read.
	LinesMax = 2_000_000
	// textMax bounds a text of somebody's in a line: what is longer is left out, and the id alone names the event.
	textMax = 2 << 10
)
