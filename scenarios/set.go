package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Setting changes one field of a scenario. Its path names the field as it is nested in a file, "hunt.rate"; what is in a
// list is named by its number from 1 on, "hosts.2.delay". Files, sweeps and searches name fields in this one way.
type Setting struct{ Path, Value string }

// ParseSetting reads "hunt.rate=5".
func ParseSetting(text string) (Setting, error) {
	path, value, found := strings.Cut(text, "=")
	if !found || path == "" {
		return Setting{}, fmt.Errorf("setting %q is not of the form hunt.rate=5", text)
	}
	return Setting{path, value}, nil
}

// String writes the setting as ParseSetting reads it.
func (s Setting) String() string { return s.Path + "=" + s.Value }

// Set returns the text of a scenario with a field changed, and Parse says whether that is one. An empty value takes the
// field out. Comments are lost.
func Set(data []byte, s Setting) ([]byte, error) {
	root, err := ReadNode("the scenario", data)
	if err != nil {
		return nil, err
	}
	var value *Node
	if s.Value != "" {
		read, err := ReadNode("the value of "+s.Path, []byte(s.Value))
		if err != nil {
			return nil, err
		}
		value = &read
	}
	changed, err := root.set(strings.Split(s.Path, "."), value)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", s.Path, err)
	}
	return []byte(changed.YAML()), nil
}

// set replaces what is at a path, or takes it out if the value is nil. Mappings on the way that are not there are made.
func (n Node) set(path []string, value *Node) (Node, error) {
	at, err := n.place(path[0])
	if err != nil {
		return n, err
	}
	there := at < len(n.Items)
	if len(path) > 1 {
		inner := Node{Kind: Mapping}
		switch {
		case there:
			inner = n.Items[at]
		case value == nil:
			return n, nil
		}
		if inner, err = inner.set(path[1:], value); err != nil {
			return n, err
		}
		value = &inner
	}
	switch {
	case value != nil && n.Kind == Mapping:
		return n.With(path[0], *value), nil
	case value != nil:
		return n.Replaced(at, *value), nil
	case there:
		return n.Without(at, at+1), nil
	}
	return n, nil
}

// place is where a field of a mapping is, behind all items if it has none of the name; an item of a list must be there.
func (n Node) place(name string) (int, error) {
	switch n.Kind {
	case Mapping:
		if at := slices.Index(n.Keys, name); at >= 0 {
			return at, nil
		}
		return len(n.Items), nil
	case List:
		at, err := strconv.Atoi(name)
		if err != nil || at < 1 || at > len(n.Items) {
			return 0, fmt.Errorf("%q is none of the list: use a number from 1 to %d", name, len(n.Items))
		}
		return at - 1, nil
	case Scalar:
	}
	return 0, fmt.Errorf("%q is a field of what has no fields", name)
}
