package gitproto

import (
	"net/url"
	"strconv"
	"strings"
)

// A Bound is a number that may be absent.
type Bound struct {
	Set bool
	N   int64
}

// A Filter says which objects a client does not want to be sent although they are reachable. Objects that it names
// in a want are always sent. The zero value leaves nothing out (G01-GIT-05).
type Filter struct {
	BlobLimit Bound  // blobs of N or more bytes are left out
	TreeDepth Bound  // trees and blobs N or more levels below the root tree are left out; the root tree is level 0
	Type      string // only objects of this type: "commit", "tree", "blob", "tag"; "" = all
}

// combineMax bounds the parts of a combined filter.
const combineMax = 16

// ParseFilter reads a filter: blob:none, blob:limit=<n>[kmg], tree:<depth>, object:type=<type>, or combine:<a>+<b> of
// these with percent-encoded parts. Others are a *ProtocolError.
func ParseFilter(spec string) (Filter, error) {
	rest, combined := strings.CutPrefix(spec, "combine:")
	if !combined {
		return Filter{}.with(spec)
	}
	parts := strings.Split(rest, "+")
	if len(parts) > combineMax {
		return Filter{}, protocolErrorf("a filter combines more than %d parts", combineMax)
	}
	var f Filter
	for _, part := range parts {
		text, err := url.PathUnescape(part)
		if err == nil {
			f, err = f.with(text)
		}
		if err != nil {
			return Filter{}, protocolErrorf("filter %s is not supported", quote(spec))
		}
	}
	return f, nil
}

// with returns f narrowed by one simple filter.
func (f Filter) with(spec string) (Filter, error) {
	kind, value, _ := strings.Cut(spec, ":")
	limit, limited := strings.CutPrefix(value, "limit=")
	objectType, typed := strings.CutPrefix(value, "type=")
	n, ok := int64(0), false
	switch {
	case kind == "blob" && value == "none":
		f.BlobLimit, ok = f.BlobLimit.lower(0), true
	case kind == "blob" && limited:
		if n, ok = parseSize(limit); ok {
			f.BlobLimit = f.BlobLimit.lower(n)
		}
	case kind == "tree":
		if n, ok = parseSize(value); ok {
			f.TreeDepth = f.TreeDepth.lower(n)
		}
	case kind == "object" && typed:
		switch objectType {
		case "commit", "tree", "blob", "tag":
			ok = f.Type == "" || f.Type == objectType
			f.Type = objectType
		}
	}
	if !ok {
		return Filter{}, protocolErrorf("filter %s is not supported", quote(spec))
	}
	return f, nil
}

func (b Bound) lower(n int64) Bound {
	if b.Set && b.N < n {
		return b
	}
	return Bound{Set: true, N: n}
}

// parseSize reads a number with an optional unit k, m or g.
func parseSize(s string) (int64, bool) {
	shift := 0
	if s != "" {
		switch s[len(s)-1] {
		case 'k', 'K':
			shift = 10
		case 'm', 'M':
			shift = 20
		case 'g', 'G':
			shift = 30
		}
		if shift > 0 {
			s = s[:len(s)-1]
		}
	}
	n, err := strconv.ParseUint(s, 10, 32)
	return int64(n) << shift, err == nil
}
