package gitstore

import (
	"bytes"
	"math"
	"strconv"
)

// overflows reports whether a commit or a tag names a date that no clock can show: more seconds than 63 bits hold. Git's own check of
// received objects refuses these, and takes what is wrong with a date otherwise, as old but honest histories have it.
func overflows(content []byte) bool {
	for line := range bytes.Lines(content) {
		if len(line) == 1 { // the message follows
			return false
		}
		for _, role := range []string{"author ", "committer ", "tagger "} {
			if person, is := bytes.CutPrefix(line, []byte(role)); is && dateOverflows(person) {
				return true
			}
		}
	}
	return false
}

// dateOverflows looks at the date behind a name and an address. Where these are not as they should be, git looks no further.
func dateOverflows(person []byte) bool {
	name, rest, _ := bytes.Cut(person, []byte("<"))
	address, date, _ := bytes.Cut(rest, []byte(">"))
	if !bytes.HasSuffix(name, []byte(" ")) || bytes.IndexByte(name, '>') >= 0 || bytes.IndexByte(address, '<') >= 0 || !bytes.HasPrefix(date, []byte(" ")) {
		return false
	}
	date = date[1:]
	digits := date[:len(date)-len(bytes.TrimLeft(date, "0123456789"))]
	if len(digits) == 0 || digits[0] == '0' {
		return false
	}
	seconds, err := strconv.ParseUint(string(digits), 10, 64)
	return err != nil || seconds > math.MaxInt64
}
