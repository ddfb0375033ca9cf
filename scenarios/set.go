package scenarios

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
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
	var root any
	if err := yaml.UnmarshalWithOptions(data, &root, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("set %s: %w", s.Path, syntaxError("the scenario", err))
	}
	var value any
	if s.Value != "" {
		if err := yaml.UnmarshalWithOptions([]byte(s.Value), &value, yaml.UseOrderedMap()); err != nil {
			return nil, fmt.Errorf("set %s: value %q is no YAML", s.Path, s.Value)
		}
	}
	changed, err := replaced(root, strings.Split(s.Path, "."), value)
	if err != nil {
		return nil, fmt.Errorf("set %s: %w", s.Path, err)
	}
	out, err := yaml.Marshal(changed)
	if err != nil {
		return nil, fmt.Errorf("write scenario: %w", err)
	}
	return out, nil
}

// replaced returns a node with what is at a path in it replaced, or taken out if the value is nil. Mappings on the way that
// are not there are made.
func replaced(node any, path []string, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	switch n := node.(type) {
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 1 || i > len(n) {
			return nil, fmt.Errorf("%q is none of the list: use a number from 1 to %d", path[0], len(n))
		}
		inner, err := replaced(n[i-1], path[1:], value)
		if err != nil {
			return nil, err
		}
		if inner == nil {
			return append(append([]any{}, n[:i-1]...), n[i:]...), nil
		}
		list := append([]any{}, n...)
		list[i-1] = inner
		return list, nil
	case nil, yaml.MapSlice:
		old, _ := n.(yaml.MapSlice) // nil makes a new one
		return replacedIn(old, path, value)
	}
	return nil, fmt.Errorf("%q is a field of what has no fields", path[0])
}

func replacedIn(old yaml.MapSlice, path []string, value any) (any, error) {
	var out yaml.MapSlice
	found := false
	for _, item := range old {
		if item.Key == path[0] {
			found = true
			inner, err := replaced(item.Value, path[1:], value)
			if err != nil {
				return nil, err
			}
			if inner == nil {
				continue
			}
			item.Value = inner
		}
		out = append(out, item)
	}
	if !found {
		inner, err := replaced(nil, path[1:], value)
		if err != nil {
			return nil, err
		}
		if inner != nil {
			out = append(out, yaml.MapItem{Key: path[0], Value: inner})
		}
	}
	return out, nil
}
