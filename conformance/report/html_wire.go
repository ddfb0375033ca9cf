package report

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
)

// An exchangeView is a message as the page shows it.
type exchangeView struct {
	At        string
	Step      int
	Channel   string
	Direction string
	Arrow     string
	Head      string
	Headers   []string
	Size      string
	Form      string
	Body      string
	Lines     []lineView
	Cut       string // what of it is missing, "" if nothing is
}

// A lineView is a pkt-line.
type lineView struct {
	Number int
	Text   string
	Flush  bool // it carries no data: "flush", "delim" and the like
}

// Bounds of one message.
const (
	headersMax  = 40
	pktLinesMax = 60
	dumpMax     = 256 // bytes
	dumpWidth   = 16
)

// exchangesOf shows so many messages at most, the first and the last of them, and takes what they need from left.
func exchangesOf(all []record.Exchange, most int, left *int) (shown []*exchangeView, leftOut int) {
	first := most * 3 / 4
	if len(all) <= most {
		first = len(all)
	}
	for i := range all {
		if i >= first && i < len(all)-(most-first) || *left <= 0 {
			leftOut++
			continue
		}
		e := exchangeOf(&all[i])
		*left -= e.weight()
		shown = append(shown, e)
	}
	return shown, leftOut
}

func exchangeOf(e *record.Exchange) *exchangeView {
	v := &exchangeView{
		At: fmt.Sprintf("+%d ms", e.MS), Step: e.Step, Channel: line(e.Channel, nameBytesMax), Direction: e.Direction, Arrow: "\u00b7",
		Head: line(e.Head, reasonTextMax), Form: e.Form,
	}
	switch e.Direction {
	case record.Sent:
		v.Arrow = "\u2192"
	case record.Received:
		v.Arrow = "\u2190"
	case record.Remark:
	default:
		v.Direction = line(e.Direction, nameBytesMax)
	}
	if e.Size > 0 {
		v.Size = bytesWord(int64(e.Size))
	}
	for _, h := range e.Headers[:min(len(e.Headers), headersMax)] {
		v.Headers = append(v.Headers, line(h, reasonTextMax))
	}
	var missing []string
	if n := len(e.Headers) - headersMax; n > 0 {
		missing = append(missing, fmt.Sprintf("%d more headers", n))
	}
	switch e.Form {
	case record.FormPktLines:
		room := bodyBytesMax
		for i, text := range e.Lines {
			if i == pktLinesMax || room <= 0 {
				missing = append(missing, fmt.Sprintf("%d more lines", len(e.Lines)-i))
				break
			}
			text = strings.TrimSuffix(text, "\n")
			one := lineView{Number: i + 1, Text: line(text, reasonTextMax)}
			one.Flush = len(text) == 4 && strings.HasPrefix(text, "000") || text == "flush" || text == "delim" || text == "response-end"
			room -= len(one.Text)
			v.Lines = append(v.Lines, one)
		}
	case record.FormBytes:
		v.Body, missing = dump(e.Base64, missing)
	default:
		text := e.Text
		if len(text) <= layBytesMax {
			text = lay(text)
		}
		shown, cut := visible(text, bodyBytesMax)
		v.Body = strings.TrimRight(shown, "\n")
		if cut {
			missing = append(missing, "the rest of the text")
		}
	}
	if e.Cut {
		missing = append(missing, "what the run did not keep")
	}
	if len(missing) > 0 {
		v.Cut = "not shown: " + strings.Join(missing, ", ")
	}
	return v
}

// dump shows bytes, the first of them.
func dump(text string, missing []string) (shown string, still []string) {
	most := base64.StdEncoding.EncodedLen(dumpMax) // a multiple of four characters
	if len(text) > most {
		text, missing = text[:most], append(missing, "the rest of the bytes")
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return line(text, reasonTextMax), missing
	}
	raw = raw[:min(len(raw), dumpMax)]
	var b strings.Builder
	for i := 0; i < len(raw); i += dumpWidth {
		row := raw[i:min(i+dumpWidth, len(raw))]
		letters := make([]byte, len(row))
		for j, c := range row {
			letters[j] = '.'
			if c >= ' ' && c < 0x7f {
				letters[j] = c
			}
		}
		fmt.Fprintf(&b, "%04x  %-*s  %s\n", i, dumpWidth*2, hex.EncodeToString(row), letters)
	}
	return strings.TrimRight(b.String(), "\n"), missing
}

// weight is about how many bytes a message takes in the page.
func (e *exchangeView) weight() int {
	n := 250 + len(e.Head) + len(e.Body)
	for _, h := range e.Headers {
		n += len(h) + 20
	}
	for _, l := range e.Lines {
		n += len(l.Text) + 40
	}
	return n
}
