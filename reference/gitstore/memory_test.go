package gitstore_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var testID = repo.ID{
	Owner: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", Identifier: "r",
}

// running is a Cancel that has not been used; stopped is one that has.
type (
	running struct{}
	stopped struct{}
)

var errStopped = errors.New("stopped")

func (running) Err() error { return nil }
func (stopped) Err() error { return errStopped }

// history makes n commits in a row, each with a folder and a file of its own, newest last.
func history(n int) (all []gitstore.Object, tips []repo.OID) {
	var parents []repo.OID
	for i := range n {
		blob := gitstore.NewBlob(fmt.Appendf(nil, "file %d\n%s", i, strings.Repeat("line\n", 50)))
		dir := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
		tree := gitstore.NewTree(gitstore.Entry{Name: "d", OID: dir.OID(), Dir: true}, gitstore.Entry{Name: "d.txt", OID: blob.OID()})
		commit := gitstore.NewCommit(tree.OID(), parents, int64(1_600_000_000+i), fmt.Sprint("commit ", i))
		parents = []repo.OID{commit.OID()}
		all = append(all, blob, dir, tree, commit)
		tips = append(tips, commit.OID())
	}
	return all, tips
}

func packOf(tb testing.TB, list ...gitstore.Object) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := gitstore.WritePack(&b, list); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func newMemory(tb testing.TB, limits gitstore.Limits) *gitstore.Memory {
	tb.Helper()
	m := gitstore.NewMemory(limits)
	if err := m.Create(testID); err != nil {
		tb.Fatal(err)
	}
	return m
}

// receive pushes and returns the report.
func receive(tb testing.TB, m *gitstore.Memory, pack []byte, commands ...gitproto.Command) gitstore.Report {
	tb.Helper()
	report, err := m.Receive(running{}, testID, gitstore.Push{Commands: commands}, bytes.NewReader(pack))
	if err != nil {
		tb.Fatal(err)
	}
	if len(report.Results) != len(commands) {
		tb.Fatalf("results: got %d, want %d", len(report.Results), len(commands))
	}
	return report
}

func create(ref string, oid repo.OID) gitproto.Command {
	return gitproto.Command{Old: repo.ZeroOID, New: oid, Ref: ref}
}

func wantRefs(t *testing.T, m *gitstore.Memory, want ...repo.Ref) {
	t.Helper()
	refs, err := m.Refs(testID)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(refs.Refs, want) {
		t.Errorf("refs: got %v, want %v", refs.Refs, want)
	}
}

func TestReceiveMovesAllRefsOrNone(t *testing.T) {
	all, tips := history(3)
	m := newMemory(t, gitstore.Limits{})
	report := receive(t, m, packOf(t, all...), create("refs/heads/main", tips[1]), create("refs/tags/v", tips[0]))
	want := gitstore.Report{Unpack: gitstore.UnpackOK, Results: []gitstore.Result{
		{Ref: "refs/heads/main", OK: true}, {Ref: "refs/tags/v", OK: true},
	}}
	if diff := cmp.Diff(want, report); diff != "" {
		t.Fatalf("report (-want +got):\n%s", diff)
	}
	// Objects that no new value reaches stay outside: the third commit was in the pack.
	missing, err := m.Missing(testID, []repo.OID{tips[2], tips[0], "x"})
	if err != nil || !slices.Equal(missing, []repo.OID{tips[2], "x"}) {
		t.Errorf("missing: got %v, %v, want the commit without a ref", missing, err)
	}
	before := []repo.Ref{{Name: "refs/heads/main", OID: tips[1]}, {Name: "refs/tags/v", OID: tips[0]}}
	for _, test := range []struct {
		name    string
		command gitproto.Command
		reason  string
	}{
		{"stale", gitproto.Command{Old: tips[0], New: tips[2], Ref: "refs/heads/main"}, gitstore.ReasonStale},
		{"exists", create("refs/heads/main", tips[2]), gitstore.ReasonStale},
		{"deleted from elsewhere", gitproto.Command{Old: tips[0], New: repo.ZeroOID, Ref: "refs/heads/main"}, gitstore.ReasonStale},
		{"folder over ref", create("refs/heads/main/x", tips[2]), gitstore.ReasonCollides},
		{"ref over folder", create("refs/heads", tips[2]), gitstore.ReasonCollides},
		{"name", create("refs/heads/a..b", tips[2]), gitstore.ReasonName},
		{"HEAD", create("HEAD", tips[2]), gitstore.ReasonName},
		{"no commit", create("refs/heads/blob", all[0].OID()), gitstore.ReasonBranch},
		{"missing", create("refs/heads/none", repo.OID(strings.Repeat("1", 40))), gitstore.ReasonMissing},
	} {
		report := receive(t, m, packOf(t, all...), create("refs/tags/good", tips[2]), test.command)
		want := gitstore.Refused([]gitproto.Command{create("refs/tags/good", tips[2]), test.command}, gitstore.UnpackOK,
			map[string]string{test.command.Ref: test.reason})
		if diff := cmp.Diff(want, report); diff != "" {
			t.Errorf("%s: report (-want +got):\n%s", test.name, diff)
		}
		wantRefs(t, m, before...)
		if missing, _ := m.Missing(testID, tips[2:]); len(missing) != 1 {
			t.Errorf("%s: an object of a refused push stayed", test.name)
		}
	}
}

