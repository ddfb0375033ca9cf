package suite

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"testing"
	"time"
)

// A message may come in several frames, with pings between them, and ends with the last one.
func TestAMessageIsReadInParts(t *testing.T) {
	const ping, continued = 0x9, 0x0
	sent := slices.Concat(
		frame(frameText, false, []byte(`["OK`)), frame(ping, true, []byte("there?")), frame(continued, false, nil), frame(continued, true, []byte(`",1]`)),
		frame(frameText, true, []byte("whole")), frame(frameClose, true, nil),
	)
	in := bufio.NewReader(bytes.NewReader(unmasked(t, sent)))
	for _, want := range []string{`["OK",1]`, "whole"} {
		if got, err := readMessage(in); err != nil || string(got) != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if _, err := readMessage(in); !errors.Is(err, io.EOF) {
		t.Errorf("got %v behind the end, want %v", err, io.EOF)
	}
}

// unmasked makes frames of a server of those of a client, which have short payloads here.
func unmasked(t *testing.T, frames []byte) []byte {
	t.Helper()
	const masked, keyed = 0x80, 4
	var out []byte
	for len(frames) > 0 {
		if frames[1]&masked == 0 {
			t.Fatal("a frame of a client has no mask")
		}
		size := int(frames[1] &^ masked)
		key, said := frames[2:2+keyed], frames[2+keyed:2+keyed+size]
		out = append(out, frames[0], byte(size))
		for i, b := range said {
			out = append(out, b^key[i%keyed])
		}
		frames = frames[2+keyed+size:]
	}
	return out
}

// Interim answers come before the one that upgrades, and are not it (RFC 9110, section 15.2).
func TestInterimAnswersAreNotTheLast(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	go func() {
		defer theirs.Close()
		_, _ = http.ReadRequest(bufio.NewReader(theirs))
		_, _ = io.WriteString(theirs, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
	}()
	conn := &bareConn{ours, bufio.NewReader(ours), "grasp.example", ""}
	status, header, out := conn.upgrade("Connection: Upgrade", "Upgrade: websocket")
	if status != http.StatusSwitchingProtocols || header.Get("Upgrade") != "websocket" || !out.held() {
		t.Errorf("got %d, %v, %v, want %d", status, header, out, http.StatusSwitchingProtocols)
	}
}

// A ping before a compressed message is none itself (RFC 7692).
func TestPingsComeBeforeCompressedMessages(t *testing.T) {
	answer := frame(frameText, true, deflated([]byte(`["EOSE","offered"]`)))
	answer[0] |= frameCompressed
	said := unmasked(t, slices.Concat(frame(framePing, true, nil), answer))
	conn := &bareConn{in: bufio.NewReader(bytes.NewReader(said))}
	if fault := conn.awaitOffered(true); fault != "" {
		t.Errorf("got %q, want no fault", fault)
	}
}

// An answer is one with whatever blanks it is written, and a NOTICE between them is none.
func TestAnswersAreCountedHoweverTheyAreWritten(t *testing.T) {
	ours, theirs := net.Pipe()
	defer ours.Close()
	go func() {
		defer theirs.Close()
		for _, msg := range []string{`["OK","4f",true,""]`, "[ \"OK\" ,\n\t\"4f\" , true , \"\" ]", `["NOTICE","still here"]`, `["OK","50",true,""]`, `["EOSE", "behind"]`, `["OK", "4f", false, "duplicate:"]`} {
			_, _ = theirs.Write(unmasked(t, frame(frameText, true, []byte(msg))))
		}
	}()
	conn := &bareConn{ours, bufio.NewReader(ours), "grasp.example", ""}
	var came lateCome
	if err := conn.acknowledged(t.Context(), "4f", 3, time.Second, &came); came != (lateCome{3, 1, true}) || err != nil {
		t.Errorf("got %+v, %v, want three answers, a notice, and what was asked behind", came, err)
	}
}
