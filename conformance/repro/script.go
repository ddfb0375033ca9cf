package repro

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/graspkit/graspkit/conformance/record"
)

// Script writes the script that repeats a check of a run. What cannot be repeated by it is said in it, where it stood. The clock of
// the server, restarts and what other connections of the suite did meanwhile are not part of it.
func Script(w io.Writer, run *record.Run, check *record.Check) error {
	s := &script{run: run, check: check, open: make(map[string]bool)}
	s.head()
	if run.World != "live" {
		s.line("echo 'This server was inside grasp-check. The check runs again by:'")
		s.line("echo %s", Quoted("  "+Again(run, check.ID)))
		s.line("exit 2")
	} else {
		s.line("%s", preamble)
		s.body()
		s.line("\necho; echo 'That was all.'")
	}
	if _, err := io.WriteString(w, s.out.String()); err != nil {
		return fmt.Errorf("write script: %w", err)
	}
	return nil
}

type script struct {
	run   *record.Run
	check *record.Check
	out   strings.Builder

	step int   // told last
	at   int64 // milliseconds of the message told last
	all  []record.Exchange
	open map[string]bool // channels
}

func (s *script) line(format string, args ...any) { fmt.Fprintf(&s.out, format+"\n", args...) }

// comment writes foreign text as a comment: on one line, whatever it holds.
func (s *script) comment(format string, args ...any) {
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, fmt.Sprintf(format, args...))
	if r := []rune(text); len(r) > commentMax {
		text = string(r[:commentMax]) + "..."
	}
	s.line("# %s", text)
}

// commentMax bounds one comment, in characters.
const commentMax = 600

func (s *script) head() {
	c := s.check
	s.line("#!/bin/sh")
	s.comment("%s: %s", c.ID, c.Check)
	for _, row := range s.run.Requirements {
		if id, _, _ := strings.Cut(c.ID, "."); row.ID == id {
			s.comment("clause:   %s %s: %s", row.ID, row.Score, row.Text)
		}
	}
	if c.Expected != "" {
		s.comment("expected: %s", c.Expected)
	}
	s.comment("seen:     %s %s", c.Verdict, c.Reason)
	s.comment("when:     %s, %s", s.run.Began.Format(time.RFC3339), s.run.URL)
	s.line("#")
	s.line("# It needs curl, and websocat or any other command in WEBSOCKET that sends each line of its input as a message to the URL")
	s.line("# behind it and prints each message that comes. STEP=1 waits for Enter before each step. The events are signed for this URL,")
	s.line("# and dated: a server that has seen them calls them duplicates, and one that minds dates may refuse them on another day.")
	if c.LeftOut > 0 {
		s.line("# %d messages of the check were not kept: what follows is not all of it.", c.LeftOut)
	}
}

// body sends what was sent, step by step.
func (s *script) body() {
	origin := strings.TrimSuffix(s.run.URL, "/")
	s.line("http=%s", Quoted(origin))
	s.line("relay=%s", Quoted("ws"+strings.TrimPrefix(origin, "http")))
	if u, err := url.Parse(origin); err == nil {
		host := u.Host
		if u.Port() == "" {
			host += map[string]string{"http": ":80", "https": ":443"}[u.Scheme]
		}
		s.line("host=%s", Quoted(host))
	}
	if len(s.run.Shared) > 0 {
		s.line("\nstep %s", Quoted("0. The repository that all checks share"))
		s.play(s.run.Shared)
		for _, channel := range slices.Sorted(maps.Keys(s.open)) { // a check has connections of its own
			s.line("hang_up %s", name(channel))
		}
		clear(s.open)
	}
	s.at = 0
	s.play(s.check.Transcript)
}

// play sends what was sent of some messages.
func (s *script) play(all []record.Exchange) {
	s.all = all
	for i, x := range all {
		s.steps(x.Step)
		if x.MS-s.at > pauseLeast.Milliseconds() {
			s.line("pause %d", (x.MS-s.at)/1000)
		}
		s.at = x.MS
		switch x.Direction {
		case record.Sent:
			s.sent(i, x)
		case record.Received:
			if !isBeacon(x) {
				s.comment("  then:  %s", told(x))
			}
		default:
			s.remark(x)
		}
	}
}

// pauseLeast is how much time has to have passed between two messages for the script to let it pass, too.
const pauseLeast = 5 * time.Second

// steps tells the steps up to one.
func (s *script) steps(to int) {
	for s.step < to && s.step < len(s.check.Steps) {
		step := s.check.Steps[s.step]
		s.step++
		mark := ""
		if step.Outcome == record.StepFailed {
			mark = "   <- this did not hold"
		}
		s.line("\nstep %s", Quoted(fmt.Sprintf("%d. %s %s%s", step.Number, step.Keyword, step.Text, mark)))
	}
}

