package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"
)

// A message is one decoded relay message. Only the fields of its label are set.
type message struct {
	label    string // "EVENT", "OK", "EOSE", "CLOSED", "NOTICE", "AUTH", "COUNT", "NEG-MSG", "NEG-ERR" or something unknown
	sub      string
	event    *nostr.Event
	id       string
	accepted bool
	text     string
	tally    Tally
	unknown  bool // nobody knows the label; sub is then its second element, if that is a text
}

// wireCount is the answer to a COUNT (NIP-45).
type wireCount struct {
	Count *int `json:"count"`
	Rough bool `json:"approximate"`
}

// wireEvent has the members of an event as NIP-01 names them.
type wireEvent struct {
	ID        string     `json:"id"`
	Pubkey    string     `json:"pubkey"`
	CreatedAt int64      `json:"created_at"`
	Kind      int        `json:"kind"`
	Tags      [][]string `json:"tags"`
	Content   string     `json:"content"`
	Sig       string     `json:"sig"`
}

// parseMessage decodes one relay message. A label that it does not know is no error: the message then
// has that label, and says of whom it speaks.
func parseMessage(raw []byte) (message, error) {
	if len(raw) > MaxFrameBytes {
		return message{}, fmt.Errorf("message of %d bytes is longer than %d", len(raw), MaxFrameBytes)
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return message{}, fmt.Errorf("message is not a JSON array: %w", err)
	}
	if len(parts) == 0 {
		return message{}, errors.New("message is an empty array")
	}
	var m message
	if err := json.Unmarshal(parts[0], &m.label); err != nil {
		return message{}, fmt.Errorf("message label: %w", err)
	}
	var into []any
	var ev wireEvent
	var counted wireCount
	switch m.label {
	case "EVENT":
		into = []any{&m.sub, &ev}
	case "OK":
		into = []any{&m.id, &m.accepted, &m.text}
	case "EOSE":
		into = []any{&m.sub}
	case "COUNT":
		into = []any{&m.sub, &counted}
	case "CLOSED", "NEG-MSG", "NEG-ERR":
		into = []any{&m.sub, &m.text}
	case "NOTICE", "AUTH":
		into = []any{&m.text}
	default:
		m.unknown = true
		if len(parts) < 2 || json.Unmarshal(parts[1], &m.sub) != nil {
			m.sub = ""
		}
		return m, nil
	}
	if len(parts)-1 < len(into) {
		return message{}, fmt.Errorf("%s message has %d elements, want %d", m.label, len(parts), len(into)+1)
	}
	for i := range into {
		if err := decode(parts[i+1], into[i]); err != nil {
			return message{}, fmt.Errorf("%s message, element %d: %w", m.label, i+1, err)
		}
	}
	switch m.label {
	case "EVENT":
		m.event = ev.event()
	case "COUNT":
		if counted.Count == nil {
			return message{}, errors.New("COUNT message, element 2: no count")
		}
		m.tally = Tally{N: *counted.Count, Rough: counted.Rough}
	}
	return m, nil
}

// decode reads a value as encoding/json does, but for null, which that takes for a text or a number that is empty.
func decode(raw json.RawMessage, into any) error {
	if bytes.Contains(raw, []byte("null")) {
		if err := findNull(raw); err != nil {
			return err
		}
	}
	return json.Unmarshal(raw, into) //nolint:wrapcheck // who calls says of what
}

// findNull returns an error if a value, or a member of it that an event or a count has, is null.
func findNull(raw json.RawMessage) error {
	if string(raw) == "null" {
		return errors.New("it is null")
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil // it is no object
	}
	for _, name := range []string{"id", "pubkey", "created_at", "kind", "content", "sig", "count"} {
		if string(members[name]) == "null" {
			return fmt.Errorf("%s is null", name)
		}
	}
	var tags *[][]*string
	if err := json.Unmarshal(members["tags"], &tags); members["tags"] == nil || err != nil {
		return nil // what is there instead is told by who decodes it
	}
	if tags == nil || slices.ContainsFunc(*tags, func(tag []*string) bool { return tag == nil || slices.Contains(tag, nil) }) {
		return errors.New("tags hold null, or are it")
	}
	return nil
}

// CheckMessage returns what keeps clients from reading a relay message: its shape, or a verb that nobody knows.
func CheckMessage(raw []byte) error {
	m, err := parseMessage(raw)
	if err == nil && m.unknown {
		return fmt.Errorf("message has the verb %q, which nobody knows", clip(m.label))
	}
	return err
}

func (w wireEvent) event() *nostr.Event {
	ev := &nostr.Event{
		ID: w.ID, PubKey: w.Pubkey, CreatedAt: nostr.Timestamp(w.CreatedAt), Kind: w.Kind,
		Tags: nostr.Tags{}, Content: w.Content, Sig: w.Sig,
	}
	for _, tag := range w.Tags {
		ev.Tags = append(ev.Tags, tag)
	}
	return ev
}

// EventJSON is the event as the client sends it, for hand-made frames.
func EventJSON(ev *nostr.Event) []byte {
	w := wireEvent{
		ID: ev.ID, Pubkey: ev.PubKey, CreatedAt: int64(ev.CreatedAt), Kind: ev.Kind,
		Tags: [][]string{}, Content: ev.Content, Sig: ev.Sig,
	}
	for _, tag := range ev.Tags {
		w.Tags = append(w.Tags, nonNil(tag))
	}
	return encode(w)
}

// verify returns what is wrong with an event, or "". Events found good are remembered.
func (c *Client) verify(ev *nostr.Event) string {
	if !ev.CheckID() {
		return "id does not fit the content"
	}
	if known.has(ev) {
		return ""
	}
	good, err := ev.CheckSignature()
	if err != nil {
		return "signature cannot be checked: " + err.Error()
	}
	if !good {
		return "signature is wrong"
	}
	known.add(ev)
	return ""
}

// checkOwn panics if an event of our own is not what a relay may expect: that would be a fault of the
// caller, and no server may be judged by it.
func (c *Client) checkOwn(ev *nostr.Event) {
	for _, tag := range ev.Tags {
		if len(tag) == 0 {
			panic("client: invariant: own event has an empty tag")
		}
	}
	if !utf8.ValidString(ev.Content) {
		panic("client: invariant: own event has content that is not UTF-8")
	}
	if why := c.verify(ev); why != "" {
		panic("client: invariant: own event: " + why)
	}
}
