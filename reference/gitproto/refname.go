package gitproto

import "strings"

// RefNameMax is the longest ref name that the server handles, in bytes.
const RefNameMax = 1000

// CheckRefName reports whether a full ref name is one that git check-ref-format accepts and that is not longer than
// RefNameMax. Nothing is repaired: the bytes are taken as they are.
func CheckRefName(name string) bool { return strings.Contains(name, "/") && checkRefName(name) }

// checkRefName is CheckRefName for names that may have one component only, such as HEAD.
func checkRefName(name string) bool {
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
