package suite

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// manyLong is how many characters of four bytes stand in a row behind one of a byte: who cuts that at a round number of bytes, for a log or
// a title, cuts a character, and in some languages dies of it.
const manyLong = 300

// takesLong judges that an event of nothing but long characters is taken, if one of as many bytes is. That one gets no answer shows nothing
// by itself; that it is so each time, and each time the other one is answered, does.
func (w *world) takesLong(actor string) outcome {
	const times = 2
	return w.needLighthouse().then(func() outcome {
		long := "x" + strings.Repeat("\U0001f680", manyLong)
		var answer client.Observation
		for range times {
			plain, out := w.sendText(actor, strings.Repeat("x", len(long)))
			switch {
			case !out.held():
				return out
			case !taken(plain):
				return notApplicable("the server does not take events of %d bytes: %v", len(long), plain)
			}
			answer, out = w.sendText(actor, long)
			if !out.held() || taken(answer) {
				return out
			}
			if asksFirst(answer) || client.Inconclusive(answer) && !wordless(answer) {
				return inconclusive("an event of long characters", answer)
			}
		}
		return violated("%d times an event of nothing but characters of four bytes is not taken, and one of as many letters is: %v", times, answer)
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

// sendText publishes an issue whose subject and content are a text, on a connection of its own.
func (w *world) sendText(actor, text string) (client.Observation, outcome) {
	relay, out := w.beside()
	if !out.held() {
		return nil, out
	}
	tags := append([][]string{{"a", w.run.lighthouse.address}, {"subject", text}}, w.markers()...)
	ev := client.Build(w.key(actor), client.KindIssue, tags, text, w.tick())
	w.remember("issue", "", ev)
	return relay.PublishFrame(w.ctx, []byte(eventMessage(ev)), ev.ID), outcome{}
}
