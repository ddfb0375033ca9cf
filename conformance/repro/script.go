package repro

import (
	"encoding/base64"
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

// Script writes the script that repeats a check of a run and compares what comes with what came then. It ends with 0 if each answer
// says what it said in the check, with 1 if not, with 2 if there is nothing to repeat, and with 3 if it lacks a tool. What cannot be
// repeated by it is said in it, where it stood. The clock of the server, restarts and what other connections of the suite did
// meanwhile are not part of it.
func Script(w io.Writer, run *record.Run, check *record.Check) error {
	s := &script{run: run, check: check, open: make(map[string]bool), own: make(map[string]bool)}
	s.head()
	if run.World != "live" {
		s.line("echo 'This server was inside grasp-check. The check runs again by:'")
		s.line("echo %s", Quoted("  "+Again(run, check.ID)))
		s.line("exit 2")
	} else {
		s.line("%s", preamble)
		s.body()
		s.line("\nfinish %s", Quoted(Again(run, check.ID)))
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

	step   int   // told last
	at     int64 // milliseconds of the message told last
	all    []record.Exchange
	prefix string          // of the names of connections
	open   map[string]bool // channels
	words  bool            // why an event was taken is compared
	own    map[string]bool // ids of the events that the script has sent by the end
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
	s.line("# It needs curl, and for a relay websocat, or grasp-check, or another command in WEBSOCKET that sends each line of its input as a")
	s.line("# message to the URL behind it and prints each message that comes. A service for members alone needs the file of --keys in KEYS, and")
	s.line("# grasp-check on the PATH. STEP=1 waits for Enter before each step. It ends with 0 if all")
	s.line("# answers say what they said in the check, and with 1 if not. The events are signed for this URL, and dated, and a run removes at its")
	s.line("# end what it wrote: a server that has seen them takes them no more. Run it at a fresh one, or the check anew, with other events:")
	s.comment("  %s", Again(s.run, c.ID))
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
	if s.words = restsOnWords(s.check.Transcript, s.failed()); !s.words {
		s.line("taken=%s", Quoted(taken))
	}
	shared := s.run.Shared
	if !rests(s.check.Transcript, shared) {
		shared = nil
	}
	if slices.ContainsFunc(slices.Concat(shared, s.check.Transcript), func(x record.Exchange) bool { return ofRelay(x.Channel) }) {
		s.line("needs_websocket")
	}
	ownEvents(s.own, shared)
	if len(shared) > 0 {
		s.prefix = "shared-" // a check has connections of its own
		s.line("\nstep %s", Quoted("0. The repository that all checks share"))
		s.play(shared)
		s.prefix = ""
	}
	ownEvents(s.own, s.check.Transcript)
	s.at = 0
	s.play(s.check.Transcript)
}

// rests reports whether a check speaks of the repository that all checks share: of its author, or of its path. What a client sends in
// frames is masked: there it may.
func rests(check, shared []record.Exchange) bool {
	var words []string
	for _, x := range shared {
		if x.Direction != record.Sent {
			continue
		}
		for _, m := range author.FindAllStringSubmatch(x.Text, -1) {
			words = append(words, m[1])
		}
		if npub := inPath.FindString(x.Head); npub != "" {
			words = append(words, npub)
		}
	}
	return slices.ContainsFunc(check, func(x record.Exchange) bool {
		framed := ofBare(x.Channel) && upgrade.MatchString(x.Text)
		return x.Direction == record.Sent && (framed || slices.ContainsFunc(words, func(word string) bool {
			return strings.Contains(x.Text, word) || strings.Contains(x.Head, word)
		}))
	})
}

var (
	upgrade = regexp.MustCompile(`(?i)\nupgrade: *websocket`)
	author  = regexp.MustCompile(`"pubkey" *: *"([0-9a-f]{64})"`)
	inPath  = regexp.MustCompile(`npub1[02-9ac-hj-np-z]{58}`)
)

func ofBare(channel string) bool { return strings.HasPrefix(channel, "bare#") }

func ofRelay(channel string) bool { return strings.HasPrefix(channel, "relay#") }

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
				s.comment("  then:  %s", saying(x))
			}
		default:
			s.remark(x)
		}
	}
	for _, channel := range slices.Sorted(maps.Keys(s.open)) {
		s.hangUp(channel)
	}
}

// failed is the number of the step that did not hold; -1 if none is to blame, or what is played is not of the check.
func (s *script) failed() int {
	at := slices.IndexFunc(s.check.Steps, func(step record.Step) bool { return step.Outcome == record.StepFailed })
	if at < 0 || s.prefix != "" {
		return -1
	}
	return s.check.Steps[at].Number
}

// hangUp ends a connection, and compares what came on it.
func (s *script) hangUp(channel string) {
	delete(s.open, channel)
	if !ofRelay(channel) {
		s.line("hang_up_bare %s %s", s.name(channel), Quoted(strings.Join(cameBare(s.all, channel), "\n")))
		return
	}
	s.line("hang_up %s %s", s.name(channel), Quoted(strings.Join(came(s.all, channel, s.own, s.failed(), s.words), "\n")))
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
	switch {
	case ofBare(x.Channel) && x.Head == "open":
		s.openChannel(x.Channel)
	case ofBare(x.Channel) && x.Head == "close one way":
		s.line("left_out %s", Quoted(x.Channel+": the check ended its side of the connection here"))
	case ofRelay(x.Channel) && (x.Head == "open" || strings.HasPrefix(x.Head, "dial: ")):
		s.openChannel(x.Channel)
	case ofRelay(x.Channel) && strings.HasPrefix(x.Head, "close") && s.open[x.Channel]:
		s.hangUp(x.Channel)
	case x.Channel == "git":
		s.comment("  the installed git: %s: %s", x.Head, x.Text)
	default:
		s.comment("  then:  %s: %s", x.Channel, x.Head)
	}
}

