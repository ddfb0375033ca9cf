package client

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// A body without a length begins in pieces shorter than any packet, and goes on as it is asked for; nothing of it is lost.
func TestBodiesWithoutALengthBeginInCrumbs(t *testing.T) {
	sent := strings.Repeat("0123456789", 2*crumbled/10)
	body := crumbs(io.NopCloser(strings.NewReader(sent)))
	var got bytes.Buffer
	for room := make([]byte, len(sent)); got.Len() < len(sent); {
		before := got.Len()
		n, err := body.Read(room)
		if err != nil {
			t.Fatal(err)
		}
		got.Write(room[:n])
		if want := min(crumb, len(sent)-before); before < crumbled && n != want {
			t.Fatalf("behind %d bytes: got a piece of %d, want %d", before, n, want)
		}
	}
	if got.String() != sent {
		t.Error("the pieces are another body than was sent")
	}
}
