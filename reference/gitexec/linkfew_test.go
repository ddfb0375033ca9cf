package gitexec_test

import (
	"bytes"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A copy of few objects starts no process, one of many does, and either brings all.
func TestCopyOfFewNeedsNoProcess(t *testing.T) {
	objects, tips := commits(24)
	e, started := counted(t, t.TempDir())
	sibling := repo.ID{Owner: testID.Owner, Identifier: "sibling"}
	for _, id := range []repo.ID{testID, sibling} {
		if err := e.Create(id); err != nil {
			t.Fatal(err)
		}
	}
	from := repo.ZeroOID
	for i, tip := range tips {
		push := gitstore.Push{Commands: []gitproto.Command{{Old: from, New: tip, Ref: "refs/heads/main"}}}
		report, err := e.Receive(t.Context(), testID, push, bytes.NewReader(packOf(t, objects[3*i:3*i+3]...)))
		if err != nil || !report.Whole() {
			t.Fatalf("push: got %+v, %v", report, err)
		}
		from = tip
	}
	started()
	for _, copied := range []struct {
		name string
		tips []repo.OID
		few  bool
	}{
		{"few", tips[5:6], true},
		{"many", tips[23:], false},
	} {
		if err := e.Copy(t.Context(), sibling, testID, copied.tips); err != nil {
			t.Fatalf("%s: %v", copied.name, err)
		}
		if got := started(); got == 0 != copied.few {
			t.Errorf("%s: got %d processes, want none: %v", copied.name, got, copied.few)
		}
	}
	var all []repo.OID
	for _, x := range objects {
		all = append(all, x.OID())
	}
	if missing, err := e.Missing(sibling, all); err != nil || len(missing) > 0 {
		t.Errorf("missing: got %v, %v", missing, err)
	}
}
