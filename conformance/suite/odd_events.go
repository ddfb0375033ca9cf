package suite

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// manyLong is how many characters of four bytes stand in a row behind one of a byte: who cuts that at a round number of bytes, for a log or
// a title, cuts a character, and in some languages dies of it.
const manyLong = 300

// takesLong judges that an event of nothing but long characters is taken, if one of as many bytes is.
func (w *world) takesLong(actor string) outcome {
	long := "x" + strings.Repeat("\U0001f680", manyLong)
	send := func(text string) func() (client.Observation, outcome) {
		return func() (client.Observation, outcome) { return w.sendIssue(actor, text, [][]string{{"subject", text}}) }
	}
	return w.answeredBeside(send(strings.Repeat("x", len(long))), send(long), taken,
		"an event of nothing but characters of four bytes is not taken, and one of as many letters is")
}

// oddExpirations are what stands in the place of a time.
func oddExpirations() [][]string {
	return [][]string{
		{"expiration", "soon"},
		{"expiration", ""},
		{"expiration", "1e9"},
		{"expiration", "-1"},
		{"expiration", "4102444800.5"},
		{"expiration", " 4102444800"},
		{"expiration", "99999999999999999999999"},
		{"expiration"},
	}
}

// answersOddExpirations judges that an event whose expiration is no time is answered, yes or no, if one without an expiration is taken.
func (w *world) answersOddExpirations(actor string) outcome {
	answered := func(o client.Observation) bool { _, is := o.(client.OKFrame); return is }
	for _, tag := range oddExpirations() {
		send := func(tags ...[]string) func() (client.Observation, outcome) {
			return func() (client.Observation, outcome) { return w.sendIssue(actor, w.run.purpose(), tags) }
		}
		out := w.answeredBeside(send(), send(tag), answered, "an event with the tag "+strings.Join(tag, " ")+" is not answered, and one without it is")
		if !out.held() {
			return out
		}
	}
	return outcome{}
}

// answersHalves judges that an event with half of a character, which JSON can write and no text has, is answered by a message or the end of
// the connection, if one without it is taken.
func (w *world) answersHalves(actor string) outcome {
	answered := func(o client.Observation) bool { _, silent := o.(client.Silence); return !silent }
	plain := func() (client.Observation, outcome) { return w.sendIssue(actor, w.run.purpose(), nil) }
	for _, half := range []struct{ where, from, to string }{
		{"content", `"content":"`, `"content":"\ud800`},
		{"a tag", `"tags":[[`, `"tags":[["x","\udc00"],[`},
	} {
		odd := func() (client.Observation, outcome) {
			relay, out := w.beside()
			if !out.held() {
				return nil, out
			}
			ev := w.issue(actor, "half", w.tick())
			return relay.PublishFrame(w.ctx, []byte(strings.Replace(eventMessage(ev), half.from, half.to, 1)), ev.ID), outcome{}
		}
		if out := w.answeredBeside(plain, odd, answered, "an event with half of a character in "+half.where+" is not answered, and one without it is"); !out.held() {
			return out
		}
	}
	return outcome{}
}

// answeredBeside judges the answer to something odd by what something plain is answered. That there is none shows nothing by itself; that it
// is so each time, and each time the plain one is taken, does.
func (w *world) answeredBeside(plain, odd func() (client.Observation, outcome), fits func(client.Observation) bool, otherwise string) outcome {
	const times = 2
	return w.needLighthouse().then(func() outcome {
		var answer client.Observation
		for range times {
			twin, out := plain()
			switch {
			case !out.held():
				return out
			case !taken(twin):
				return notApplicable("the plain event beside it is not taken: %v", twin)
			}
			answer, out = odd()
			if !out.held() || fits(answer) {
				return out
			}
			if asksFirst(answer) || client.Inconclusive(answer) && !wordless(answer) {
				return inconclusive("the odd event", answer)
			}
		}
		return violated("%d times %s: %v", times, otherwise, answer)
	})
}

// wordless reports whether nothing came, or the connection ended.
func wordless(o client.Observation) bool {
	switch o.(type) {
	case client.Silence, client.TransportError:
		return true
	}
	return false
}

// sendIssue publishes an issue with this content and further tags, on a connection of its own.
func (w *world) sendIssue(actor, content string, further [][]string) (client.Observation, outcome) {
	relay, out := w.beside()
	if !out.held() {
		return nil, out
	}
	tags := append([][]string{{"a", w.run.lighthouse.address}}, further...)
	ev := client.Build(w.key(actor), client.KindIssue, append(tags, w.markers()...), content, w.tick())
	w.remember("issue", "", ev)
	return relay.PublishFrame(w.ctx, []byte(eventMessage(ev)), ev.ID), outcome{}
}
