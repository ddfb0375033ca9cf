package record

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/graspkit/graspkit/conformance/client"
)

// Limits of one transcript; what is beyond is left out of its middle.
const (
	TranscriptEntriesMax = 1000
	TranscriptBytesMax   = 512 << 10
)

// transcriptOf decodes what went over the wire. It returns how many messages it left out.
func transcriptOf(entries []client.Entry) (told []Exchange, leftOut int) {
	head, tail := keptOf(entries)
	for i, e := range entries {
		if i == head && head < tail {
			told = append(told, Exchange{
				MS: e.At.Sub(entries[0].At).Milliseconds(), Step: e.Step, Direction: Remark, Head: fmt.Sprintf("%d messages are left out here", tail-head),
			})
		}
		if i >= head && i < tail {
			continue
		}
		x := exchangeOf(e)
		x.MS = e.At.Sub(entries[0].At).Milliseconds()
		told = append(told, x)
	}
	return told, tail - head
}

// keptOf says where what is left out begins and ends: half of the room is for the beginning.
func keptOf(entries []client.Entry) (head, tail int) {
	size := 0
	for head < len(entries) && head < TranscriptEntriesMax/2 && size+len(entries[head].Bytes) <= TranscriptBytesMax/2 {
		size += len(entries[head].Bytes)
		head++
	}
	tail, size = len(entries), 0
	for tail > head && len(entries)-tail < TranscriptEntriesMax/2 && size+len(entries[tail-1].Bytes) <= TranscriptBytesMax/2 {
		tail--
		size += len(entries[tail].Bytes)
	}
	return head, tail
}

var directions = map[client.Direction]string{client.Sent: Sent, client.Received: Received, client.Remark: Remark}

func exchangeOf(e client.Entry) Exchange {
	x := Exchange{
		Step: e.Step, Channel: e.Channel, Direction: directions[e.Dir], Head: strings.ToValidUTF8(e.Head, "\uFFFD"), Size: e.Size,
		Cut: e.Size > len(e.Bytes),
	}
	for _, name := range slices.Sorted(maps.Keys(e.Header)) {
		for _, value := range e.Header[name] {
			x.Headers = append(x.Headers, strings.ToValidUTF8(name+": "+value, "\uFFFD"))
		}
	}
	if len(e.Bytes) == 0 {
		return x
	}
	if strings.HasPrefix(e.Header.Get("Content-Type"), "application/x-git-") && e.Header.Get("Content-Encoding") == "" {
		if x.Lines = pktLines(e.Bytes); x.Lines != nil {
			x.Form = FormPktLines
			if e.Dir == client.Sent {
				x.Base64 = base64.StdEncoding.EncodeToString(e.Bytes)
			}
			return x
		}
	}
	text := e.Bytes
	if x.Cut {
		text = wholeRunes(text)
	}
	if utf8.Valid(text) {
		x.Form, x.Text = FormText, string(text)
		return x
	}
	x.Form, x.Base64 = FormBytes, base64.StdEncoding.EncodeToString(e.Bytes)
	return x
}

// wholeRunes leaves out what is left of a rune that was cut at the end.
func wholeRunes(text []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if at := len(text) - n; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				return text[:at]
			}
			break
		}
	}
	return text
}
