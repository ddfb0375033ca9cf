package suite

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

// A bomb is one proper gzip stream: of its lead, and of zeros.
func TestBombInflates(t *testing.T) {
	for _, megabytes := range []int{2, 3, 9} {
		body := zeros("lead", megabytes)
		if most := megabytes*2048 + 512; len(body) > most {
			t.Errorf("%d megabytes: got %d bytes, want at most %d", megabytes, len(body), most)
		}
		z, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(z)
		if err != nil {
			t.Fatalf("%d megabytes: %v", megabytes, err)
		}
		if want := "lead" + strings.Repeat("\x00", megabytes<<20); string(got) != want {
			t.Errorf("%d megabytes: got %d bytes, want %d: the lead, and zeros", megabytes, len(got), len(want))
		}
	}
}