func TestReceiveReplacesRefByFolder(t *testing.T) {
	all, tips := history(1)
	m := newMemory(t, gitstore.Limits{})
	receive(t, m, packOf(t, all...), create("refs/heads/a", tips[0]))
	report := receive(t, m, packOf(t), gitproto.Command{Old: tips[0], New: repo.ZeroOID, Ref: "refs/heads/a"},
		create("refs/heads/a/b", tips[0]))
	if !report.Results[0].OK || !report.Results[1].OK {
		t.Errorf("report: got %+v, want success", report)
	}
	wantRefs(t, m, repo.Ref{Name: "refs/heads/a/b", OID: tips[0]})
}

func TestReceiveDeletesWithoutPack(t *testing.T) {
	all, tips := history(1)
	m := newMemory(t, gitstore.Limits{})
	receive(t, m, packOf(t, all...), create("refs/heads/main", tips[0]))
	report := receive(t, m, nil, gitproto.Command{Old: tips[0], New: repo.ZeroOID, Ref: "refs/heads/main"})
	if !report.Results[0].OK {
		t.Errorf("report: got %+v, want success", report)
	}
	wantRefs(t, m)
}

// G01-PUSH-22: every object that a push needs is there, well-formed and of the right type.
func TestReceiveChecksConnectivity(t *testing.T) {
	all, tips := history(2)
	blob := all[0]
	asTree := gitstore.NewTree(gitstore.Entry{Name: "x", OID: blob.OID(), Dir: true})
	wrongType := gitstore.NewCommit(asTree.OID(), nil, 1, "tree entry of another type")
	git := gitstore.NewTree(gitstore.Entry{Name: ".GIT", OID: blob.OID()})
	hidden := gitstore.NewCommit(git.OID(), nil, 1, "name that leads elsewhere")
	twice := gitstore.NewTree(gitstore.Entry{Name: "a", OID: blob.OID()}, gitstore.Entry{Name: "a", OID: blob.OID()})
	double := gitstore.NewCommit(twice.OID(), nil, 1, "name twice")
	bad := gitstore.Object{Type: gitstore.Commit, Data: []byte("tree x\n")}
	tag := gitstore.NewTag("v", tips[1], gitstore.Tree, 1, "tag of another type")
	for _, test := range []struct {
		name    string
		tip     repo.OID
		objects []gitstore.Object
		want    string
	}{
		{"no parent", tips[1], all[4:], gitstore.ReasonMissing},
		{"no blob", tips[0], all[1:4], gitstore.ReasonMissing},
		{"no tree", tips[0], []gitstore.Object{all[0], all[3]}, gitstore.ReasonMissing},
		{"wrong type", wrongType.OID(), []gitstore.Object{blob, asTree, wrongType}, gitstore.ReasonMissing},
		{"dot git", hidden.OID(), []gitstore.Object{blob, git, hidden}, "object " + string(git.OID()[:8]) + ": malformed tree"},
		{"name twice", double.OID(), []gitstore.Object{blob, twice, double}, "object " + string(twice.OID()[:8]) + ": malformed tree"},
		{"malformed", bad.OID(), []gitstore.Object{bad}, "object " + string(bad.OID()[:8]) + ": malformed commit"},
		{"tag", tag.OID(), append(slices.Clone(all), tag), gitstore.ReasonMissing},
	} {
		m := newMemory(t, gitstore.Limits{})
		report := receive(t, m, packOf(t, test.objects...), create("refs/tags/x", test.tip))
		if want := (gitstore.Result{Ref: "refs/tags/x", Reason: test.want}); report.Results[0] != want {
			t.Errorf("%s: got %+v, want %+v", test.name, report.Results[0], want)
		}
		wantRefs(t, m)
	}
}

