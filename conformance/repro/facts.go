package repro

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
)

// A rule says what a message of the relay means, whatever else is in it: the verb, of whom it speaks, and what it says of it,
// with a tab between. The expressions are those of POSIX, for the script reads what comes now by the same ones, with sed.
type rule struct{ expression, fact string }

const (
	blanks   = `[[:space:]]*`
	comma    = blanks + `,` + blanks
	begin    = `^` + blanks + `\[` + blanks
	quoted   = `"(([^"\\]|\\.)*)"` // two groups
	prefixed = `"([a-z-]+:)?`
	tab      = "\t"
)

// rules are tried in their order. Texts for people and what a server makes up anew each time, such as a challenge, are left out.
var rules = []rule{
	{begin + `"OK"` + comma + `"([0-9a-fA-F]*)"` + comma + `(true|false)` + comma + prefixed + `.*$`, `OK` + tab + `\1` + tab + `\2 \3`},
	{begin + `"EVENT"` + comma + quoted + comma + `.*"id"` + blanks + `:` + blanks + `"([0-9a-f]{64})".*$`, `EVENT` + tab + `\1` + tab + `\3`},
	{begin + `"EOSE"` + comma + quoted + blanks + `\]` + blanks + `$`, `EOSE` + tab + `\1`},
	{begin + `"CLOSED"` + comma + quoted + comma + prefixed + `.*$`, `CLOSED` + tab + `\1` + tab + `\3`},
	{begin + `"COUNT"` + comma + quoted + comma + `.*"count"` + blanks + `:` + blanks + `([0-9]+).*$`, `COUNT` + tab + `\1` + tab + `\3`},
	{begin + `"NEG-MSG"` + comma + quoted + comma + `"([0-9a-fA-F]*)".*$`, `NEG-MSG` + tab + `\1` + tab + `\3`},
	{begin + `"NEG-ERR"` + comma + quoted + comma + prefixed + `.*$`, `NEG-ERR` + tab + `\1` + tab + `\3`},
	{begin + `"NOTICE".*$`, `NOTICE` + tab},
	{begin + `"AUTH".*$`, `AUTH` + tab},
	{`^(.*)$`, `other` + tab + tab + `\1`},
}

var compiled = func() []*regexp.Regexp {
	all := make([]*regexp.Regexp, len(rules))
	for i, r := range rules {
		all[i] = regexp.MustCompilePOSIX(r.expression)
	}
	return all
}()

var group = regexp.MustCompile(`\\([0-9])`)

// meaning is what one message of the relay says.
func meaning(line string) string {
	for i, r := range rules {
		if m := compiled[i].FindStringSubmatchIndex(line); m != nil {
			return string(compiled[i].ExpandString(nil, group.ReplaceAllString(r.fact, `$${$1}`), line, m))
		}
	}
	panic("repro: invariant: the last rule fits everything")
}

// sedRules is what meaning does, for sed -E.
func sedRules() string {
	var b strings.Builder
	for _, r := range rules {
		fmt.Fprintf(&b, "s/%s/%s/\nt\n", r.expression, r.fact)
	}
	return b.String()
}

// taken is how the script leaves out, with sed, why an event was taken: where nothing in the check rests on that, a server may say that an
// event waits for git data, or say nothing, as a push just before it is at its end or not.
const taken = `s/^(OK	[^	]*	true ).*/\1/`

var inTaken = regexp.MustCompile(`^(OK	[^	]*	true ).*`)

// restsOnWords reports whether the step that failed may be about why an event was taken: it is not where an answer over HTTP is the last
// thing that came before it failed, as that to a push.
func restsOnWords(all []record.Exchange, failed int) bool {
	last := ""
	for _, x := range all {
		if x.Direction == record.Received && x.Step <= failed {
			last = x.Channel
		}
	}
	return failed < 0 || !strings.HasPrefix(last, "http#")
}

// asked are the messages that are answered, and by what.
var asked = map[string]string{
	"EVENT": "OK", "REQ": "EOSE|CLOSED", "COUNT": "COUNT|CLOSED", "NEG-OPEN": "NEG-MSG|NEG-ERR", "NEG-MSG": "NEG-MSG|NEG-ERR",
}

// answers are the verbs of answers.
const answers = "OK|EOSE|CLOSED|COUNT|NEG-MSG|NEG-ERR"

// waitedFrom reports whether the check waited for what would come behind a message: nothing was done for a second after the last thing
// that came.
func waitedFrom(all []record.Exchange, i int) bool {
	last := all[i].MS
	for _, x := range all[i+1:] {
		if x.Direction != record.Received {
			return x.MS-last >= 1000
		}
		last = x.MS
	}
	return false
}

// ended is the fact that the server has closed a connection.
const ended = "end" + tab

