package client_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

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
