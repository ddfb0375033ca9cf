package suite

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A spelling is one of the ways in which JSON may write an event that has a certain content. All mean the same event.
type spelling struct {
	content string
	write   func(ev *nostr.Event, plain string) string // plain is the whole message as this suite writes it
}

// The characters at the edges of what an escape stands for, on both sides of the pairs. Those below the blank that NIP-01
// has no short escape for are not among them: an id is made of them as they are by its words, and of their escapes by most
// programs, so neither is wrong.
const (
	edgesOfUnits = "J K L M N O Z j k l m n o z \u00e9 \u09af \uabcd \uefab \ud7ff \ue000 \ufeff \uffff \x7f"
	edgesOfPairs = "\U00010000 \U000103ff \U00010400 \U0001f600 \U0001fabc \U0010fc00 \U0010ffff"
)

// spellings are these ways, by the words of steps.
func spellings() map[string]spelling {
	within := func(content string, escape func(string) string) spelling {
		return spelling{content, func(ev *nostr.Event, plain string) string {
			return strings.Replace(plain, contentField(ev), `"content":"`+escape(ev.Content)+`"`, 1)
		}}
	}
	return map[string]spelling{
		"with short escapes": within("\b\t\n\f\r\"\\/ end", strings.NewReplacer(
			"\b", `\b`, "\t", `\t`, "\n", `\n`, "\f", `\f`, "\r", `\r`, `"`, `\"`, `\`, `\\`, "/", `\/`).Replace),
		"with escapes by number":           within(edgesOfUnits, byNumber("%04x")),
		"with escapes by number, capitals": within(edgesOfUnits, byNumber("%04X")),
		"with pairs of escapes":            within(edgesOfPairs, byNumber("%04x")),
		"with pairs of escapes, capitals":  within(edgesOfPairs, byNumber("%04X")),
		"with escapes at the end":          within("end \U0001f600", byNumber("%04x")),
		"without an escape":                within("<a & b> \u2028 \u00e9 \U0001f600 \x7f '/", func(s string) string { return s }),
		"with words like escapes": within(`\u2028 \u003c \u0041 \ud83d \n \t \b \x \/ \\ \" C:\new`, strings.NewReplacer(
			`\`, `\\`, `"`, `\"`).Replace),
		"with blanks everywhere": {"[ ] { } : , \\\" \\", func(_ *nostr.Event, plain string) string { return spaced(plain) }},
		"with the fields in another order": {"plain", func(ev *nostr.Event, plain string) string {
			field := contentField(ev) + ","
			return strings.Replace(strings.Replace(plain, field, "", 1), `{`, `{`+field, 1)
		}},
	}
}

func contentField(ev *nostr.Event) string {
	text, err := json.Marshal(ev.Content)
	if err != nil {
		panic("suite: invariant: content of an own event: " + err.Error())
	}
	return `"content":` + string(text)
}

// byNumber writes every character by its number in UTF-16, in digits of the form given.
func byNumber(form string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, r := range s {
			if r > 0xffff {
				r -= 0x10000
				fmt.Fprintf(&b, `\u`+form+`\u`+form, 0xd800+r>>10, 0xdc00+r&0x3ff)
				continue
			}
			fmt.Fprintf(&b, `\u`+form, r)
		}
		return b.String()
	}
}

// spaced puts every kind of blank between all parts of a JSON text.
func spaced(text string) string {
	var b strings.Builder
	const blanks = " \t\n\r"
	inside := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if inside && c == '\\' {
			b.WriteString(text[i : i+2])
			i++
			continue
		}
		quotes := c == '"'
		if !inside && (quotes || strings.IndexByte("[]{}:,", c) >= 0) {
			b.WriteString(blanks)
		}
		b.WriteByte(c)
		if quotes {
			inside = !inside
		}
		if !inside && (quotes || strings.IndexByte("[]{}:,", c) >= 0) {
			b.WriteString(blanks)
		}
	}
	return b.String()
}

// unknownFields are values of fields that no rule knows, each of them good JSON, by the words of steps.
func unknownFields() map[string][]string {
	return map[string][]string{
		"a text":  {`"known"`},
		"words":   {" \t\n\r true", `true`, `false`, `null`},
		"numbers": {`0`, `-0`, `7`, `-12`, `1.5`, `0.25`, `-0.0`, `1e3`, `1E3`, `1e+3`, `2E-07`, `-9.75e+10`, `12345678901234567890`},
		"lists":   {`[]`, `[ ]`, `[[],[{}]]`, `["]","}","\"","\\",",",":"]`, `[true,false,null,1.5e-3,"x"]`, "[ \t\n\r1 \t\n\r, \t\n\r2 \t\n\r]"},
		"objects": {`{}`, `{ }`, `{"a":{"b":[null]},"c":"}"}`, `{"":"","\"":"\\"}`, `{ "x" : -1 , "y" : "{" }`},
		"texts":   {`""`, `"\\"`, `"\""`, `"\u00e9\ud83d\ude00\/\b\f"`, `"\\\\\""`},
	}
}

// withFields puts fields in front of and behind those of an event.
func withFields(plain string, values []string) string {
	var front, back string
	for i, value := range values {
		front += fmt.Sprintf(`"before%d":%s,`, i, value)
		back += fmt.Sprintf(`,"behind%d":%s`, i, value)
	}
	end := strings.LastIndexByte(plain, '}')
	plain = plain[:end] + back + plain[end:]
	return strings.Replace(plain, "{", "{"+front, 1)
}

// eventMessage is the message that publishes an event, as this suite writes it.
func eventMessage(ev *nostr.Event) string { return `["EVENT",` + string(client.EventJSON(ev)) + `]` }
