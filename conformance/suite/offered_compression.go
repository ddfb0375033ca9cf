package suite

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

const (
	perMessageDeflate = "permessage-deflate"

	// compressionOffer is what browsers send with every request for a WebSocket (RFC 7692).
	compressionOffer = "Sec-WebSocket-Extensions: " + perMessageDeflate + "; client_max_window_bits"

	frameCompressed = 0x40 // of a message that is compressed, in its first frame
	frameOpcode     = 0x0f
	deflateWindow   = 32 << 10

	offeredQuery = `["REQ","offered",{"limit":0}]`
)

// answersOffers judges that a client that offers to compress messages is answered: in the plain if the relay does not agree to that, and by
// what both have agreed to otherwise. A client that does not offer it shows that there is an answer to be had.
func (w *world) answersOffers() outcome {
	fault, out := w.askOffering(compressionOffer)
	if !out.held() || fault == "" {
		return out
	}
	if plain, out := w.askOffering("X-Offer: none"); !out.held() || plain != "" {
		return outcome{verdict: Inconclusive, reason: strings.TrimSpace("on a bare connection no query is answered: " + plain + out.reason)}
	}
	return violated("a client that offers to compress messages, as browsers do, %s, and one that does not is answered", fault)
}

// askOffering asks on a connection that is requested with a further line; what is wrong with the answer is a fault.
func (w *world) askOffering(line string) (fault string, out outcome) {
	conn, out := w.bareFor(2*w.client.Settle(), w.client.Recorded)
	if !out.held() {
		return "", out
	}
	status, header, out := conn.upgrade("Connection: Upgrade", "Upgrade: websocket", line)
	switch {
	case !out.held():
		return "", out
	case status != http.StatusSwitchingProtocols:
		return fmt.Sprintf("is answered %d", status), outcome{}
	}
	agreed := header.Values("Sec-WebSocket-Extensions")
	packed := false
	for _, e := range strings.FieldsFunc(strings.Join(agreed, ","), func(r rune) bool { return r == ',' }) {
		name, _, _ := strings.Cut(e, ";")
		if strings.TrimSpace(name) != perMessageDeflate {
			return fmt.Sprintf("is told of an extension that it did not offer: %q", agreed), outcome{}
		}
		packed = true
	}
	w.note("the relay agrees to %q", agreed)
	asked := frame(frameText, true, []byte(offeredQuery))
	if packed {
		asked = frame(frameText, true, deflated([]byte(offeredQuery)))
		asked[0] |= frameCompressed
	}
	if out := conn.write(asked); !out.held() {
		return "", out
	}
	defer conn.expires(w.ctx, w.client.Settle())()
	return conn.awaitOffered(packed), outcome{}
}

// awaitOffered reads until the query is answered.
func (c *bareConn) awaitOffered(agreed bool) (fault string) {
	var window []byte
	for {
		first, err := c.in.Peek(1)
		if err != nil {
			return unansweredBy(err)
		}
		if first[0]&frameOpcode > frameClose { // a ping or a pong, which nobody compresses
			if _, _, _, err := readFrame(c.in); err != nil {
				return unansweredBy(err)
			}
			continue
		}
		packed := first[0]&frameCompressed != 0
		msg, err := readMessage(c.in)
		switch {
		case err != nil:
			return unansweredBy(err)
		case packed && !agreed:
			return "is sent a compressed message, to which nobody agreed"
		case packed:
			if msg, err = inflated(msg, window); err != nil {
				return "is sent a message that cannot be unpacked"
			}
			window = append(window, msg...)
			window = window[max(0, len(window)-deflateWindow):]
		}
		if verb, sub, _ := parts(msg); sub == "offered" && (verb == "EOSE" || verb == "CLOSED") {
			return ""
		}
	}
}

func unansweredBy(err error) string {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return "is not answered"
	}
	return "is not answered, and the connection ends"
}

// deflated is a message as RFC 7692 compresses it, without the end of the block.
func deflated(message []byte) []byte {
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestSpeed)
	if err == nil {
		_, err = z.Write(message)
	}
	if err == nil {
		err = z.Flush()
	}
	if err != nil {
		panic("suite: invariant: compress to memory: " + err.Error())
	}
	return bytes.TrimSuffix(out.Bytes(), []byte{0, 0, 0xff, 0xff})
}

// inflated is a message behind others, which a relay may refer to.
func inflated(packed, window []byte) ([]byte, error) {
	const ends = "\x00\x00\xff\xff\x01\x00\x00\xff\xff" // of the block, and of all
	z := flate.NewReaderDict(io.MultiReader(bytes.NewReader(packed), strings.NewReader(ends)), window)
	msg, err := io.ReadAll(io.LimitReader(z, messageMost))
	if err != nil {
		return nil, fmt.Errorf("unpack a message: %w", err)
	}
	return msg, nil
}