// endedThere reports whether a remark is of the end of a connection that the server has made: not of its beginning, nor of the check's
// leaving or losing patience, whatever came of that.
func endedThere(x record.Exchange) bool {
	ours := strings.HasPrefix(x.Head, "open") || strings.HasPrefix(x.Head, "close") ||
		slices.ContainsFunc(patience, func(e error) bool { return strings.HasSuffix(x.Head, e.Error()) })
	return x.Direction == record.Remark && !ours
}

// patience is what a client says whose own time is over.
var patience = []error{context.DeadlineExceeded, context.Canceled, os.ErrDeadlineExceeded}

// came lists what came on a connection to the relay, told by meaning, in order for each event and subscription of which it speaks.
// Events that were not sent by the check, or by what all checks share, are those of others. What comes for a subscription that was
// closed already is told only behind an answer to something later: it may have been on its way. Where a foreign event is the last that
// the step that failed was told, nothing else has come before it. Words says whether it is told why an event was taken.
func came(all []record.Exchange, channel string, own map[string]bool, failed int, words bool) []string {
	var facts []told
	var open []string
	closed := make(map[string]int)  // where a subscription was closed
	sent := make(map[string]int)    // where something was sent about a subscription or an event
	heard := -1                     // where the last thing was sent that the server has answered
	stored := make(map[string]bool) // whose stored events have come
	whole := false                  // whether all was read that came of what was sent
	add := func(fact string) {
		parts := append(strings.Split(fact, tab), "")
		t := told{fact: fact, of: parts[1], order: fmt.Sprintf("0%06d", len(facts))}
		if parts[0] == "EVENT" && stored[parts[1]] {
			t.order = "1" + parts[2]
		}
		stored[parts[1]] = stored[parts[1]] || parts[0] == "EOSE"
		facts = append(facts, t)
	}
	for i, x := range all {
		if x.Direction == record.Sent && (strings.HasPrefix(x.Text, `["EVENT"`) || strings.HasPrefix(x.Head, "POST ")) {
			whole = false
		}
		switch {
		case x.Channel != channel:
		case endedThere(x):
			add(ended)
		case x.Direction == record.Sent:
			verb, of := speaksOf(x.Text)
			if asked[verb] != "" && of != "" && waitedFrom(all, i) {
				open = append(open, of)
			}
			sent[of] = i
			if delete(closed, of); verb == "CLOSE" {
				closed[of] = i
			}
		case x.Direction == record.Received:
			fact := meaning(strings.ReplaceAll(x.Text, "\n", " "))
			if !words {
				fact = inTaken.ReplaceAllString(fact, "$1")
			}
			parts := strings.Split(fact, tab)
			if whole = parts[0] == "EVENT" && !own[parts[2]] && x.Step == failed; parts[0] == "EVENT" && !own[parts[2]] {
				continue
			}
			if at, was := closed[parts[1]]; parts[0] == "EVENT" && was && at > heard {
				continue
			}
			if slices.Contains(strings.Split(answers, "|"), parts[0]) {
				heard = max(heard, sent[parts[1]])
				if at := slices.Index(open, parts[1]); at >= 0 {
					open = slices.Delete(open, at, at+1)
				}
			}
			add(fact)
		}
	}
	for _, of := range open {
		add("nothing" + tab + of)
	}
	if whole {
		facts = append(facts, told{fact: everything})
	}
	slices.SortFunc(facts, func(a, b told) int { return cmp.Or(strings.Compare(a.of, b.of), strings.Compare(a.order, b.order)) })
	lines := make([]string, len(facts))
	for i, t := range facts {
		lines[i] = t.fact
	}
	return lines
}

// A told fact has its place among those of one event or subscription: events that come as they are published may come in any order.
type told struct{ fact, of, order string }

// everything is the fact that a foreign event showed that all had come before: what comes now beside it is something else.
const everything = "everything" + tab

// bareFacts are what the script and this package read in what comes below HTTP: the status of each answer, and behind an upgrade which
// event was taken and which query was answered or ended. A server does not mask what it sends (RFC 6455, section 5.1).
const bareFacts = `HTTP/1\.[01] [0-9]{3}|"OK" *, *"[0-9a-f]{64}" *, *(true|false)|"(EOSE|CLOSED)" *, *"[^"]*"`

var inBare = regexp.MustCompilePOSIX(bareFacts)

// cameBare lists the facts of a connection below HTTP, and whether the server ended it.
func cameBare(all []record.Exchange, channel string) []string {
	var text strings.Builder
	var end []string
	for _, x := range all {
		switch {
		case x.Channel != channel:
		case x.Direction == record.Received:
			raw, err := base64.StdEncoding.DecodeString(whole(x))
			if err == nil {
				text.Write(raw)
			}
		case endedThere(x):
			end = []string{"end"}
		}
	}
	return append(inBare.FindAllString(text.String(), -1), end...)
}

