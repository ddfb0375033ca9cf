package trace

import "regexp"

// Names gives long identifiers, event ids and public keys, short symbolic names, so that two traces can be read side by
// side. Its zero value is not usable; see NewNames.
type Names struct{ names map[string]string }

// NewNames returns an empty book of names.
func NewNames() *Names { return &Names{names: map[string]string{}} }

// Give names an identifier. The first name stays.
func (n *Names) Give(id, name string) {
	if _, ok := n.names[id]; !ok {
		n.names[id] = name
	}
}

// Of returns the name of an identifier, or the identifier itself if nobody named it.
func (n *Names) Of(id string) string {
	if name, ok := n.names[id]; ok {
		return name
	}
	return id
}

// longID is a public key, the id of an event, or that of an object.
var longID = regexp.MustCompile(`\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b`)

// In is a text with names in place of the keys and ids in it.
func (n *Names) In(text string) string {
	if len(text) < 40 {
		return text
	}
	return longID.ReplaceAllStringFunc(text, n.Of)
}
