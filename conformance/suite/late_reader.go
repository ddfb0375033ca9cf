package suite

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// What a late reader asks for before it reads: more than the buffers of two kernels take, so that a relay has to wait with the rest, to
// lose it, or to hang up.
const (
	lateEvents    = 8     // that each query brings
	lateEventSize = 6_000 // bytes of content
	lateQueries   = 200   // for all of them, 10 MB in sum
	lateSilence   = 2 * time.Second
	lateAnswers   = 3*time.Minute + 30*time.Second // that answers which come one by one are waited for at most: less than a check has
)

// readsLate publishes events that are large, asks for them again and again on a connection of its own, sends an event there that the relay
// has already so many times, reads nothing for a while, and then everything: each of these is answered, or the connection has ended.
func (w *world) readsLate(actor string, again *nostr.Event, times int) outcome {
	if !w.run.loopback {
		return notApplicable("what is asked for are %d MB, and the server is not on this machine", lateEvents*lateEventSize*lateQueries/1_000_000)
	}
	query, out := w.largeQuery(actor)
	if !out.held() {
		return out
	}
	oneByOne := min(time.Duration(times)*w.run.slowness(), lateAnswers)
	conn, out := w.bareSocket(w.client.Settle() + lateSilence + time.Minute + oneByOne)
	if !out.held() {
		return out
	}
	all := bytes.Repeat(query, lateQueries)
	all = append(all, bytes.Repeat(frame(frameText, true, fmt.Appendf(nil, `["EVENT",%s]`, client.EventJSON(again))), times)...)
	written := make(chan struct{})
	go func() {
		defer close(written)
		_, _ = conn.Write(all) // where the relay hangs up, who reads hears of it
	}()
	w.idle(lateSilence)
	var came lateCome
	err := conn.acknowledged(w.ctx, again.ID, times, w.client.Settle(), &came)
	if errors.Is(err, os.ErrDeadlineExceeded) && closed(written) { // it may be at work still: ten megabytes take long on a busy machine
		if out := conn.write(frame(frameText, true, fmt.Appendf(nil, `["REQ",%q,{"ids":[%q],"limit":1}]`, subBehind, again.ID))); !out.held() {
			return out
		}
		_ = conn.SetReadDeadline(time.Time{}) // it has passed: each message has one of its own
		err = conn.acknowledged(w.ctx, again.ID, times, w.client.Settle(), &came)
	}
	got, notices := came.answers, came.notices
	w.note("%d of %d times the event is answered, and %d notices came", got, times, notices)
	switch {
	case got >= times:
		return outcome{}
	case errors.Is(err, net.ErrClosed): // by us, or what comes is no frame of a relay
		return outcome{verdict: Inconclusive, reason: fmt.Sprintf("of %d events %d are answered, and what comes cannot be read to its end", times, got)}
	case !errors.Is(err, os.ErrDeadlineExceeded):
		w.note("the relay ended the connection: %v", err)
		return outcome{}
	case !came.behind:
		return outcome{verdict: Inconclusive, reason: fmt.Sprintf("of %d events %d are answered, and what was asked behind them is not either", times, got)}
	case notices > 0:
		return outcome{verdict: Inconclusive, reason: fmt.Sprintf("of %d events %d are answered, and %d notices came", times, got, notices)}
	}
	return violated("to a client that read nothing for %s the relay has answered %d of %d events and what was asked behind them, and said no more within %s: what it could not send at once is lost, where it had to wait or to end the connection",
		lateSilence, got, times, w.client.Settle())
}

// subBehind is the query behind everything that a late reader, or a late listener, has asked for.
const subBehind = "behind"

// largeQuery publishes events that are large, and is a frame that asks for all of them.
func (w *world) largeQuery(actor string) ([]byte, outcome) {
	var ids []string
	for i := range lateEvents {
		ev := w.issue(actor, fmt.Sprintf("large%d", i), w.tick())
		ev = client.Build(w.key(actor), ev.Kind, plainTags(ev), strings.Repeat("late ", lateEventSize/len("late ")), int64(ev.CreatedAt))
		if out := w.publish(ev).then(func() outcome { return w.limited(ev, w.sent.answer) }).then(w.accepted).asSetup(); !out.held() {
			return nil, out
		}
		ids = append(ids, ev.ID)
	}
	query, err := json.Marshal([]any{"REQ", "late", client.Filter{IDs: ids}})
	if err != nil {
		return nil, harnessError("query: %v", err)
	}
	return frame(frameText, true, query), outcome{}
}

// idle waits by the time of this machine: at the target nothing happens that its clock could go by.
func (w *world) idle(long time.Duration) {
	waiting, stop := context.WithTimeout(w.ctx, long)
	<-waiting.Done()
	stop()
}

// plainTags are the tags of an event as lists.
func plainTags(ev *nostr.Event) [][]string {
	tags := make([][]string, len(ev.Tags))
	for i, t := range ev.Tags {
		tags[i] = t
	}
	return tags
}

// A lateCome is what came to a late reader in the end.
type lateCome struct {
	answers, notices int
	behind           bool // the query behind the events was answered, too
}

// closed reports whether a channel is.
func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// acknowledged reads until an event was answered so many times, or nothing comes for so long, or the connection ends.
func (c *bareConn) acknowledged(ctx context.Context, id string, times int, silence time.Duration, came *lateCome) error {
	for came.answers < times {
		msg, err := c.message(ctx, silence)
		if err != nil {
			return err
		}
		switch label, about := client.Label(msg); {
		case label == "OK" && about == id:
			came.answers++
		case label == "NOTICE":
			came.notices++
		case (label == "EOSE" || label == "CLOSED") && about == subBehind:
			came.behind = true
		}
	}
	return nil
}

// readMessage reads one message of a server, in however many frames it comes, and what it says between them.
func readMessage(in *bufio.Reader) (msg []byte, err error) {
	for {
		last, opcode, payload, err := readFrame(in)
		switch {
		case err != nil:
			return nil, err
		case opcode == frameClose:
			return nil, io.EOF
		case opcode > frameClose:
			continue
		case len(msg)+len(payload) > messageMost:
			return nil, net.ErrClosed
		}
		msg = append(msg, payload...)
		if last {
			return msg, nil
		}
	}
}

// messageMost bounds what is read as one message.
const messageMost = 16 << 20

// readFrame reads one frame of a server, which is not masked.
func readFrame(in *bufio.Reader) (last bool, opcode byte, payload []byte, err error) {
	const end, low, short, long = 0x80, 0x0f, 125, 126
	var head [8]byte
	if _, err := io.ReadFull(in, head[:2]); err != nil {
		return false, 0, nil, err //nolint:wrapcheck // it is the connection's own
	}
	last, opcode = head[0]&end != 0, head[0]&low
	size := uint64(head[1] & 0x7f)
	if size > short {
		n := 8
		if size == long {
			n = 2
		}
		head = [8]byte{}
		if _, err := io.ReadFull(in, head[8-n:]); err != nil {
			return false, 0, nil, err //nolint:wrapcheck // it is the connection's own
		}
		size = binary.BigEndian.Uint64(head[:])
	}
	if size > messageMost {
		return false, 0, nil, net.ErrClosed
	}
	payload = make([]byte, size)
	_, err = io.ReadFull(in, payload)
	return last, opcode, payload, err //nolint:wrapcheck // it is the connection's own
}