// name is a channel as the name of a file.
func (s *script) name(channel string) string { return s.prefix + strings.ReplaceAll(channel, "#", "") }

func (s *script) openChannel(channel string) {
	if s.open[channel] {
		return
	}
	s.open[channel] = true
	if ofRelay(channel) {
		s.line("dial %s", s.name(channel))
	} else {
		s.line("dial_bare %s", s.name(channel))
	}
}

// answered is a regular expression for the answer to a message, if one came back on its channel: the verb and of whom it speaks;
// "-" where none ever comes.
func (s *script) answered(i int, x record.Exchange) string {
	verb, of := speaksOf(x.Text)
	verbs, asks := asked[verb]
	if verb == "CLOSE" {
		return "-"
	}
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

// isBeacon reports whether a message is an event by which the suite shows that something else did not come: other checks cause
// them, too.
func isBeacon(x record.Exchange) bool {
	verb, of := speaksOf(x.Text)
	return verb == "EVENT" && of == "beacon"
}

func (s *script) sent(i int, x record.Exchange) {
	if x.Cut {
		s.line("left_out %s", Quoted(fmt.Sprintf("%s: %d bytes were sent, of which not all are kept", x.Channel, x.Size)))
		return
	}
	switch {
	case ofRelay(x.Channel):
		s.frame(i, x)
	case ofBare(x.Channel):
		s.openChannel(x.Channel)
		s.line("say %s", Quoted("bytes to "+x.Channel))
		s.line("body %s", Quoted(whole(x)))
		s.line("bare %s %s", s.name(x.Channel), s.answeredBare(i, x.Channel))
	default:
		s.request(i, x)
	}
}

// frame sends one message to the relay.
func (s *script) frame(i int, x record.Exchange) {
	switch {
	case x.Form == record.FormBytes, strings.ContainsAny(x.Text, "\n\r\x00"):
		s.openChannel(x.Channel)
		s.line("odd_frame %s %s", s.name(x.Channel), whole(x))
		return
	case strings.HasPrefix(x.Text, `["AUTH"`):
		s.authentication(i, x)
		return
	}
	s.openChannel(x.Channel)
	s.line("frame %s %s %s", s.name(x.Channel), Quoted(s.answered(i, x)), Quoted(x.Text))
}

// answeredBare says whether something came on a channel before anything else was sent on it.
func (s *script) answeredBare(i int, channel string) string {
	at := slices.IndexFunc(s.all[i+1:], func(y record.Exchange) bool { return y.Channel == channel })
	if at >= 0 && s.all[i+1+at].Direction == record.Received {
		return "yes"
	}
	return "no"
}

// gaveUp is how long an answer is awaited at least before there counts as being none.
const gaveUp = 4 * time.Second

// upgraded is an answer behind which another protocol is spoken.
const upgraded = "HTTP 101"

// tokenTold is a header whose token a run does not tell (client.TokenTold).
var tokenTold = regexp.MustCompile(`^Authorization: \(a token of ([0-9a-f]{64}) for (.*)\)$`)

// request sends one HTTP request.
func (s *script) request(i int, x record.Exchange) {
	method, path, _ := strings.Cut(x.Head, " ")
	words := []string{"request", Quoted(method), Quoted(path)}
	for _, h := range x.Headers {
		if m := tokenTold.FindStringSubmatch(h); m != nil {
			s.line("needs_token")
			words = append(words, "-H", fmt.Sprintf(`"Authorization: $(token %s %s)"`, m[1], Quoted(m[2])))
			continue
		}
		if field, value, _ := strings.Cut(h, ": "); value == "" {
			h = field + ";" // as curl writes a field without a value
		}
		words = append(words, "-H", Quoted(h))
	}
	if x.Size > 0 {
		s.line("body %s", Quoted(whole(x)))
		words = append(words, "--data-binary", `@"$dir/body"`)
	}
	if slices.ContainsFunc(s.all[i+1:], func(y record.Exchange) bool { return y.Channel == x.Channel && y.Head == upgraded }) {
		words = append(words, "--max-time", "2") // such an answer has no end
	}
	s.line("%s", strings.Join(words, " "))
	at := slices.IndexFunc(s.all[i+1:], func(y record.Exchange) bool { return y.Channel == x.Channel })
	if at < 0 {
		return
	}
	y := s.all[i+1+at]
	if y.Direction == record.Remark && y.MS-x.MS < gaveUp.Milliseconds() && strings.Contains(y.Head, "context ") {
		return // the run was ended here
	}
	if y.Direction == record.Remark {
		s.line("answered %s 'no answer'", s.name(x.Channel))
		return
	}
	s.line("answered %s %s", s.name(x.Channel), Quoted(strings.Join(answer(y), "\n")))
	if method != "HEAD" && !isGit(y) && y.Head != upgraded {
		s.line("the_same %s %s %d", s.name(x.Channel), Quoted(whole(y)), y.Size)
	}
}

// whole is the body as base64.
func whole(x record.Exchange) string {
	if x.Base64 != "" {
		return x.Base64
	}
	return base64.StdEncoding.EncodeToString([]byte(x.Text))
}

// saying is what one message says.
func saying(x record.Exchange) string {
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
