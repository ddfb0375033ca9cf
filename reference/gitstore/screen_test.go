package gitstore_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// repeatDelta makes the delta that writes a base of fewer than 128 bytes so many times, 128 to 16,383 bytes in all.
func repeatDelta(base, times int) []byte {
	size := base * times
	d := []byte{byte(base), byte(size&0x7f) | 0x80, byte(size >> 7)}
	for range times {
		d = append(d, 0x90, byte(base))
	}
	return d
}

// A commit may have 1,000 bytes here, a tree 1,200, any object 2,000; a delta is judged by its result and by what it is a delta
// of. All stores refuse the same.
func TestScreen(t *testing.T) {
	text := []byte(strings.Repeat("x", 100))
	oid := gitstore.NewBlob(text).OID()
	entry := func(kind, size int) func(*rawPack) {
		return func(p *rawPack) { p.entry(kind, nil, bytes.Repeat([]byte("a"), size)) }
	}
	chained := func(kind, times int) func(*rawPack) {
		return func(p *rawPack) {
			base := p.entry(kind, nil, text)
			next := 12 + p.Len()
			p.entry(ofsDelta, []byte{byte(next - base)}, appendDelta(string(text), "y"))
			last := 12 + p.Len()
			p.entry(ofsDelta, []byte{byte(last - next)}, repeatDelta(101, times))
		}
	}
	thin := func(times int) func(*rawPack) {
		return func(p *rawPack) { p.entry(refDelta, rawID(t, oid), repeatDelta(100, times)) }
	}
	const (
		commit = "a commit or tag in the pack is larger than 1000 bytes"
		tree   = "a tree in the pack is larger than 1200 bytes"
		one    = "an object in the pack is larger than 2000 bytes"
	)
	for _, test := range []struct {
		name  string
		fill  func(*rawPack)
		there gitstore.ObjectType // what the repository has
		want  string
	}{
		{"commit", entry(1, 1001), 0, commit},
		{"tree", entry(2, 1201), 0, tree},
		{"tag", entry(4, 1001), 0, commit},
		{"blob", entry(3, 2000), 0, ""},
		{"large blob", entry(3, 2001), 0, one},
		{"tree of the size", entry(2, 1200), 0, ""},
		{"commit of the size", entry(1, 1000), 0, ""},
		{"delta of a delta of a commit", chained(1, 10), 0, commit},
		{"small one", chained(1, 9), 0, ""},
		{"delta of a delta of a blob", chained(3, 10), 0, ""},
		{"large one", chained(3, 20), 0, one},
		{"large delta", func(p *rawPack) {
			p.entry(refDelta, rawID(t, oid), append(appendDelta(string(text), "y"), make([]byte, 2000)...))
		}, gitstore.Blob, one},
		{"delta of a blob that is there", thin(11), gitstore.Blob, ""},
		{"delta of a commit that is there", thin(11), gitstore.Commit, commit},
		{"delta of a tree that is there", thin(12), gitstore.Tree, ""},
		{"large delta of a tree that is there", thin(13), gitstore.Tree, tree},
		{"delta of what is not there", thin(11), 0, commit},
		{"small delta of what is not there", thin(10), 0, ""},
		{"all together", func(p *rawPack) {
			for range 5 {
				entry(3, 2000)(p)
			}
		}, 0, "the pack inflates to more than 9000 bytes"},
		{"delta without a base", func(p *rawPack) { p.entry(ofsDelta, []byte{3}, repeatDelta(100, 2)) }, 0, "a delta in the pack has no base"},
		{"broken delta of what is there", func(p *rawPack) { p.entry(refDelta, rawID(t, oid), []byte{0x80}) }, 0, "a delta in the pack is malformed"},
	} {
		var p rawPack
		test.fill(&p)
		limits := gitstore.Limits{CommitMax: 1000, TreeMax: 1200, OneMax: 2000, InflatedMax: 9000}.WithDefaults()
		kind := func(asked repo.OID) (gitstore.ObjectType, bool) {
			return test.there, asked == oid && test.there != 0
		}
		var held bytes.Buffer
		got, err := gitstore.Screen(running{}, bytes.NewReader(p.pack()), limits, kind, &held)
		if err != nil || got.Refused != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.name, got.Refused, err, test.want)
		}
		if test.want == "" && !bytes.Equal(held.Bytes(), p.pack()) {
			t.Errorf("%s: what is held is not the pack", test.name)
		}
		if test.want == "" || test.there == gitstore.Commit || strings.Contains(test.name, "there") {
			continue // the memory store takes it for something else, or has not the base
		}
		m := newMemory(t, limits)
		if report := receive(t, m, p.pack(), create("refs/tags/x", oid)); report.Unpack != test.want {
			t.Errorf("%s: the memory store says %q, want %q", test.name, report.Unpack, test.want)
		}
	}
}

// A broken pack is refused with the words of who takes it in.
func TestScreenBroken(t *testing.T) {
	all, _ := history(2)
	pack := packOf(t, all...)
	for cut := range len(pack) {
		got, err := gitstore.Screen(running{}, bytes.NewReader(pack[:cut]), gitstore.Limits{}.WithDefaults(), nil, &bytes.Buffer{})
		if err != nil || got.Refused == "" {
			t.Fatalf("cut at %d: got %+v, %v, want a refusal", cut, got, err)
		}
	}
	if _, err := gitstore.Screen(stopped{}, bytes.NewReader(pack), gitstore.Limits{}.WithDefaults(), nil, &bytes.Buffer{}); !errors.Is(err, errStopped) {
		t.Errorf("stopped: got %v", err)
	}
	if _, err := gitstore.Screen(running{}, bytes.NewReader(pack), gitstore.Limits{}.WithDefaults(), nil, &fullSpool{}); err == nil {
		t.Error("nowhere to write: got no error")
	}
}
