package suite

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// A misspelled message is a good one with one fault, and the fault in words.
type misspelled struct{ fault, message string }

// misspellings are the faults of one class that the message of an event can have. A reader that passes over the fault
// finds the good event.
func misspellings(class, plain string) []misspelled {
	unknown := func(values ...string) []misspelled {
		var all []misspelled
		for _, value := range values {
			all = append(all, misspelled{"a field " + value, withFields(plain, []string{value})})
		}
		return all
	}
	changed := func(pairs ...string) []misspelled {
		var all []misspelled
		for pair := range slices.Chunk(pairs, 3) {
			all = append(all, misspelled{pair[0], strings.Replace(plain, pair[1], pair[2], 1)})
		}
		return all
	}
	const second = `"kind":1621` // of an issue
	unsigned, _, _ := strings.Cut(plain, `"sig":`)
	empty := strings.TrimSuffix(strings.Replace(plain, `"content":`, `"x":`, 1), "}]") // what ends a message ends what skips
	switch class {
	case "broken numbers":
		return unknown(`1.`, `.5`, `01`, `-`, `+1`, `1e`, `1e+`, `1.e3`, `-a`, `1.5.5`, `0x1`, `-01`, `1a`, `1-`)
	case "broken words":
		return unknown(`tru`, `truE`, `True`, `fals`, `falsey`, `nul`, `nil`, `undefined`, `t`, `f`, `n`, `nulll`, `x`)
	case "broken texts":
		return unknown(`"\x"`, `"\u12"`, `"\u12g4"`, `"\u123G"`, `"\u@123"`, "\"\x1f\"", "\"\n\"", `'x'`, `"\U1234"`,
			`"\ud83d\uzzzz"`, `"\u:123"`, "\"\\u`123\"", `"\u/123"`)
	case "broken lists":
		return append(unknown(`[1,]`, `[,1]`, `[1 2]`, `[1}`, `{1]`, `[`, `]`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{a:1}`, `{"a":1,}`, `{1:1}`, `{,}`, `[1;2]`,
			`{x":1}`, `{1":1}`, `{"\x":1}`, `{"a"=1}`, `{"a",1}`),
			misspelled{"nothing at the end", plain[:len(plain)-1]},
			misspelled{"half of it", plain[:len(plain)/2]},
			misspelled{"another end", plain[:len(plain)-1] + "}"},
			misspelled{"something behind it", plain + "x"},
			misspelled{"a second end", plain + "]"})
	case "wrong types":
		return append(changed(
			"a kind in quotes", second, `"kind":"1621"`,
			"a kind of true", second, `"kind":true`,
			"a kind in a list", second, `"kind":[1621]`,
			"a kind with a fraction", second, `"kind":1621.5`,
			"a kind below 0", second, `"kind":-1621`,
			"a kind above 65535", second, `"kind":67157`, // 1621 in sixteen bits
			"a time in quotes", `"created_at":1`, `"created_at":"1","x":1`,
			"a time below 0", `"created_at":`, `"created_at":-`,
			"a time of null", `"created_at":1`, `"created_at":null,"x":1`,
			"content of null", `"content":`, `"content":null,"x":`,
			"content of a number", `"content":`, `"content":5,"x":`,
			"content of an object", `"content":`, `"content":{},"x":`,
			"tags in an object", `"tags":[[`, `"tags":{},"x":[[`,
			"tags in quotes", `"tags":[[`, `"tags":"x","x":[[`,
			"tags of null", `"tags":[[`, `"tags":null,"x":[[`,
			"a text among the tags", `"tags":[[`, `"tags":["x",[`,
			"a null among the tags", `"tags":[[`, `"tags":[null,[`,
			"a null in a tag", `"tags":[[`, `"tags":[[null,`,
			"a list in a tag", `"tags":[[`, `"tags":[[[],`,
			"an id of null", `"id":`, `"id":null,"x":`,
			"an id in a list", `"id":`, `"id":[],"x":`,
			"a key of a number", `"pubkey":`, `"pubkey":1,"x":`,
			"a signature of null", `"sig":`, `"sig":null,"x":`,
		),
			misspelled{"a number for a signature", unsigned + `"sig":5}]`},
			misspelled{"an object for a signature", unsigned + `"sig":{}}]`},
			misspelled{"a number for content at its end", empty + `,"content":5}]`},
			misspelled{"a list for content at its end", empty + `,"content":[1,"x"]}]`},
			misspelled{"an object for content at its end", empty + `,"content":{"a":{"b":1}}}]`},
			misspelled{"the event in a list", strings.Replace(plain, "{", "[{", 1) + "]"},
			misspelled{"a text for an event", `["EVENT","x"]`},
			misspelled{"nothing for an event", `["EVENT"]`},
			misspelled{"an event without fields", `["EVENT",{}]`})
	case "fields that are not there":
		return changed(
			"no id", `"id":`, `"x":`,
			"no key", `"pubkey":`, `"x":`,
			"no time", `"created_at":`, `"x":`,
			"no kind", second, `"x":1`,
			"no tags", `"tags":`, `"x":`,
			"no content", `"content":`, `"x":`,
			"no signature", `"sig":`, `"x":`,
		)
	case "broken digits":
		return []misspelled{
			replaced(plain, "id", "g", 0), replaced(plain, "id", "/", 63), replaced(plain, "id", ":", 5), replaced(plain, "id", "`", 5),
			replaced(plain, "pubkey", "g", 0), replaced(plain, "pubkey", "x", 63), replaced(plain, "pubkey", "G", 5),
			replaced(plain, "sig", "g", 0), replaced(plain, "sig", "z", 127), replaced(plain, "sig", "", 127), replaced(plain, "sig", "00", 127),
			replaced(plain, "id", "", 63), replaced(plain, "id", "00", 63), replaced(plain, "pubkey", "00", 63),
		}
	}
	panic("suite: invariant: unknown class of faults " + class)
}

// replaced replaces one digit of a field.
func replaced(plain, field, by string, at int) misspelled {
	begin := strings.Index(plain, `"`+field+`":"`) + len(field) + 4 + at
	what := by
	if by == "" {
		what = "a digit less"
	}
	return misspelled{what + " in the " + field, plain[:begin] + by + plain[begin+1:]}
}

// signedFaults are messages of events that are no events by their form, while id and signature are those of what they say.
func (w *world) signedFaults(actor string) []misspelled {
	key, lighthouse := w.key(actor), []string{"a", w.run.lighthouse.address}
	signed := func(kind int, date int64, content string, tags ...[]string) string {
		return eventMessage(client.Build(key, kind, tags, content, date))
	}
	issue := func(content string, tags ...[]string) string {
		return signed(client.KindIssue, w.tick(), content, append([][]string{lighthouse}, tags...)...)
	}
	request := signed(client.KindDeletion, w.tick(), "")
	topic := []string{"t", "x"}
	all := []misspelled{
		{"a tag without an element", issue("x", []string{})},
		{"a kind of 65536", signed(65536, w.tick(), "x", lighthouse)},
	}
	for _, nobody := range []struct{ fault, pubkey string }{
		{"a public key beyond the field of the curve", strings.Repeat("f", 64)},
		{"a public key of no point on the curve", "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34"}, // BIP-340's
	} {
		ev := *client.Build(key, client.KindIssue, [][]string{lighthouse}, "x", w.tick())
		ev.PubKey = nobody.pubkey
		ev.ID = ev.GetID()
		all = append(all, misspelled{nobody.fault, eventMessage(&ev)})
	}
	high := client.Build(key, client.KindIssue, [][]string{lighthouse}, "x", w.tick())
	for n := 0; high.Sig[127] < 'a'; n++ {
		high = client.Build(key, client.KindIssue, [][]string{lighthouse}, strings.Repeat("x", n), int64(high.CreatedAt))
	}
	upper, last := *high, *high
	upper.Sig, last.Sig = strings.ToUpper(high.Sig), high.Sig[:127]+strings.ToUpper(high.Sig[127:])
	all = append(all, misspelled{"a signature in upper case", eventMessage(&upper)},
		misspelled{"a signature whose last digit is in upper case", eventMessage(&last)})
	for _, m := range []struct{ fault, message, good, bad string }{
		{"no content where it is empty", issue("", []string{"t", w.topic("x")}), `"content":`, `"x":`},
		{"a number where there is no content", issue(""), `"content":""`, `"content":5`},
		{"a text where the kind is 0", signed(0, w.tick(), "", lighthouse), `"kind":0`, `"kind":"0"`},
		{"a word where the kind is 1", signed(client.KindNote, w.tick(), "x", lighthouse), `"kind":1,`, `"kind":true,`},
		{"a fraction where the kind is 0", signed(0, w.tick(), "", lighthouse), `"kind":0`, `"kind":0.5`},
		{"a kind of -1 beyond 64 bits", signed(-1, w.tick(), "", lighthouse), `"kind":-1`, `"kind":18446744073709551615`},
		{"a time before all beyond 63 bits", signed(client.KindIssue, math.MinInt64, "", lighthouse), `"created_at":-`, `"created_at":`},
		{"a text where the time is 0", signed(client.KindIssue, 0, "", lighthouse), `"created_at":0`, `"created_at":"0"`},
		{"a byte that is no UTF-8 for the character that stands for such", issue("x\ufffd"), "\ufffd", "\xff"},
		{"a number where a tag has its digits", issue("", []string{"t", "5"}), `["t","5"]`, `["t",5]`},
		{"a null where a tag has nothing", issue("", []string{"t", ""}), `["t",""]`, `["t",null]`},
		{"a number where the content is its digits", issue("5"), `"content":"5"`, `"content":5`},
		{"a number behind the texts of a tag", issue("", topic), `["t","x"]`, `["t","x",5]`},
		{"a number behind the tags", issue("", topic), `["t","x"]`, `["t","x"],5`},
		{"a text behind the tags", issue("", topic), `["t","x"]`, `["t","x"],"t"`},
		{"a number where there are no tags", request, `"tags":[]`, `"tags":5`},
		{"an object where there are no tags", request, `"tags":[]`, `"tags":{}`},
		{"a number where the content is a comma", strings.Replace(issue(","), `"sig":`, `"xsig":`, 1), `"content":","`, `"content":5`},
	} {
		if strings.Contains(m.message, m.good) { // an event for which work is done has tags, whatever else it lacks
			all = append(all, misspelled{m.fault, strings.Replace(m.message, m.good, m.bad, 1)})
		}
	}
	return append(all, w.writtenFaults(key)...)
}

// writtenFaults are messages of events that are signed as they are written, wrong types included: a language that keeps the types
// of what it reads finds the hash of its own text right.
func (w *world) writtenFaults(key client.Key) []misspelled {
	const kind, content = "1621", `"x"`
	date := func() string { return strconv.FormatInt(w.tick(), 10) }
	address := fmt.Sprintf(`["a",%q]`, w.run.lighthouse.address)
	tags := "[" + address + "]"
	whole := key.Written(date(), kind, tags, content)
	all := []misspelled{
		{"a line break behind the signature", strings.TrimSuffix(whole, `"}`) + `\n"}`},
		{"a line break behind the public key", key.WrittenBy(`"`+key.Pubkey+`\n"`, date(), kind, tags, content)},
		{"a kind of true", key.Written(date(), "true", tags, content)},
		{"a kind in quotes", key.Written(date(), `"1621"`, tags, content)},
		{"a kind with a fraction", key.Written(date(), "1621.5", tags, content)},
		{"a time of true", key.Written("true", kind, tags, content)},
		{"a time in quotes", key.Written(`"`+date()+`"`, kind, tags, content)},
		{"a time with a fraction", key.Written(date()+".5", kind, tags, content)},
		{"content of a number", key.Written(date(), kind, tags, "5")},
		{"content of null", key.Written(date(), kind, tags, "null")},
		{"content of a list", key.Written(date(), kind, tags, `["x"]`)},
		{"a number in a tag", key.Written(date(), kind, "["+address+`,["t",5]]`, content)},
		{"a null among the tags", key.Written(date(), kind, "["+address+",null]", content)},
		{"a text among the tags", key.Written(date(), kind, "["+address+`,"t"]`, content)},
	}
	for i, m := range all {
		all[i].message = `["EVENT",` + m.message + `]`
	}
	return all
}

// A tried message is one that has a fault, with the answer to it.
type tried struct {
	fault, message string
	answer         client.Observation
}

// postMisspelt sends an issue with each of the faults of a class; the issue without them is for the twin.
func (w *world) postMisspelt(actor, class string) outcome {
	return w.needLighthouse().then(func() outcome {
		ev := w.issue(actor, "spoilt", w.tick())
		w.remember("issue", "", ev)
		w.sent.tried = nil
		var faulty []misspelled
		if class == "signed faults" {
			faulty = w.signedFaults(actor)
		} else {
			faulty = misspellings(class, eventMessage(ev))
		}
		for _, m := range faulty {
			relay, out := w.connect()
			if !out.held() {
				return out
			}
			w.answered(relay.PublishFrame(w.ctx, []byte(m.message), ""))
			if readable(m.message) && unanswered(w.sent.answer) { // one silence may have any cause
				w.hangUp()
				if relay, out = w.connect(); !out.held() {
					return out
				}
				w.answered(relay.PublishFrame(w.ctx, []byte(m.message), ""))
			}
			w.sent.tried = append(w.sent.tried, tried{m.fault, m.message, w.sent.answer})
		}
		return outcome{}
	})
}

// readable reports whether a message is an event by its types, whatever is wrong with it: who reads it knows which event to answer.
func readable(message string) bool {
	var ev struct {
		ID        *string    `json:"id"`
		PubKey    *string    `json:"pubkey"`
		CreatedAt *uint32    `json:"created_at"`
		Kind      *uint16    `json:"kind"`
		Tags      [][]string `json:"tags"`
		Content   *string    `json:"content"`
		Sig       *string    `json:"sig"`
	}
	text, is := strings.CutPrefix(message, `["EVENT",`)
	err := json.Unmarshal([]byte(strings.TrimSuffix(text, "]")), &ev)
	return is && err == nil && ev.ID != nil && ev.PubKey != nil && ev.Sig != nil && ev.Content != nil && ev.Kind != nil && ev.CreatedAt != nil
}

// aboutEvent reports whether an answer names the event of a message: by what stands for the id in it, by an id that the server
// has found out itself, or by nothing where there is none.
func aboutEvent(id, message string) bool {
	return len(id) == 64 || strings.Contains(message, `"`+id+`"`) || id == ""
}

// allRefused judges the answers to messages with faults.
func (w *world) allRefused() outcome {
	for _, t := range w.sent.tried {
		what := "an event with " + t.fault
		_, told := t.answer.(client.NoticeFrame)
		_, refused := client.Refusal(t.answer)
		if ok, is := t.answer.(client.OKFrame); is && !aboutEvent(ok.ID, t.message) {
			return violated("%s is answered for an event that nobody sent: %v", what, ok)
		}
		if _, ended := t.answer.(client.TransportError); told || refused || ended {
			continue // a server may hang up on who sends such messages: the proper event is answered all the same
		}
		if ok, is := t.answer.(client.OKFrame); is && ok.Accepted {
			return violated("%s was accepted: %v", what, ok)
		}
		if bad := refusedBadly(t.answer) || readable(t.message) && unanswered(t.answer); !bad {
			return unlessInconclusive(what, t.answer)
		}
		if out := w.refusedBadly(what, t.answer); !out.held() {
			return out
		}
	}
	return outcome{}
}
