package client_test

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"

	"github.com/graspkit/graspkit/conformance/client"
)

// A pack that is made while it is read has the bytes, and the size, of the one that is held, each time.
func TestPackStreamIsThePack(t *testing.T) {
	h := client.NewHistory("stream")
	first := h.Commit("", map[string]string{"a": "b"}, "first")
	tip := h.Bulk(first, client.NewBulk("stream", 70_000), 3, "bulk")
	for _, exclude := range [][]string{nil, {first}} {
		want := h.Pack([]string{tip}, exclude)
		s := h.PackStream([]string{tip}, exclude)
		for range 2 {
			if err := iotest.TestReader(s.Reader(), want); err != nil {
				t.Error(err)
			}
		}
		if s.Size() != len(want) {
			t.Errorf("got a size of %d, want %d", s.Size(), len(want))
		}
		got, err := io.ReadAll(iotest.OneByteReader(s.Reader()))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("byte by byte: got %d bytes and %v, want the %d of the pack", len(got), err, len(want))
		}
	}
}
