package gitstore_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A spool keeps bytes in memory after all, and says how many it has got.
type spool struct{ bytes.Buffer }

func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(s.Bytes()).ReadAt(p, off)
}

// A fullSpool takes nothing.
type fullSpool struct{ spool }

var errFull = errors.New("full")

func (*fullSpool) Write([]byte) (int, error) { return 0, errFull }

func source(tb testing.TB, list ...gitstore.Object) *memory.ObjectStorage {
	tb.Helper()
	storage := &memory.NewStorage().ObjectStorage
	for _, o := range list {
		x := &plumbing.MemoryObject{}
		x.SetType(o.Type)
		if _, err := x.Write(o.Data); err != nil {
			tb.Fatal(err)
		}
		if _, err := storage.SetEncodedObject(x); err != nil {
			tb.Fatal(err)
		}
	}
	return storage
}

func mainAt(tip repo.OID) gitstore.Refs {
	return gitstore.Refs{Head: "refs/heads/main", Refs: []repo.Ref{{Name: "refs/heads/main", OID: tip}}}
}

func examine(tb testing.TB, v *gitstore.View, q gitstore.Quarantine, pack []byte, commands ...gitproto.Command) gitstore.Intake {
	tb.Helper()
	q.Limits = q.Limits.WithDefaults()
	in, err := v.Examine(running{}, gitstore.Push{Commands: commands}, bytes.NewReader(pack), q)
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// packWithAll has everything that an entry can be: whole, delta on an entry, by offset and by id, delta on an object
// of the repository, the same object twice, small and larger than what stays in memory.
func packWithAll(tb testing.TB) (pack []byte, thin gitstore.Object, all []repo.OID) {
	tb.Helper()
	blob := func(text string) gitstore.Object { return gitstore.NewBlob([]byte(text)) }
	thin, large := blob("thin base "), strings.Repeat("large ", 300_000)
	var p rawPack
	p.entry(refDelta, rawID(tb, blob("base 1").OID()), appendDelta("base 1", "!"))
	start := p.entry(3, nil, []byte("base "))
	next := p.entry(ofsDelta, []byte{byte(12 + p.Len() - start)}, appendDelta("base ", "1"))
	p.entry(ofsDelta, []byte{byte(12 + p.Len() - next)}, appendDelta("base 1", "2"))
	p.entry(refDelta, rawID(tb, thin.OID()), appendDelta("thin base ", "x"))
	p.entry(3, nil, []byte("base 1"))
	p.entry(3, nil, []byte("nobody wants this"))
	p.entry(refDelta, rawID(tb, blob("nobody wants this").OID()), appendDelta("nobody wants this", " but this"))
	p.entry(3, nil, []byte(large))
	p.entry(refDelta, rawID(tb, blob(large).OID()), largeDelta(large, "end"))
	p.entry(refDelta, rawID(tb, blob(large+"end").OID()), largeDelta(large+"end", "."))
	for _, text := range []string{
		"base ", "base 1", "base 1!", "base 12", "thin base x", "nobody wants this but this", large, large + "end", large + "end.",
	} {
		all = append(all, blob(text).OID())
	}
	return p.pack(), thin, all
}

// largeDelta appends text to a base of any size.
func largeDelta(base, text string) []byte {
	size := func(n int) (d []byte) {
		for ; n >= 0x80; n >>= 7 {
			d = append(d, byte(n)|0x80)
		}
		return append(d, byte(n))
	}
	d := slices.Concat(size(len(base)), size(len(base)+len(text)))
	for at := 0; at < len(base); {
		n := min(len(base)-at, 0xffffff)
		d = append(d, 0xff, byte(at), byte(at>>8), byte(at>>16), byte(at>>24), byte(n), byte(n>>8), byte(n>>16))
		at += n
	}
	return append(append(d, byte(len(text))), text...)
}

// What a spool takes out of memory changes nothing, and the pack that is written from it needs no other.
func TestSpooledPack(t *testing.T) {
	pack, thin, all := packWithAll(t)
	var commands []gitproto.Command
	for i, oid := range all {
		commands = append(commands, create("refs/tags/"+string(rune('a'+i)), oid))
	}
	var s spool
	in := examine(t, gitstore.NewView(gitstore.Refs{}, source(t, thin)), gitstore.Quarantine{Spool: &s}, pack, commands...)
	if in.Refused() || in.Objects() != len(all) {
		t.Fatalf("got %+v and %d objects, want %d", in.Report, in.Objects(), len(all))
	}
	if large := 2 * 1_800_000; s.Len() < len(pack)+large {
		t.Errorf("spool: got %d bytes, want the pack and two large objects that came as deltas", s.Len())
	}
	var written bytes.Buffer
	index, err := in.WritePack(running{}, &written)
	if err != nil {
		t.Fatal(err)
	}
	if got := index.PackfileChecksum[:]; !bytes.Equal(got, written.Bytes()[written.Len()-20:]) {
		t.Errorf("checksum: got %x, want that of the pack", got)
	}
	if written.Len() > len(pack)+50 {
		t.Errorf("pack: got %d bytes, want hardly more than the %d that came", written.Len(), len(pack))
	}
	for _, oid := range all {
		if ok, err := index.Contains(plumbing.NewHash(string(oid))); !ok || err != nil {
			t.Errorf("index: got no %s, %v", oid, err)
		}
	}
	m := newMemory(t, gitstore.Limits{})
	for _, result := range receive(t, m, written.Bytes(), commands...).Results {
		if !result.OK {
			t.Errorf("written pack, %s: got %q", result.Ref, result.Reason)
		}
	}
	if missing, err := m.Missing(testID, []repo.OID{gitstore.NewBlob([]byte("nobody wants this")).OID()}); err != nil || len(missing) != 1 {
		t.Error("written pack: got an object that no ref reaches")
	}
}

// A spool that fails is no fault of the pack.
func TestSpoolFails(t *testing.T) {
	pack, thin, all := packWithAll(t)
	v := gitstore.NewView(gitstore.Refs{}, source(t, thin))
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/tags/a", all[0])}}
	q := gitstore.Quarantine{Limits: gitstore.Limits{}.WithDefaults(), Spool: &fullSpool{}}
	if in, err := v.Examine(running{}, push, bytes.NewReader(pack), q); !errors.Is(err, errFull) {
		t.Errorf("got %+v, %v, want %v", in.Report, err, errFull)
	}
}

// A failing source has some objects and fails at the others.
type failing struct{ gitstore.Source }

var errSource = errors.New("disk on fire")

func (f failing) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	x, err := f.Source.EncodedObject(kind, id)
	if err != nil {
		return nil, errSource
	}
	return x, nil
}

