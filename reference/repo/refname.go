package repo

import "strings"

// RefNameMax is the longest ref name that the server handles, in bytes.
const RefNameMax = 1000

// HeadNew is the branch that HEAD of a new repository names until a state says another: the one of git init, so that what
// people clone before the first push begins as they would have begun it alone.
const HeadNew = "refs/heads/master"

// IsRefName reports whether git check-ref-format accepts a name, be it of one component such as HEAD, and whether it is
// not longer than RefNameMax. Nothing is repaired: the bytes are taken as they are (SEC-04).
func IsRefName(name string) bool {
	if name == "" || name == "@" || len(name) > RefNameMax || strings.HasSuffix(name, ".") ||
		strings.Contains(name, "..") || strings.Contains(name, "@{") {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c <= 0x20 || c == 0x7f || strings.IndexByte(`~^:?*[\`, c) >= 0 {
			return false
		}
	}
	for component := range strings.SplitSeq(name, "/") {
		if component == "" || component[0] == '.' || strings.HasSuffix(component, ".lock") {
			return false
		}
	}
	return true
}
