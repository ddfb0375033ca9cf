package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
)

// reader reads the values of one file.
type reader struct{ file string }

// text reads a string of at most max bytes that ok accepts; rule says in words what that is.
func (r *reader) text(out *string, limit int, rule string, ok func(string) bool) func(ast.Node) error {
	return func(n ast.Node) error {
		s, is := scalar(n)
		if !is {
			return yamlfile.At(r.file, n, "value is "+yamlfile.Describe(n), "write "+rule)
		}
		if len(s) > limit || !ok(s) {
			return yamlfile.At(r.file, n, fmt.Sprintf("value %q is not %s", s, rule), "write "+rule)
		}
		*out = s
		return nil
	}
}

// scalar returns the text of a plain or quoted string. Numbers and booleans are not strings.
func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

// count reads a whole number between 1 and high.
func (r *reader) count(out *int, high int) func(ast.Node) error {
	rule := fmt.Sprintf("a whole number from 1 to %d", high)
	return func(n ast.Node) error {
		integer, ok := n.(*ast.IntegerNode)
		if !ok {
			return yamlfile.At(r.file, n, "value is "+yamlfile.Describe(n), "write "+rule)
		}
		v, err := strconv.Atoi(integer.GetToken().Value)
		if err != nil || v < 1 || v > high {
			return yamlfile.At(r.file, n, "value "+integer.GetToken().Value+" is out of range", "write "+rule)
		}
		*out = v
		return nil
	}
}

// yes reads true or false.
func (r *reader) yes(out *bool) func(ast.Node) error {
	return func(n ast.Node) error {
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return yamlfile.At(r.file, n, "value is "+yamlfile.Describe(n), "write true or false")
		}
		*out = b.Value
		return nil
	}
}

// list reads a list of at most limit items.
func (r *reader) list(what string, limit int, item func(n ast.Node) error) func(ast.Node) error {
	return func(n ast.Node) error {
		list, ok := n.(*ast.SequenceNode)
		if !ok || len(list.Values) > limit {
			return yamlfile.At(r.file, n, what+" is "+yamlfile.Describe(n), fmt.Sprintf("write a list of at most %d", limit))
		}
		for _, v := range list.Values {
			if err := item(v); err != nil {
				return err
			}
		}
		return nil
	}
}

// duration reads a duration between low and high.
func (r *reader) duration(out *time.Duration, low, high time.Duration) func(ast.Node) error {
	rule := fmt.Sprintf("a duration from %s to %s, such as 90s or 1h30m", plain(low), plain(high))
	return func(n ast.Node) error {
		s, ok := scalar(n)
		if !ok {
			return yamlfile.At(r.file, n, "value is "+yamlfile.Describe(n), "write "+rule)
		}
		d, err := time.ParseDuration(s)
		if err != nil {
			return yamlfile.At(r.file, n, fmt.Sprintf("value %q is no duration", s), "write "+rule)
		}
		if d < low || d > high {
			return yamlfile.At(r.file, n, "value "+s+" is out of range", "write "+rule)
		}
		*out = d
		return nil
	}
}

// plain prints a duration without the zero minutes and seconds at its end.
func plain(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// The largest shares that a scenario may ask for, in parts of a million: of messages, and of anything else.
const (
	ShareMax = 500_000
	whole    = 1_000_000
)

// share reads a percentage of at most limit, as parts of a million.
func (r *reader) share(out *int64, limit int64) func(ast.Node) error {
	rule := fmt.Sprintf("a share from 0%% to %d%% with at most four decimals, such as 0.5%%", limit/10_000)
	return func(n ast.Node) error {
		s, ok := scalar(n)
		if !ok {
			return yamlfile.At(r.file, n, "value is "+yamlfile.Describe(n), "write "+rule)
		}
		parts, ok := parseShare(s)
		if !ok {
			return yamlfile.At(r.file, n, fmt.Sprintf("value %q is no share", s), "write "+rule)
		}
		if parts > limit {
			return yamlfile.At(r.file, n, "value "+s+" is out of range", "write "+rule)
		}
		*out = parts
		return nil
	}
}

// parseShare reads "12.5%" as 125,000 parts of a million, in whole numbers only.
func parseShare(s string) (int64, bool) {
	number, ok := strings.CutSuffix(s, "%")
	if !ok {
		return 0, false
	}
	whole, decimals, point := strings.Cut(number, ".")
	if len(whole) < 1 || len(whole) > 3 || len(decimals) > 4 || point && decimals == "" {
		return 0, false
	}
	parts, err := strconv.ParseUint(whole+decimals+strings.Repeat("0", 4-len(decimals)), 10, 32)
	return int64(parts), err == nil
}