func (f failing) HasEncodedObject(id plumbing.Hash) error {
	if err := f.Source.HasEncodedObject(id); err != nil {
		return errSource
	}
	return nil
}

// What the store fails at is never taken for something that is not there.
func TestFailuresAreNoAbsence(t *testing.T) {
	all, tips := history(3)
	tag := gitstore.NewTag("v", tips[0], gitstore.Commit, 1, "v")
	refs := mainAt(tips[2])
	refs.Refs = append(refs.Refs, repo.Ref{Name: "refs/tags/v", OID: tag.OID()})
	gone := tips[1] // a commit in the middle
	some := slices.DeleteFunc(slices.Clone(all), func(o gitstore.Object) bool { return o.OID() == gone })
	view := func() *gitstore.View { return gitstore.NewView(refs, failing{source(t, some...)}) }
	fetch := func(version int, lines ...string) error {
		return view().UploadPack(running{}, version, strings.NewReader(request(lines...)), io.Discard)
	}
	_, missingErr := view().Missing([]repo.OID{gone})
	q := gitstore.Quarantine{Limits: gitstore.Limits{}.WithDefaults()}
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/x", gone)}}
	_, tipErr := view().Examine(running{}, push, bytes.NewReader(packOf(t)), q)
	child := gitstore.NewCommit(all[2].OID(), []repo.OID{gone}, 1, "child")
	push.Commands[0].New = child.OID()
	_, parentErr := view().Examine(running{}, push, bytes.NewReader(packOf(t, child)), q)
	for name, err := range map[string]error{
		"Missing":        missingErr,
		"Advertise":      view().Advertise(gitproto.UploadPackService, 0, io.Discard),
		"Check":          view().Check([]gitproto.Command{create("refs/heads/x", gone)}, ""),
		"ls-refs":        fetch(2, "command=ls-refs", "0001", "peel", "0000"),
		"clone":          fetch(2, "command=fetch", "0001", "want "+string(tips[2]), "done", "0000"),
		"want":           fetch(0, "want "+string(gone), "0000", "done"),
		"have":           fetch(0, "want "+string(tips[2]), "0000", "have "+string(gone), "0000"),
		"deepen":         fetch(2, "command=fetch", "0001", "want "+string(tips[2]), "deepen 2", "done", "0000"),
		"deepen-not":     fetch(2, "command=fetch", "0001", "want "+string(tips[2]), "deepen-not v", "done", "0000"),
		"new value":      tipErr,
		"parent of push": parentErr,
	} {
		if !errors.Is(err, errSource) {
			t.Errorf("%s: got %v, want %v", name, err, errSource)
		}
	}
}

