package record_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/record/recordtest"
	"github.com/graspkit/graspkit/conformance/suite"
)

// told is the transcript of a check with these messages.
func told(entries ...client.Entry) record.Check {
	r := recordtest.Result(suite.Fail)
	r.Checks[0].Transcript = entries
	return record.Of(record.Execution{}, r).Runs[0].Checks[0]
}

func TestTranscriptIsDecoded(t *testing.T) {
	at := time.Unix(1000, 0)
	line := strings.Repeat("0", 40) + " " + strings.Repeat("a", 40) + " refs/heads/main\x00 report-status\n"
	push := fmt.Sprintf("%04x", 4+len(line)) + line + "0000PACK\x00\x00\x00\x02"
	git := http.Header{"Content-Type": {"application/x-git-receive-pack-request"}, "B": {"2"}, "A": {"1"}}
	c := told(
		client.Entry{At: at, Channel: "relay#1", Dir: client.Sent, Bytes: []byte(`["REQ"]`), Size: 7},
		client.Entry{At: at.Add(time.Second), Step: 2, Channel: "http#2", Dir: client.Sent, Head: "POST /x", Header: git, Bytes: []byte(push), Size: len(push)},
		client.Entry{At: at, Channel: "relay#1", Dir: client.Received, Bytes: []byte("\xff\xfe"), Size: 2},
		client.Entry{At: at, Channel: "relay#1", Dir: client.Received, Bytes: []byte("caf\xc3"), Size: 9},
		client.Entry{At: at, Channel: "relay#1", Dir: client.Remark, Head: "close"},
	)
	x := c.Transcript
	if x[0].Form != record.FormText || x[0].Text != `["REQ"]` || x[0].Direction != record.Sent {
		t.Errorf("frame: got %+v", x[0])
	}
	if x[1].Form != record.FormPktLines || len(x[1].Lines) != 3 || x[1].Lines[1] != "flush" || x[1].Lines[2] != "pack: 8 bytes" || x[1].MS != 1000 || x[1].Step != 2 {
		t.Errorf("push: got %+v", x[1])
	}
	if all, err := base64.StdEncoding.DecodeString(x[1].Base64); err != nil || string(all) != push {
		t.Errorf("push: got other bytes, %v", err)
	}
	if !slices.Equal(x[1].Headers, []string{"A: 1", "B: 2", "Content-Type: application/x-git-receive-pack-request"}) {
		t.Errorf("headers: got %q", x[1].Headers)
	}
	if x[2].Form != record.FormBytes || x[2].Base64 != "//4=" {
		t.Errorf("bytes: got %+v", x[2])
	}
	if x[3].Form != record.FormText || x[3].Text != "caf" || !x[3].Cut {
		t.Errorf("cut text: got %+v", x[3])
	}
	if x[4].Direction != record.Remark || x[4].Head != "close" {
		t.Errorf("remark: got %+v", x[4])
	}
}

func TestTranscriptIsBounded(t *testing.T) {
	large := func(n, size int) []client.Entry {
		entries := make([]client.Entry, n)
		for i := range entries {
			entries[i] = client.Entry{Channel: "relay#1", Dir: client.Sent, Bytes: make([]byte, size), Size: size}
		}
		return entries
	}
	for name, entries := range map[string][]client.Entry{"many": large(2000, 10), "large": large(100, 60_000)} {
		c := told(entries...)
		size := 0
		for _, x := range c.Transcript {
			size += len(x.Text)
		}
		if kept := len(c.Transcript) - 1; c.LeftOut == 0 || kept+c.LeftOut != len(entries) || kept > record.TranscriptEntriesMax || size > record.TranscriptBytesMax {
			t.Errorf("%s: got %d messages of %d bytes, %d left out of %d", name, kept, size, c.LeftOut, len(entries))
		}
	}
	if c := told(large(3, 10)...); c.LeftOut != 0 || len(c.Transcript) != 3 {
		t.Errorf("few: got %d messages, %d left out", len(c.Transcript), c.LeftOut)
	}
}

// What the server wrote during a check is in the document.
func TestLogOfACheckIsKept(t *testing.T) {
	r := recordtest.Result(suite.Fail)
	r.Checks[0].Log = "listening\nout of luck\n"
	if got := record.Of(record.Execution{}, r).Runs[0].Checks[0].Log; got != r.Checks[0].Log {
		t.Errorf("got %q, want %q", got, r.Checks[0].Log)
	}
}
