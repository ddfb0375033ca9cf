package suite

import (
	"encoding/json"
	"fmt"
	"strings"
)

// malformed are messages that are good JSON and say nothing that a relay knows, or say it wrongly, by the words of steps.
// Some of them a relay may as well understand.
func malformed(what string) []string {
	key, id := strings.Repeat("a", 64), strings.Repeat("x", 65)
	const escaped = `"\u0001 \u001f \" \\"` // an id that has to be escaped in the answer as well
	filters := []string{
		`5`, `null`, `[]`, `"x"`,
		`{"ids":5}`, `{"ids":"` + key + `"}`, `{"ids":[5]}`, `{"ids":[null]}`, `{"ids":["x"]}`, `{"ids":{"a":1}}`,
		`{"authors":true}`, `{"authors":["` + key[1:] + `"]}`, `{"authors":["` + strings.ToUpper(key) + `"]}`, `{"authors":[[]]}`,
		`{"kinds":1}`, `{"kinds":["1"]}`, `{"kinds":[1.5]}`, `{"kinds":[-1]}`, `{"kinds":[65536]}`, `{"kinds":[null,1]}`, `{"kinds":{}}`,
		`{"since":"now"}`, `{"since":-1}`, `{"since":1.5}`, `{"since":[1]}`, `{"until":null}`, `{"until":1e99}`, `{"until":"1"}`,
		`{"limit":-1}`, `{"limit":"1"}`, `{"limit":2.5}`, `{"limit":[]}`, `{"limit":99999999999}`, `{"limit":123456789012345678901234567890}`,
		`{"#e":"x"}`, `{"#e":[1]}`, `{"#e":{}}`, `{"#e":null}`, `{"#":["x"]}`, `{"#ee":["x"]}`, `{"#1":["x"]}`, `{"#@":["x"]}`, "{\"#`\":[\"x\"]}", `{"#[":["x"]}`, `{"#{":["x"]}`,
		`{"\"quoted\" \u0001":["x"],"limit":1}`, `{"ids":["\"quoted\" \u0001"]}`, `{"kinds":["\"quoted\" \u0001"]}`, `{"since":"\"quoted\" \u0001"}`,
		`{"":["x"],"limit":1}`, `{"x":{"y":[1,"]"]},"limit":1}`, `{"limit":1,"limit":2}`,
		`{` + many(80, `"field%d":[%[1]d],`) + `"limit":1}`,
		`{"ids":[` + many(1100, `"%064x",`) + `"` + key + `"]}`, `{"kinds":[` + many(1100, `%d,`) + `1]}`,
	}
	// A query of another form than a reconciliation has as many filters as it likes.
	query := func(verb string) []string {
		all := []string{
			`["` + verb + `"]`, `["` + verb + `",5,{}]`, `["` + verb + `",null,{"limit":1}]`, `["` + verb + `","",{"limit":1}]`,
			`["` + verb + `","` + id + `",{"limit":1}]`, `["` + verb + `","x"]`, `["` + verb + `",["x"],{"limit":1}]`,
			`["` + verb + `","x",` + many(30, `{"limit":1,"kinds":[%d]},`) + `{"limit":1}]`,
			`["` + verb + `","x",{"limit":1},5]`, `["` + verb + `",` + escaped + `,5]`,
		}
		for _, f := range filters {
			all = append(all, `["`+verb+`","x",`+f+`]`)
		}
		return all
	}
	switch what {
	case "queries":
		return query("REQ")
	case "counts":
		return query("COUNT")
	case "reconciliations":
		all := []string{
			`["NEG-OPEN"]`, `["NEG-OPEN",5,{},"61"]`, `["NEG-OPEN","",{},"61"]`, `["NEG-OPEN","` + id + `",{},"61"]`, `["NEG-OPEN",[],{},"61"]`,
			`["NEG-OPEN","n"]`, `["NEG-OPEN","n",{}]`, `["NEG-OPEN","n",{},5]`, `["NEG-OPEN","n",{},null]`, `["NEG-OPEN","n",{},"6"]`,
			`["NEG-OPEN","n",{},"61zz"]`, `["NEG-OPEN","n",{},["61"]]`, `["NEG-OPEN","n","x","61"]`,
			`["NEG-MSG"]`, `["NEG-MSG",5,"61"]`, `["NEG-MSG","","61"]`, `["NEG-MSG","` + id + `","61"]`, `["NEG-MSG","n"]`,
			`["NEG-OPEN",` + escaped + `,{},"zz"]`, `["NEG-MSG",` + escaped + `,"zz"]`,
			`["NEG-MSG","n",5]`, `["NEG-MSG","n","6"]`, `["NEG-MSG","n","zz"]`, `["NEG-MSG","never opened","61"]`,
		}
		for _, f := range filters {
			all = append(all, `["NEG-OPEN","n",`+f+`,"zz"]`)
		}
		return all
	case "authentications":
		return []string{`["AUTH"]`, `["AUTH","x"]`, `["AUTH",5]`, `["AUTH",{}]`, `["AUTH",[]]`, `["AUTH",null]`, `["AUTH",{"id":"` + key + `","kind":22242}]`}
	}
	return []string{
		`["EVENT"]`, `["EVENT",5]`, `["EVENT",[]]`, `["EVENT",null]`, `["EVENT",{"id":5}]`, `["EVENT",{"id":"` + key + `"}]`,
		`["EVENT",{"id":"` + strings.ToUpper(key) + `"}]`,
		// What an answer may repeat has to be escaped there as well.
		`["\"quoted\" \\","x",{}]`, `["\u0001 \u001f \u007f","x",{}]`, `["\b\t\n\f\r"]`, `["\u00e9 \u2028 \ud83d\ude00"]`,
		`["EVENT",{"id":"\"quoted\" \\"}]`, `["EVENT",{"id":"\u0001\n"}]`, `["EVENT",{"\"quoted\" \u0001":1,"id":"` + key + `"}]`,
		`["EVENT",{"id":"` + key + `","kind":"\"quoted\" \u0001"}]`, `["EVENT",{"id":"` + key + `","tags":"\"quoted\" \u0001"}]`,
		`5`, `"x"`, `null`, `true`, `{}`, `[[]]`, `[null]`, `[{"REQ":1}]`, `["req","x",{}]`, `[""]`, `["OK"]`, `["EOSE","x"]`, ` `, `[`, `]`, `[]]`,
		`["EVENT",{"id":"` + key + `"`, `["EVENT",{"id" : "` + key + `",}]`, `["EVENT",{"id" "` + key + `"}]`, `["EVENT",{"id":"` + key[1:] + `"`,
		`["EVENT",{"id":"` + key + `x"`, `["EVENT",{"id":"` + key[1:] + `g" `, `["EVENT",{"id"`, `["EVENT",{"id":`, `["EVENT",{"id":"`, `["EVENT",{`,
		`["EVENT",{"id":7` + key, `["AUTH",{"id":"` + key + `"`,
		`["EVENT",{` + many(80, `"field%d":["x"],`) + `"id":"` + key + `"}]`,
		`["EVENT",{"tags":[` + many(2600, `["t","%d"],`) + `["t"]],"id":"` + key + `"}]`,
		`["EVENT",{"x":"` + `\ud800` + `","id":"` + key + `"}]`, `["EVENT",{"x":"` + `\udc00\ud800` + `"}]`, `["EVENT",{"x":"` + `\ud800\ud800` + `"}]`,
		`["EVENT",{"x":"` + `\ud800\n000` + `"}]`, `["EVENT",{"x":"` + `\ud800\u` + `"}]`, `["EVENT",{"x":"` + `\ud800x` + `"}]`, `["EVENT",{"x":"` + `\ud83d\`,
		`["EVENT",{"x":"` + `\ud83d`, `["EVENT",{"x":"` + `\ud83d\ud`, `["EVENT",{"x":"` + `\u`, `["EVENT",{"x":"` + `\`, `["EVENT",{"x":-`, `["EVENT",{"x":t`, `["EVENT",{"x":tru`,
	}
}

// unanswerable are messages that end something, which a relay may take without a word.
func unanswerable() []string {
	return []string{
		`["CLOSE"]`, `["CLOSE",5]`, `["CLOSE",{}]`, `["CLOSE",null]`, `["CLOSE",""]`, `["CLOSE","never opened"]`, `["CLOSE","x","y"]`,
		`["CLOSE","` + strings.Repeat("x", 65) + `"]`,
		`["NEG-CLOSE"]`, `["NEG-CLOSE",5]`, `["NEG-CLOSE",{}]`, `["NEG-CLOSE",""]`, `["NEG-CLOSE","never opened"]`, `["NEG-CLOSE","x","y"]`,
		`["NEG-CLOSE","` + strings.Repeat("x", 65) + `"]`,
	}
}

// subOf is the subscription id of a message that has one, or "".
func subOf(message []any) string {
	if len(message) < 2 {
		return ""
	}
	sub, _ := message[1].(string)
	switch message[0] {
	case "REQ", "COUNT", "NEG-OPEN", "NEG-MSG", "EVENT", "EOSE", "CLOSED", "NEG-ERR":
		return sub
	}
	return ""
}

// decoded is a message as JSON reads it, or nil.
func decoded(text string) []any {
	var message []any
	if json.Unmarshal([]byte(text), &message) != nil {
		return nil
	}
	return message
}

// many writes a form so many times, with a number each.
func many(n int, form string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	return b.String()
}
