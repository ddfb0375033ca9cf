package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// pktLinesMax bounds the lines that one body is told by.
const pktLinesMax = 200

// pktLines decodes a body of git as pkt-lines (gitprotocol-common), one text each: the line without its end, "flush", "delimiter",
// "response end", "pack: N bytes, M objects" or what else is not text. It returns nil if the body does not begin with one.
func pktLines(body []byte) []string {
	var lines []string
	for len(body) > 0 {
		if len(lines) == pktLinesMax {
			return append(lines, fmt.Sprintf("... and %d bytes more", len(body)))
		}
		if bytes.HasPrefix(body, []byte("PACK")) {
			return append(lines, packText(body))
		}
		n, err := strconv.ParseUint(string(body[:min(4, len(body))]), 16, 16)
		switch {
		case err != nil || len(body) < 4:
			if lines == nil {
				return nil
			}
			return append(lines, fmt.Sprintf("no pkt-line: %s", pktText(body)))
		case n < 4:
			lines = append(lines, [...]string{"flush", "delimiter", "response end", "length 3"}[n])
			n = 4
		default:
			end := min(int(n), len(body))
			lines = append(lines, pktText(body[4:end]))
			n = uint64(end)
		}
		body = body[n:]
	}
	return lines
}

// pktText is what one line says, with its side-band told apart.
func pktText(line []byte) string {
	prefix := ""
	if len(line) > 0 && line[0] >= 1 && line[0] <= 3 {
		prefix, line = fmt.Sprintf("band %d: ", line[0]), line[1:]
	}
	if prefix != "" && bytes.HasPrefix(line, []byte("PACK")) {
		return prefix + packText(line)
	}
	text := bytes.TrimSuffix(line, []byte("\n"))
	if !utf8.Valid(text) {
		return fmt.Sprintf("%s%d bytes, not text", prefix, len(line))
	}
	return prefix + string(text)
}

// packText is what the beginning of a pack says (gitformat-pack): its head has the number of objects.
func packText(pack []byte) string {
	const head = 12
	if len(pack) < head {
		return fmt.Sprintf("pack: %d bytes", len(pack))
	}
	return fmt.Sprintf("pack: %d bytes, %d objects", len(pack), binary.BigEndian.Uint32(pack[8:head]))
}