var eventID = regexp.MustCompile(`"id" *: *"([0-9a-f]{64})"`)

// ownEvents are the ids of the events that were sent.
func ownEvents(own map[string]bool, all []record.Exchange) {
	for _, x := range all {
		if x.Direction == record.Sent && strings.HasPrefix(x.Channel, "relay#") {
			for _, m := range eventID.FindAllStringSubmatch(x.Text, -1) {
				own[m[1]] = true
			}
		}
	}
}

// volatile are the fields that differ from one answer to the next, or say how it was carried.
const volatile = "date|connection|keep-alive|content-length|transfer-encoding|server|etag|last-modified|expires|age|set-cookie|via|trailer"

// gitFacts are what the script and this package read in an answer to git: capabilities, refs, and what a push is told.
const gitFacts = `capabilities .*|(version [0-9]|ls-refs|fetch=|server-option|object-format=|object-info)[^.]*|[0-9a-f]{44}([0-9a-f]{24})? (refs/[^ ]+|HEAD)( peeled:[0-9a-f]{40,64}| symref-target:[^ ]+)*|# service=git-[a-z]+-pack|[0-9a-f]{4}ok [^ .]+|[0-9a-f]{4}ng .*|unpack ok|(ACK [0-9a-f]{40}|NAK)|ERR `

// afterLength is an object id, or the word of a report, behind the length of its line.
var (
	inGit       = regexp.MustCompilePOSIX(gitFacts)
	afterLength = regexp.MustCompile(`^[0-9a-f]{4}([0-9a-f]{40}|ok |ng )`)
)

// answer lists what an HTTP answer says, sorted: status, fields, and of a body of git the refs and reports in it. What else came is
// compared as it is.
func answer(x record.Exchange) []string {
	facts := []string{strings.TrimSpace(x.Head)}
	git := false
	for _, h := range x.Headers {
		field, value, _ := strings.Cut(h, ":")
		field, value = strings.ToLower(field), strings.TrimSpace(value)
		git = git || field == "content-type" && strings.HasPrefix(value, "application/x-git-")
		if !slices.Contains(strings.Split(volatile, "|"), field) {
			facts = append(facts, field+": "+value)
		}
	}
	if git {
		for _, line := range gitLines(x) {
			for _, fact := range inGit.FindAllString(line, -1) {
				facts = append(facts, afterLength.ReplaceAllString(fact, "$1"))
			}
		}
	}
	for _, l := range x.Lines {
		if m := packLine.FindStringSubmatch(l); m != nil {
			facts = append(facts, "pack of "+m[1]+" objects")
			break
		}
	}
	if n := len(x.Lines); git && n > 0 && !x.Cut && x.Lines[n-1] == "flush" {
		facts = append(facts, "a flush at its end")
	}
	for _, band := range []string{"1", "2", "3"} {
		if slices.ContainsFunc(x.Lines, func(l string) bool { return strings.HasPrefix(l, "band "+band+": ") }) {
			facts = append(facts, "band "+band)
		}
	}
	slices.Sort(facts)
	return facts
}

// isGit reports whether an answer is one of git's.
func isGit(x record.Exchange) bool {
	return slices.ContainsFunc(x.Headers, func(h string) bool {
		return strings.HasPrefix(strings.ToLower(h), "content-type: application/x-git-")
	})
}

// gitLines are the lines of a body as they are on the wire, as far as facts are read in them.
func gitLines(x record.Exchange) []string {
	text := x.Text
	if x.Lines != nil {
		var kept []string
		for _, l := range x.Lines {
			if packLine.MatchString(l) {
				break // what follows is no text
			}
			kept = append(kept, "0000"+l)
		}
		text = strings.Join(kept, "\n")
	}
	lines := strings.Split(strings.ReplaceAll(text, "\x00", "\ncapabilities "), "\n")
	for i, l := range lines {
		lines[i] = printable(l)
	}
	return lines
}

// packLine is how a record tells of the beginning of a pack, and of how many objects it has.
var packLine = regexp.MustCompile(`^(?:band 1: )?pack: [0-9]+ bytes(?:, ([0-9]+) objects)?`)

// printable puts a dot in place of each byte that the script puts one for.
func printable(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c < ' ' || c > '~' {
			b[i] = '.'
		}
	}
	return string(b)
}

// speaksOf is the verb of a message and what it speaks of: an event by its id, or a subscription.
func speaksOf(text string) (verb, of string) {
	var parts []json.RawMessage
	if json.Unmarshal([]byte(text), &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[0], &verb) != nil {
		return "", ""
	}
	var event struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(parts[1], &of) != nil && json.Unmarshal(parts[1], &event) == nil {
		of = event.ID
	}
	return verb, of
}
