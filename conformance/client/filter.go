package client

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// A Filter is a NIP-01 filter, written out exactly as its fields say.
//
// A nil list or pointer is left out; an empty list that is not nil is written as []. So a limit of 0
// and lists that match nothing can be sent. Use new(0) for pointers.
type Filter struct {
	IDs     []string
	Authors []string
	Kinds   []int
	Tags    map[string][]string // by tag name without '#': "d", "A"; case is kept
	Since   *int64
	Until   *int64
	Limit   *int
	// Raw, if not empty, is sent verbatim instead of everything else, valid or not.
	Raw string
}

// JSON is the filter as it is sent. Members come in a fixed order, tags sorted by name.
func (f Filter) JSON() string {
	if f.Raw != "" {
		return f.Raw
	}
	out := []byte{'{'}
	member := func(name string, value any) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, encode(name)...)
		out = append(out, ':')
		out = append(out, encode(value)...)
	}
	if f.IDs != nil {
		member("ids", f.IDs)
	}
	if f.Authors != nil {
		member("authors", f.Authors)
	}
	if f.Kinds != nil {
		member("kinds", f.Kinds)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Tags)) {
		member("#"+name, nonNil(f.Tags[name]))
	}
	if f.Since != nil {
		member("since", *f.Since)
	}
	if f.Until != nil {
		member("until", *f.Until)
	}
	if f.Limit != nil {
		member("limit", *f.Limit)
	}
	return string(append(out, '}'))
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// encode writes a value that is known to be encodable.
func encode(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("client: invariant: encode %T: %v", v, err))
	}
	return out
}