// Of an unsound repository only what the refs reach is taken for complete.
func TestExamineTrustsOnlyRefs(t *testing.T) {
	all, tips := history(4)
	lost, whole := all[8], all[12:] // the blob of the third commit is lost, the fourth is there
	some := slices.DeleteFunc(slices.Clone(all), func(o gitstore.Object) bool { return o.OID() == lost.OID() })
	tag := gitstore.NewTag("v", tips[1], gitstore.Commit, 1, "v")
	orphan := gitstore.NewCommit(whole[2].OID(), []repo.OID{tips[0]}, 1, "not reached, but complete")
	some = append(some, tag, orphan)
	tagged := gitstore.Refs{Head: "refs/heads/main", Refs: []repo.Ref{{Name: "refs/tags/v", OID: tag.OID()}}}
	child := gitstore.NewCommit(all[2].OID(), []repo.OID{tips[2]}, 1, "child of a broken one")
	newest := gitstore.NewTag("w", tips[3], gitstore.Commit, 1, "w")
	newestTagged := gitstore.Refs{Head: "refs/heads/main", Refs: []repo.Ref{{Name: "refs/tags/w", OID: newest.OID()}}}
	some = append(some, newest)
	for _, test := range []struct {
		name string
		refs gitstore.Refs
		tip  repo.OID
		pack []gitstore.Object
		want bool
	}{
		{"reached by a branch", mainAt(tips[1]), tips[0], nil, true},
		{"reached by a tag", tagged, tips[0], nil, true},
		{"the tag itself", tagged, tag.OID(), nil, true},
		{"complete", mainAt(tips[1]), orphan.OID(), nil, true},
		{"complete, no refs", gitstore.Refs{}, orphan.OID(), nil, true},
		{"broken", mainAt(tips[1]), tips[2], nil, false},
		{"above a broken one", mainAt(tips[1]), tips[3], nil, false},
		{"pushed above a broken one", mainAt(tips[1]), child.OID(), []gitstore.Object{child}, false},
		{"pushed with what was lost", mainAt(tips[1]), child.OID(), []gitstore.Object{child, lost}, true},
		{"a branch reaches it", mainAt(tips[3]), tips[2], nil, true},
		{"a tag reaches it", newestTagged, tips[2], nil, true},
		{"a tag points to it", newestTagged, tips[3], nil, true},
	} {
		v := gitstore.NewView(test.refs, source(t, some...))
		in := examine(t, v, gitstore.Quarantine{}, packOf(t, test.pack...), create("refs/tags/x", test.tip))
		if in.Refused() == test.want {
			t.Errorf("%s: got %+v, want success %t", test.name, in.Report, test.want)
		}
		if test.want && in.Objects() != len(test.pack) {
			t.Errorf("%s: got %d new objects, want %d", test.name, in.Objects(), len(test.pack))
		}
	}
}

func TestApply(t *testing.T) {
	_, tips := history(2)
	before := mainAt(tips[0])
	after := before.Apply([]gitproto.Command{
		create("refs/heads/a", tips[1]),
		{New: tips[1], Ref: "refs/heads/main"},
		create("refs/tags/z", tips[0]),
		{New: repo.ZeroOID, Ref: "refs/tags/z"},
		{New: repo.ZeroOID, Ref: "refs/tags/none"},
	})
	want := []repo.Ref{{Name: "refs/heads/a", OID: tips[1]}, {Name: "refs/heads/main", OID: tips[1]}}
	if !slices.Equal(after.Refs, want) || before.At("refs/heads/main") != tips[0] || after.Head != before.Head {
		t.Errorf("got %v from %v, want %v", after, before, want)
	}
}
