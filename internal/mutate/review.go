package mutate

import (
	"errors"
	"fmt"
	"strings"
)

// A review says why some mutants are no mistakes.
type review struct {
	keys   []string // of mutants; one that ends in * stands for all that begin so
	reason string
}

// reviews reads a list: keys on lines of their own and, indented behind them, the reason that they share. Lines that begin
// with # say what the list is.
func reviews(list string) ([]review, error) {
	var all []review
	var now review
	for line := range strings.Lines(list + "\n#\n") {
		text := strings.TrimSpace(line)
		indented := strings.HasPrefix(line, "\t")
		if !indented && now.reason != "" {
			all = append(all, now)
			now = review{}
		}
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case indented:
			now.reason = strings.TrimSpace(now.reason + " " + text)
		default:
			now.keys = append(now.keys, text)
		}
	}
	if len(now.keys) > 0 {
		return nil, fmt.Errorf("mutants without a reason: %q; write one below them, indented", now.keys)
	}
	return all, nil
}

// Reviewed returns the reasons of those points that a list names by their keys, by number. The error names every entry that
// fits no point.
func Reviewed(list string, points []Point) (map[int]string, error) {
	keys := make([]string, len(points))
	for i, p := range points {
		keys[i] = p.Key()
	}
	byKey, err := ReviewedKeys(list, keys)
	if byKey == nil {
		return nil, err
	}
	reasons := map[int]string{}
	for i, p := range points {
		if reason, is := byKey[keys[i]]; is {
			reasons[p.Number] = reason
		}
	}
	return reasons, err
}

// ReviewedKeys is Reviewed for mistakes of any sort, by key.
func ReviewedKeys(list string, keys []string) (map[string]string, error) {
	all, err := reviews(list)
	if err != nil {
		return nil, err
	}
	reasons := map[string]string{}
	var stale []error
	for _, r := range all {
		for _, entry := range r.keys {
			begin, many := strings.CutSuffix(entry, "*")
			found := false
			for _, key := range keys {
				if key == entry || many && strings.HasPrefix(key, begin) {
					reasons[key], found = r.reason, true
				}
			}
			if !found {
				stale = append(stale, fmt.Errorf("no mutant is called %s: the source has changed, so look at it again", entry))
			}
		}
	}
	return reasons, errors.Join(stale...)
}
