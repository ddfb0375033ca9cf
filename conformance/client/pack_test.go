package client_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/graspkit/graspkit/conformance/client"
)

// The commands and the pack of a short push leave in one write.
func TestPushIsReadAtOnce(t *testing.T) {
	opts := client.PushOpts{
		Commands: []client.Command{{Old: client.ZeroOID, New: strings.Repeat("1", 40), Ref: "refs/heads/main"}},
		Pack:     bytes.Repeat([]byte("x"), 100),
	}
	want := client.PushBody(opts)
	body := client.PushReader(opts)
	got := make([]byte, 4096)
	n, err := body.Read(got)
	if err != nil || !bytes.Equal(got[:n], want) {
		t.Errorf("first read: got %d bytes, %v, want all %d", n, err, len(want))
	}
	if n, err := body.Read(got); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("second read: got %d bytes, %v, want EOF", n, err)
	}
	if all, err := io.ReadAll(iotest.OneByteReader(client.PushReader(opts))); err != nil || !bytes.Equal(all, want) {
		t.Errorf("byte by byte: got %d bytes, %v, want all %d", len(all), err, len(want))
	}
}

// What a check pushes: a few small objects, and the fifty megabytes that do not compress of a push that may be too large.
func BenchmarkPack(b *testing.B) {
	small := client.NewHistory("small")
	tip := small.Commit("", map[string]string{"README": "hello\n", "docs/a": "a\n"}, "first")
	b.Run("small", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			small.Pack([]string{tip}, nil)
		}
	})
	files := map[string]string{}
	noise := rand.NewChaCha8([32]byte{})
	for i := range 50 {
		content := make([]byte, 1<<20)
		_, _ = noise.Read(content) // never fails
		files[fmt.Sprint(i)] = string(content)
	}
	large := client.NewHistory("large")
	tip = large.Commit("", files, "first")
	b.Run("huge", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			large.Pack([]string{tip}, nil)
		}
	})
}
