package fetch

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

func oidOf(n int) repo.OID { return repo.OID(fmt.Sprintf("%040x", n)) }

// Of a host with more refs than anybody looks at as much is kept as is asked for, in its order: a few hosts must not fill the
// memory. A wanted object with many names is kept once.
func TestAdvertisementsKeepWhatIsAskedFor(t *testing.T) {
	var b bytes.Buffer
	lines := gitproto.NewWriter(&b)
	lines.Line("# service=git-upload-pack")
	lines.Flush()
	lines.Line(string(oidOf(1)) + " HEAD\x00side-band-64k")
	for n := range 50_000 {
		lines.Line(fmt.Sprintf("%s refs/heads/b%d", oidOf(n), n))
	}
	for n := range 50_000 {
		lines.Line(fmt.Sprintf("%s refs/tags/t%d", oidOf(100_000+n), n))
		lines.Line(fmt.Sprintf("%s refs/tags/t%d^{}", oidOf(7), n))
	}
	lines.Line(string(oidOf(999_999)) + " refs/x/last")
	for range 1000 {
		lines.Line(string(oidOf(999_999)) + " refs/x/again")
	}
	lines.Flush()
	wants := []repo.OID{oidOf(40_000), oidOf(7), oidOf(999_999), oidOf(888_888)}
	a, err := readAdvertisement(&b, wants)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.refs) > tipsMax+2*len(wants) {
		t.Errorf("got %d refs kept, want those of the branches that may be asked for, and of the wants", len(a.refs))
	}
	var want []repo.OID
	for n := range tipsMax {
		want = append(want, oidOf(n))
	}
	want = append(want, oidOf(40_000), oidOf(999_999))
	if diff := cmp.Diff(want, a.tips(wants)); diff != "" {
		t.Errorf("asked for (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]repo.OID{oidOf(40_000)}, a.tips(wants[:1])); diff != "" {
		t.Errorf("asked for of what is shown (-want +got):\n%s", diff)
	}
}

func TestCapabilitiesAreBounded(t *testing.T) {
	for _, test := range []struct{ lines, kept int }{{capabilitiesMax, capabilitiesMax}, {capabilitiesMax + 1, capabilitiesMax}} {
		var b bytes.Buffer
		lines := gitproto.NewWriter(&b)
		lines.Line("version 2")
		for range test.lines {
			lines.Line("fetch")
		}
		lines.Flush()
		a, err := readAdvertisement(io.MultiReader(&b), nil)
		if refused := err != nil; refused != (test.lines > capabilitiesMax) || len(a.capabilities) != test.kept {
			t.Errorf("%d lines: got %d kept and error %v, want %d kept, and one more refused", test.lines, len(a.capabilities), err, test.kept)
		}
	}
}
