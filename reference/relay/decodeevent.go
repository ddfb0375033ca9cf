package relay

import (
	"strconv"

	"github.com/nbd-wtf/go-nostr"
)

// The fields of an event, as bits of what was seen.
const (
	fieldID = 1 << iota
	fieldPubKey
	fieldCreatedAt
	fieldKind
	fieldTags
	fieldContent
	fieldSig
	fieldsAll = 1<<iota - 1
)

// decodeEvent reads the rest of an EVENT or AUTH message. It goes on after the first fault, to find the id to answer to.
func decodeEvent(c *cursor, verb string) ClientMessage {
	if !c.more() || c.peek() != aObject {
		return notice("an " + verb + " has one event, a JSON object")
	}
	r := eventReader{ev: &nostr.Event{Tags: nostr.Tags{}}}
	r.read(c)
	if c.more() {
		r.fault("an " + verb + " has one event and nothing more")
	}
	if r.seen != fieldsAll {
		r.fault("the event lacks a field")
	}
	if r.reason == "" {
		return Event{Event: r.ev, IDOK: checkID(r.ev)}
	}
	if isEventID(r.ev.ID) {
		return refuseEvent(r.ev.ID, r.reason)
	}
	return notice(r.reason)
}

// An eventReader fills an event and keeps the first fault.
type eventReader struct {
	ev     *nostr.Event
	seen   int
	reason string
}

func (r *eventReader) fault(reason string) {
	if r.reason == "" {
		r.reason = reason
	}
}

func (r *eventReader) read(c *cursor) {
	var keys []string
	c.open()
	for c.more() {
		key := c.key()
		if reason := addKey(&keys, key); reason != "" {
			r.fault(reason)
			c.skip()
			continue
		}
		switch key {
		case "id":
			r.seen |= fieldID
			r.hex(c, &r.ev.ID, "id", 64)
		case "pubkey":
			r.seen |= fieldPubKey
			r.hex(c, &r.ev.PubKey, "pubkey", 64)
		case "created_at":
			r.seen |= fieldCreatedAt
			created, ok := c.integer(TimeMax)
			if !ok {
				r.fault("created_at is not an integer of seconds from 0")
			}
			r.ev.CreatedAt = nostr.Timestamp(created)
		case "kind":
			r.seen |= fieldKind
			kind, ok := c.integer(KindMax)
			if !ok {
				r.fault("kind is not an integer from 0 to " + strconv.Itoa(KindMax))
			}
			r.ev.Kind = int(kind)
		case "tags":
			r.seen |= fieldTags
			r.tags(c)
		case "content":
			r.seen |= fieldContent
			if c.peek() != aText {
				r.fault("content is not a string")
				c.skip()
				continue
			}
			r.ev.Content = c.text()
		case "sig":
			r.seen |= fieldSig
			r.hex(c, &r.ev.Sig, "sig", 128)
		default:
			c.skip()
		}
	}
}

// hex reads a field of hex digits. A wrong one is kept, to see whether it can be answered to.
func (r *eventReader) hex(c *cursor, field *string, name string, size int) {
	if c.peek() == aText {
		*field = c.text()
	} else {
		c.skip()
	}
	if !isLowerHex(*field, size) {
		r.fault(name + " is not " + strconv.Itoa(size) + " lower-case hex digits")
	}
}

func (r *eventReader) tags(c *cursor) {
	const shape = "tags is not an array of arrays of strings"
	if c.peek() != anArray {
		r.fault(shape)
		c.skip()
		return
	}
	c.open()
	for c.more() {
		if len(r.ev.Tags) == TagsMax {
			r.fault("more than " + strconv.Itoa(TagsMax) + " tags")
			c.skip()
			continue
		}
		if c.peek() != anArray {
			r.fault(shape)
			c.skip()
			continue
		}
		tag, ok := readTexts(c)
		if !ok {
			r.fault(shape)
		}
		if len(tag) == 0 {
			r.fault("a tag is empty")
		}
		r.ev.Tags = append(r.ev.Tags, tag)
	}
}

// readTexts reads an array, and reports whether all of its elements are strings.
func readTexts(c *cursor) (texts []string, ok bool) {
	ok = true
	c.open()
	for c.more() {
		if c.peek() != aText {
			ok = false
			c.skip()
			continue
		}
		texts = append(texts, c.text())
	}
	return texts, ok
}

// addKey notes a key of an object, and returns why the object cannot be taken: readers differ on which of two equal
// keys counts.
func addKey(keys *[]string, key string) string {
	if len(*keys) == FieldsMax {
		return "an object has more than " + strconv.Itoa(FieldsMax) + " fields"
	}
	for _, known := range *keys {
		if known == key {
			return "a field is given twice"
		}
	}
	*keys = append(*keys, key)
	return ""
}
