package gitproto

import "strings"

// headerMax bounds how much of a Git-Protocol header is looked at, in bytes.
const headerMax = 4096

// Version returns the protocol version that a Git-Protocol header asks for: the highest of 0, 1 and 2 among its
// colon-separated "version=" entries, and 0 where there is none. Versions that are not known count as absent, as
// they do in git.
func Version(header string) int {
	version := 0
	for entry := range strings.SplitSeq(header[:min(len(header), headerMax)], ":") {
		switch entry {
		case "version=1":
			version = max(version, 1)
		case "version=2":
			version = 2
		}
	}
	return version
}