func TestReceiveRefusesBrokenAndLargePacks(t *testing.T) {
	all, tips := history(2)
	pack := packOf(t, all...)
	altered := bytes.Clone(pack)
	altered[len(altered)/2] ^= 1
	checksum := bytes.Clone(pack)
	checksum[len(checksum)-1] ^= 1
	huge := []byte("PACK\x00\x00\x00\x02\x00\x00\x00\x01\xbf\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f")
	for _, test := range []struct {
		name   string
		pack   []byte
		limits gitstore.Limits
		want   string
	}{
		{"empty", nil, gitstore.Limits{}, "cut off"},
		{"cut", pack[:len(pack)-1], gitstore.Limits{}, "cut off"},
		{"half", pack[:len(pack)/2], gitstore.Limits{}, "cut off"},
		{"altered", altered, gitstore.Limits{}, "pack"},
		{"checksum", checksum, gitstore.Limits{}, "checksum"},
		{"no pack", []byte("hello, hello"), gitstore.Limits{}, "not a pack"},
		{"version", []byte("PACK\x00\x00\x00\x09\x00\x00\x00\x01"), gitstore.Limits{}, "version 9"},
		{"absurd size", huge, gitstore.Limits{}, "pack"},
		{"objects", pack, gitstore.Limits{ObjectMax: 7}, "more than 7 objects"},
		{"bytes", pack, gitstore.Limits{PackMax: 100}, "larger than 100 bytes"},
		{"inflated", pack, gitstore.Limits{InflatedMax: 200}, "more than 200 bytes"},
	} {
		m := newMemory(t, test.limits)
		report := receive(t, m, test.pack, create("refs/heads/main", tips[1]))
		if !strings.Contains(report.Unpack, test.want) || report.Results[0].Reason != gitstore.ReasonUnpack {
			t.Errorf("%s: got %+v, want %q", test.name, report, test.want)
		}
		wantRefs(t, m)
		if missing, _ := m.Missing(testID, tips); len(missing) != 2 {
			t.Errorf("%s: objects stayed", test.name)
		}
	}
}

func TestReceiveStops(t *testing.T) {
	all, tips := history(1)
	m := newMemory(t, gitstore.Limits{})
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[0])}}
	if _, err := m.Receive(stopped{}, testID, push, bytes.NewReader(packOf(t, all...))); !errors.Is(err, errStopped) {
		t.Errorf("got %v, want %v", err, errStopped)
	}
	wantRefs(t, m)
}

func TestUpdate(t *testing.T) {
	all, tips := history(2)
	m := newMemory(t, gitstore.Limits{})
	if err := m.Put(testID, all...); err != nil {
		t.Fatal(err)
	}
	if err := m.Update(testID, []gitproto.Command{create("refs/heads/dev", tips[0])}, "refs/heads/dev"); err != nil {
		t.Fatal(err)
	}
	refs, _ := m.Refs(testID)
	if refs.Head != "refs/heads/dev" {
		t.Errorf("HEAD: got %q, want refs/heads/dev", refs.Head)
	}
	if err := m.Update(testID, []gitproto.Command{create("refs/heads/dev", tips[1])}, ""); !errors.Is(err, gitstore.ErrConflict) {
		t.Errorf("stale update: got %v, want ErrConflict", err)
	}
	if err := m.Update(testID, nil, "refs/tags/x"); err == nil {
		t.Error("HEAD to a tag: got no error")
	}
	wantRefs(t, m, repo.Ref{Name: "refs/heads/dev", OID: tips[0]})
}

func TestUnknownRepository(t *testing.T) {
	m := gitstore.NewMemory(gitstore.Limits{})
	var out bytes.Buffer
	_, refsErr := m.Refs(testID)
	_, missingErr := m.Missing(testID, nil)
	_, receiveErr := m.Receive(running{}, testID, gitstore.Push{}, nil)
	for _, err := range []error{
		refsErr, missingErr, receiveErr, m.Update(testID, nil, ""), m.UploadPack(running{}, testID, 2, nil, &out),
		m.Advertise(running{}, testID, gitproto.UploadPackService, 0, &out),
	} {
		if !errors.Is(err, gitstore.ErrNoRepository) {
			t.Errorf("got %v, want ErrNoRepository", err)
		}
	}
	if err := m.Remove(testID); err != nil || out.Len() > 0 {
		t.Errorf("Remove: got %v, and %d bytes of answers", err, out.Len())
	}
}

func BenchmarkReceive10Commits(b *testing.B) {
	all, tips := history(10)
	pack := packOf(b, all...)
	b.SetBytes(int64(len(pack)))
	b.ReportAllocs()
	for b.Loop() {
		receive(b, newMemory(b, gitstore.Limits{}), pack, create("refs/heads/main", tips[9]))
	}
}
