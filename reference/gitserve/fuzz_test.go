package gitserve_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Whatever a client pushes: what is executed is what was judged, once, in the same order, and nothing that was refused is
// executed (G01-PUSH-20, SEC-10).
func FuzzReceivePack(f *testing.F) {
	const zero = string(repo.ZeroOID)
	line := zero + " " + string(oid) + " refs/heads/main"
	seed := func(admitted bool, list ...string) {
		text := ""
		for _, l := range list {
			if len(l) == 4 {
				text += l
			} else {
				text += lines(l)
			}
		}
		f.Add(admitted, []byte(text+"PACK"))
	}
	seed(true, line+"\x00 report-status side-band-64k atomic", line, "0000")
	seed(true, "shallow "+string(oid), line+"\x00report-status push-options", "0000", "a=b", "0000")
	seed(false, "0000", line, "0001", line, "0002")
	seed(true, "push-cert\x00 report-status", "certificate version 0.1\n\n"+line+"\n", "push-cert-end", "0000")
	f.Fuzz(func(t *testing.T, admitted bool, input []byte) {
		g := &gate{admission: gitserve.Admission{Admitted: admitted, Reason: "no"}}
		b := &backend{report: gitstore.Report{Unpack: gitstore.UnpackOK, Results: []gitstore.Result{{Ref: mainName, OK: true}}}}
		if err := gitserve.ReceivePack(running{}, b, g, testID, bytes.NewReader(input), io.Discard); err != nil {
			return
		}
		switch {
		case len(b.pushes) > 1 || len(g.offers) > 1:
			t.Errorf("got %d offers and %d pushes of one request", len(g.offers), len(b.pushes))
		case len(b.pushes) == 1 && (!admitted || len(g.offers) == 0 || g.shapes[0].Certificate):
			t.Errorf("got %v executed, offered %v", b.pushes[0], g.offers)
		case len(b.pushes) == 1 && !slices.Equal(b.pushes[0].Commands, g.offers[0]):
			t.Errorf("got %v executed, judged %v", b.pushes[0].Commands, g.offers[0])
		}
		if len(g.offers) == 1 {
			for _, c := range g.offers[0] {
				if !repo.IsRefName(c.Ref) || !repo.IsOID(string(c.Old)) || !repo.IsOID(string(c.New)) {
					t.Errorf("got the command %+v offered", c)
				}
			}
		}
	})
}

// Whatever is said to be compressed: no more than the limit comes out.
func FuzzBody(f *testing.F) {
	f.Add("gzip", []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Add("", []byte(strings.Repeat("a", 100)))
	f.Add("x-gzip", []byte("x"))
	f.Fuzz(func(t *testing.T, encoding string, input []byte) {
		const limit = 64
		r, err := gitserve.Body(encoding, bytes.NewReader(input), limit)
		if err != nil {
			return
		}
		if n, _ := io.Copy(io.Discard, r); n > limit {
			t.Errorf("got %d bytes, want at most %d", n, limit)
		}
	})
}
