package relay

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// decodeFilter reads one filter. The second value is the reason why it cannot be taken, or ""; then the cursor may
// stand anywhere. Keys that NIP-01 does not know are passed over, so that newer clients are answered; but a search (NIP-50)
// is refused, since what is answered without looking at it is not what was asked for.
func decodeFilter(c *cursor) (Filter, string) {
	var f Filter
	if c.peek() != aObject {
		return f, "a filter is a JSON object"
	}
	var keys []string
	c.open()
	for c.more() {
		key := c.key()
		reason := addKey(&keys, key)
		if reason == "" {
			reason = f.decodeField(c, key)
		}
		if reason != "" {
			return f, reason
		}
	}
	slices.SortFunc(f.Tags, func(a, b TagFilter) int { return cmp.Compare(a.Letter, b.Letter) })
	return f, ""
}

// reasonSearch is the one reason of a filter that could be taken elsewhere.
const reasonSearch = "this relay has no search (NIP-50)"

// refusal returns the text that refuses a filter, or what it is in, with its machine-readable prefix.
func refusal(reason string) string {
	if reason == reasonSearch {
		return "unsupported: " + reason
	}
	return "invalid: " + reason
}

func (f *Filter) decodeField(c *cursor, key string) (reason string) {
	switch key {
	case "ids":
		f.IDs, reason = decodeValues(c, key, isKey)
	case "authors":
		f.Authors, reason = decodeValues(c, key, isKey)
	case "kinds":
		f.Kinds, reason = decodeKinds(c)
	case "since":
		f.Since, reason = decodeBound(c, key, TimeMax)
	case "until":
		f.Until, reason = decodeBound(c, key, TimeMax)
	case "limit":
		var limit *int64
		if limit, reason = decodeBound(c, key, math.MaxInt32); reason == "" {
			n := int(*limit)
			f.Limit = &n
		}
	case "search":
		return reasonSearch
	default:
		if key == "" || key[0] != '#' {
			c.skip()
			return ""
		}
		if len(key) != 2 || !isLetter(key[1]) {
			return "a tag filter is # and one letter"
		}
		var values []string
		values, reason = decodeValues(c, key, func(string) bool { return true })
		f.Tags = append(f.Tags, TagFilter{Letter: key[1], Values: values})
	}
	return reason
}

// decodeValues reads a list of strings, never nil, since an empty list matches nothing.
func decodeValues(c *cursor, key string, valid func(string) bool) ([]string, string) {
	if c.peek() != anArray {
		return nil, key + " is not an array"
	}
	values := []string{}
	c.open()
	for c.more() {
		if len(values) == FilterValuesMax {
			return nil, key + " has more than " + strconv.Itoa(FilterValuesMax) + " values"
		}
		if c.peek() != aText {
			return nil, key + " has a value that is not a string"
		}
		value := c.text()
		if !valid(value) {
			return nil, key + " has a value that is not 64 lower-case hex digits"
		}
		values = append(values, value)
	}
	return values, ""
}

func decodeKinds(c *cursor) ([]int, string) {
	if c.peek() != anArray {
		return nil, "kinds is not an array"
	}
	kinds := []int{}
	c.open()
	for c.more() {
		if len(kinds) == FilterValuesMax {
			return nil, "kinds has more than " + strconv.Itoa(FilterValuesMax) + " values"
		}
		kind, ok := c.integer(KindMax)
		if !ok {
			return nil, "kinds has a value that is not an integer from 0 to " + strconv.Itoa(KindMax)
		}
		kinds = append(kinds, int(kind))
	}
	return kinds, ""
}

func decodeBound(c *cursor, key string, limit int64) (*int64, string) {
	n, ok := c.integer(limit)
	if !ok {
		return nil, key + " is not an integer from 0"
	}
	return &n, ""
}

func isKey(s string) bool { return isLowerHex(s, 64) }

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }
