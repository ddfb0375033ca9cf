package report

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Bounds of laying out JSON.
const (
	layBytesMax = 128 << 10
	layDepthMax = 8  // what is deeper stays on its line
	layWidth    = 96 // what is shorter stays on its line
)

// lay writes a JSON text in lines that people read: what is short stays together. Every token stays as it was sent. What is no
// JSON is returned as it is.
func lay(text string) string {
	trimmed := strings.TrimSpace(text)
	if !strings.HasPrefix(trimmed, "[") && !strings.HasPrefix(trimmed, "{") {
		return text
	}
	var compact bytes.Buffer
	if json.Compact(&compact, []byte(trimmed)) != nil {
		return text
	}
	var out strings.Builder
	layValue(&out, compact.Bytes(), 0)
	return out.String()
}

// layValue writes one value that has no space between its tokens.
func layValue(out *strings.Builder, value []byte, depth int) {
	if len(value) <= layWidth-2*depth || depth == layDepthMax || value[0] != '[' && value[0] != '{' {
		out.Write(value)
		return
	}
	out.WriteByte(value[0])
	end := len(value) - 1
	for at := 1; at < end; {
		out.WriteString("\n" + strings.Repeat("  ", depth+1))
		n := span(value[at:end])
		part := value[at : at+n]
		if value[0] == '{' {
			key := quotedSpan(part) + 1 // with its colon
			out.Write(part[:key])
			out.WriteByte(' ')
			part = part[key:]
		}
		layValue(out, part, depth+1)
		if at += n; at < end {
			out.WriteByte(',')
			at++
		}
	}
	out.WriteString("\n" + strings.Repeat("  ", depth))
	out.WriteByte(value[end])
}

// span is how long the first element of a list is, or the first member of an object.
func span(list []byte) int {
	for i, depth := 0, 0; i < len(list); i++ {
		switch list[i] {
		case '"':
			i += quotedSpan(list[i:]) - 1
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(list)
}

// quotedSpan is how long the string is that a text begins with, with its quotes.
func quotedSpan(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}
