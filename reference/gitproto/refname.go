package gitproto

import (
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// CheckRefName reports whether a full ref name, one with a slash, is one that git check-ref-format accepts and that is
// not longer than repo.RefNameMax.
func CheckRefName(name string) bool { return strings.Contains(name, "/") && repo.IsRefName(name) }
