package suite

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"time"
	"unicode/utf8"

	"github.com/graspkit/graspkit/conformance/client"
)

// framings are the ways in which one message may travel (RFC 6455, section 5.4): browsers, libraries and proxies choose among them.
func framings() map[string]func(message []byte) []byte {
	return map[string]func(message []byte) []byte{
		"in three frames": func(m []byte) []byte { return framed(m, len(m)/3, 2*len(m)/3) },
		"in frames that cut a letter": func(m []byte) []byte {
			at := bytes.IndexFunc(m, func(r rune) bool { return r >= utf8.RuneSelf })
			return framed(m, at+1)
		},
		"in a frame for each byte": func(m []byte) []byte {
			var at []int
			for i := 1; i < len(m); i++ {
				at = append(at, i)
			}
			return framed(m, at...)
		},
		"behind an empty frame":               func(m []byte) []byte { return framed(m, 0) },
		"before an empty frame":               func(m []byte) []byte { return framed(m, len(m)) },
		"with a ping between its frames":      func(m []byte) []byte { return between(m, frame(framePing, true, []byte("between"))) },
		"with a pong between its frames":      func(m []byte) []byte { return between(m, frame(framePong, true, nil)) },
		"behind a pong that nobody asked for": func(m []byte) []byte { return append(frame(framePong, true, []byte("unasked")), framed(m)...) },
	}
}

// framed is a message in frames that end at these places.
func framed(message []byte, at ...int) []byte {
	var all []byte
	opcode, from := byte(frameText), 0
	for i, to := range append(at, len(message)) {
		all = append(all, frame(opcode, i == len(at), message[from:to])...)
		opcode, from = frameGoesOn, to
	}
	return all
}

func between(message, other []byte) []byte {
	half := len(message) / 2
	all := append(frame(frameText, false, message[:half]), other...)
	return append(all, frame(frameGoesOn, true, message[half:])...)
}

// takenInPieces judges that an event is taken whose message travels so. Where it is not, another one has to be that comes in one frame.
// What a server has against the moment, or against who sends, it has understood.
func (w *world) takenInPieces(actor, how string) outcome {
	return w.needLighthouse().then(func() outcome {
		answer, out := w.sendFramed(actor, framings()[how])
		if !out.held() || taken(answer) {
			return out
		}
		if ok, is := answer.(client.OKFrame); asksFirst(answer) || faulty(answer) || is && policyPrefix(ok.Prefix) {
			return notApplicable("the server does not take events on a bare connection: %v", answer)
		}
		whole, out := w.sendFramed(actor, func(m []byte) []byte { return framed(m) })
		switch {
		case !out.held():
			return out
		case !taken(whole):
			return notApplicable("on a bare connection no event is taken: %v", whole)
		}
		return violated("an event that comes %s is not taken, and one in one frame is: %v", how, answer)
	})
}

// sendFramed publishes an issue with letters of several bytes on a bare connection and waits for its OK.
func (w *world) sendFramed(actor string, write func(message []byte) []byte) (client.Observation, outcome) {
	conn, out := w.bareSocket(2*w.client.Settle(), w.client.Recorded)
	if !out.held() {
		return nil, out
	}
	plain := w.issue(actor, "pieces", w.tick())
	ev := client.Build(w.key(actor), plain.Kind, plainTags(plain), w.run.purpose()+" größer 🚀", int64(plain.CreatedAt))
	w.remember("event", "", ev)
	if o := w.client.ListBare(ev); o != nil {
		return nil, inconclusive("an event in frames", o)
	}
	if out := conn.write(write([]byte(`["EVENT",` + string(client.EventJSON(ev)) + `]`))); !out.held() {
		return client.TransportError{Phase: "send", Text: out.reason}, outcome{}
	}
	for {
		text, err := conn.message(w.ctx, w.client.Settle())
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return client.Silence{Awaited: "OK", After: w.client.Settle()}, outcome{}
		case err != nil:
			return client.TransportError{Phase: "recv", Text: err.Error(), Err: err}, outcome{}
		}
		if o := w.client.BareOK(text, ev); o != nil {
			return o, outcome{}
		}
	}
}

// pongs judges that a ping is answered by a pong with what it holds (RFC 6455, section 5.5.3).
func (w *world) pongs() outcome {
	const held = "grasp"
	return w.awaitFrame(frame(framePing, true, []byte(held)), func(opcode byte, payload []byte) bool {
		return opcode == framePong && string(payload) == held
	}, "a ping is not answered by a pong of what it holds")
}

// closes judges that who closes a connection is answered by a close (RFC 6455, section 5.5.1).
func (w *world) closes() outcome {
	const normally = "\x03\xe8" // 1000
	return w.awaitFrame(frame(frameClose, true, []byte(normally)), func(opcode byte, _ []byte) bool { return opcode == frameClose },
		"a close is not answered by a close")
}

// awaitFrame sends a frame and waits for another one.
func (w *world) awaitFrame(sent []byte, fits func(opcode byte, payload []byte) bool, otherwise string) outcome {
	conn, out := w.bareSocket(2*w.client.Settle(), w.client.Recorded)
	if !out.held() {
		return out
	}
	if out := conn.write(sent); !out.held() {
		return out
	}
	defer conn.expires(w.ctx, w.client.Settle())()
	for {
		_, opcode, payload, err := readFrame(conn.in)
		switch {
		case (errors.Is(err, io.EOF) || errors.Is(err, os.ErrDeadlineExceeded)) && w.answersBare():
			return violated("%s: %v", otherwise, err)
		case err != nil:
			return inconclusive("frames", client.TransportError{Phase: "recv", Text: err.Error(), Err: err})
		case fits(opcode, payload):
			return outcome{}
		case opcode == frameClose:
			return violated("%s: the connection is closed", otherwise)
		}
	}
}

// answersBare reports whether a query is answered on a bare connection.
func (w *world) answersBare() bool {
	conn, out := w.bareSocket(2*w.client.Settle(), w.client.Recorded)
	if !out.held() || !conn.write(frame(frameText, true, []byte(`["REQ","bare",{"limit":0}]`))).held() {
		return false
	}
	_, err := conn.message(w.ctx, w.client.Settle())
	return err == nil
}

// expires ends what is read on the connection after a time, until the function returned is called.
func (c *bareConn) expires(ctx context.Context, after time.Duration) (stop func()) {
	waiting, cancel := context.WithTimeout(ctx, after)
	held := context.AfterFunc(waiting, func() { _ = c.SetReadDeadline(time.Unix(1, 0)) }) // which is past
	return func() {
		held()
		cancel()
	}
}

// message reads the next message, or until nothing has come for so long.
func (c *bareConn) message(ctx context.Context, silence time.Duration) ([]byte, error) {
	defer c.expires(ctx, silence)()
	return readMessage(c.in)
}
