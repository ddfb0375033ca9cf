package gitstore_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Whatever a client asks for, in any version: no panic, and the store is not to blame.
func FuzzUploadPack(f *testing.F) {
	m, tips := filled(f, 3)
	want := "want " + string(tips[2])
	for version, seed := range map[int]string{
		0: request(want+" multi_ack_detailed side-band-64k shallow", "deepen 1", "0000", "have "+string(tips[0]), "done"),
		1: request(want+" thin-pack ofs-delta filter", "filter tree:1", "0000", "done"),
		2: request("command=fetch", "0001", want, "have "+string(tips[0]), "deepen-since 1600000001", "done", "0000"),
		3: request("command=ls-refs", "0001", "peel", "symrefs", "0000"),
	} {
		f.Add(version, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, version int, input []byte) {
		err := m.UploadPack(running{}, testID, version&3%3, bytes.NewReader(input), io.Discard)
		var fault *gitproto.ProtocolError
		if err != nil && !errors.As(err, &fault) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("version %d, %q: got %v, want a ProtocolError", version&3%3, input, err)
		}
	})
}

// Whatever objects a pack holds: what is taken can be cloned again whole.
func FuzzObjects(f *testing.F) {
	blob := gitstore.NewBlob([]byte("x"))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	commit := gitstore.NewCommit(tree.OID(), nil, 1_600_000_000, "m")
	tag := gitstore.NewTag("v1", commit.OID(), gitstore.Commit, 1_600_000_000, "t")
	f.Add(tree.Data, commit.Data, tag.Data)
	f.Add([]byte("40000 .git\x00"), []byte("tree "), []byte("object "))
	f.Fuzz(func(t *testing.T, treeData, commitData, tagData []byte) {
		m := newMemory(t, gitstore.Limits{InflatedMax: 1 << 20, ObjectMax: 100})
		list := []gitstore.Object{
			blob, {Type: gitstore.Tree, Data: treeData}, {Type: gitstore.Commit, Data: commitData}, {Type: gitstore.Tag, Data: tagData},
		}
		pack := packOf(t, list...)
		for i, ref := range []string{"refs/tags/a", "refs/tags/b", "refs/heads/c", "refs/tags/d"} {
			report := receive(t, m, pack, create(ref, list[i].OID()))
			if !report.Results[0].OK {
				continue
			}
			var out bytes.Buffer
			lines := request("want "+string(list[i].OID()), "0000", "done")
			if err := m.UploadPack(running{}, testID, 0, bytes.NewReader([]byte(lines)), &out); err != nil {
				t.Errorf("clone of what was taken at %s: got %v", ref, err)
				continue
			}
			at := bytes.Index(out.Bytes(), []byte("PACK"))
			if at < 0 {
				t.Errorf("clone of what was taken at %s: got %q, want a pack", ref, out.String())
				continue
			}
			other := newMemory(t, gitstore.Limits{})
			if again := receive(t, other, out.Bytes()[at:], gitproto.Command{Old: repo.ZeroOID, New: list[i].OID(), Ref: ref}); !again.Results[0].OK {
				t.Errorf("the clone of %s pushed elsewhere: got %+v", ref, again)
			}
		}
	})
}
