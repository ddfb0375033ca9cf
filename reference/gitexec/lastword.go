package gitexec

import (
	"bytes"
	"io"
	"strconv"
)

// A lastWord hands an answer of git on and knows how it ended so far: git that dies may have told the client why, or may not, and
// what comes then must not pass for the whole answer.
type lastWord struct {
	w      io.Writer
	length []byte // of the packet that begins, as far as it has come
	left   int    // bytes that the packet under way still has
	begins []byte // the first bytes of the last packet
	none   bool   // it is no row of packets
}

// begunBytes is how much of a packet is needed to know that it tells a failure.
const begunBytes = 4

// Write hands bytes on.
func (l *lastWord) Write(b []byte) (int, error) {
	n, err := l.w.Write(b)
	for rest := b[:n]; len(rest) > 0 && !l.none; {
		rest = l.follow(rest)
	}
	return n, err
}

// follow reads the length of a packet, or a part of its content.
func (l *lastWord) follow(b []byte) (rest []byte) {
	if l.left == 0 {
		n := min(len(b), 4-len(l.length))
		if l.length = append(l.length, b[:n]...); len(l.length) < 4 {
			return nil
		}
		size, err := strconv.ParseUint(string(l.length), 16, 16)
		l.length = l.length[:0]
		l.none = err != nil || size == 3
		l.left, l.begins = max(0, int(size)-4), l.begins[:0]
		return b[n:]
	}
	n := min(len(b), l.left)
	l.begins = append(l.begins, b[:min(n, begunBytes-len(l.begins))]...)
	l.left -= n
	return b[n:]
}

// said reports whether the last packet tells of a failure: an ERR line, or band 3.
func (l *lastWord) said() bool {
	return bytes.HasPrefix(l.begins, []byte("ERR ")) || len(l.begins) > 0 && l.begins[0] == 3
}

// between reports whether a further packet may follow.
func (l *lastWord) between() bool { return !l.none && l.left == 0 && len(l.length) == 0 }