func (s *script) remark(x record.Exchange) {
	relay := strings.HasPrefix(x.Channel, "relay#") || strings.HasPrefix(x.Channel, "bare#")
	switch {
	case relay && x.Head == "open":
		s.openChannel(x.Channel)
	case relay && x.Head == "close" && s.open[x.Channel]:
		s.line("hang_up %s", name(x.Channel))
		delete(s.open, x.Channel)
	case x.Channel == "git":
		s.comment("  the installed git: %s: %s", x.Head, x.Text)
	default:
		s.comment("  then:  %s: %s", x.Channel, x.Head)
	}
}

// name is a channel as the name of a file.
func name(channel string) string { return strings.ReplaceAll(channel, "#", "") }

func (s *script) openChannel(channel string) {
	if s.open[channel] || strings.HasPrefix(channel, "bare#") {
		return
	}
	s.open[channel] = true
	s.line("dial %s", name(channel))
}

// answered is a regular expression for the answer to a message, if one came back on its channel: the verb and of whom it speaks.
func (s *script) answered(i int, x record.Exchange) string {
	verb, of := speaksOf(x.Text)
	verbs, asks := map[string]string{
		"EVENT": "OK", "REQ": "EOSE|CLOSED", "COUNT": "COUNT|CLOSED", "NEG-OPEN": "NEG-MSG|NEG-ERR", "NEG-MSG": "NEG-MSG|NEG-ERR",
	}[verb]
	if !asks || of == "" {
		return ""
	}
	for _, y := range s.all[i+1:] {
		if y.Channel != x.Channel || y.Direction != record.Received {
			continue
		}
		if answer, about := speaksOf(y.Text); about == of && slices.Contains(strings.Split(verbs, "|"), answer) {
			return `"(` + verbs + `)" *, *` + regexp.QuoteMeta(strconv.Quote(of))
		}
	}
	return ""
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

// isBeacon reports whether a message is an event by which the suite shows that something else did not come: other checks cause
// them, too.
func isBeacon(x record.Exchange) bool {
	verb, of := speaksOf(x.Text)
	return verb == "EVENT" && of == "beacon"
}

func (s *script) sent(i int, x record.Exchange) {
	if x.Cut {
		s.line("note %s", Quoted(fmt.Sprintf("%s: %d bytes were sent, of which not all are kept", x.Channel, x.Size)))
		return
	}
	switch {
	case strings.HasPrefix(x.Channel, "relay#"):
		s.frame(i, x)
	case strings.HasPrefix(x.Channel, "bare#"):
		s.line("say %s", Quoted("bytes to "+x.Channel))
		s.line("body %s", Quoted(whole(x)))
		s.line("bare %s", name(x.Channel))
	default:
		s.request(x)
	}
}

// frame sends one message to the relay.
func (s *script) frame(i int, x record.Exchange) {
	switch {
	case x.Form == record.FormBytes, strings.ContainsAny(x.Text, "\n\r\x00"):
		s.line("note %s", Quoted(x.Channel+": a message that is no line of text was sent: "+whole(x)+" (base64)"))
		return
	case strings.HasPrefix(x.Text, `["AUTH"`):
		s.line("note %s", Quoted(x.Channel+": the check authenticated here, which answers a challenge of that connection alone"))
		return
	}
	s.openChannel(x.Channel)
	s.line("frame %s %s %s", name(x.Channel), Quoted(s.answered(i, x)), Quoted(x.Text))
}

// request sends one HTTP request.
func (s *script) request(x record.Exchange) {
	method, path, _ := strings.Cut(x.Head, " ")
	words := []string{"request", Quoted(method), Quoted(path)}
	for _, h := range x.Headers {
		if field, value, _ := strings.Cut(h, ": "); value == "" {
			h = field + ";" // as curl writes a field without a value
		}
		words = append(words, "-H", Quoted(h))
	}
	if x.Size > 0 {
		s.line("body %s", Quoted(whole(x)))
		words = append(words, "--data-binary", `@"$dir/body"`)
	}
	s.line("%s", strings.Join(words, " "))
}

// whole is the body as base64.
func whole(x record.Exchange) string {
	if x.Base64 != "" {
		return x.Base64
	}
	return base64.StdEncoding.EncodeToString([]byte(x.Text))
}

// told is what one message says.
func told(x record.Exchange) string {
	text := x.Head
	switch x.Form {
	case record.FormText:
		text += " " + x.Text
	case record.FormPktLines:
		text += " " + strings.Join(x.Lines, " | ")
	case record.FormBytes:
		text += fmt.Sprintf(" %d bytes", x.Size)
	}
	return strings.TrimSpace(text)
}
