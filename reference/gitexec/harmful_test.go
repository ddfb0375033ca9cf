package gitexec_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// raw makes a tree of one entry as it is written.
func raw(tb testing.TB, mode, name string, oid repo.OID) gitstore.Object {
	tb.Helper()
	hash, err := hex.DecodeString(string(oid))
	if err != nil {
		tb.Fatal(err)
	}
	return gitstore.Object{Type: gitstore.Tree, Data: append([]byte(mode+" "+name+"\x00"), hash...)}
}

// What does harm to who checks it out is refused by every store, as git's own check does it, with a reason; its twin, which
// differs in that alone, is taken.
func TestHarmfulTreesAreRefused(t *testing.T) {
	type sample struct{ name, mode, entry, content string }
	var harmful, harmless []sample
	for _, name := range []string{
		".git", ".GIT", ".git ", ".git...", ".git. .", "git~1", "GIT~1", "git~1.", ".g\u200cit", "\ufeff.git", ".gi\u206ft", ".git::$INDEX_ALLOCATION",
		`a\.git`, `.git\config`,
	} {
		harmful = append(harmful, sample{fmt.Sprintf("entry %q", name), "100644", name, "x"})
	}
	for _, name := range []string{".gita", "git~2", "git~11", "git", ".gi", "x.git", ".gít", "a\u200cb", ".gitignore", `a\b`} {
		harmless = append(harmless, sample{fmt.Sprintf("entry %q", name), "100644", name, "x"})
	}
	for _, name := range []string{".gitmodules", ".GitModules", ".gitmodules .", "gitmod~1", "GITMOD~4", "gi7eba~1", "gi7eb~10", ".git\u200cmodules"} {
		harmful = append(harmful, sample{fmt.Sprintf("link %q", name), "120000", name, "x"})
		harmless = append(harmless, sample{fmt.Sprintf("file %q", name), "100644", name, "x"})
	}
	for _, name := range []string{"gitmod~5", "gi7eba~0", "gi7ebb~1", ".gitmodule"} {
		harmless = append(harmless, sample{fmt.Sprintf("link %q", name), "120000", name, "x"})
	}
	for _, content := range []string{
		"[submodule \"a\"]\n\tpath = a\n\turl = -u./payload\n", "[submodule \"a\"]\n\tpath = a\n\turl = \"--upload-pack=touch x\"\n",
		"[submodule \"a\"]\n\tpath = -x\n\turl = https://h/a\n", "[submodule \"../a\"]\n\tpath = a\n\turl = https://h/a\n",
		"[submodule \"a/../../b\"]\n\tpath = a\n", "[submodule \"a\"] url = -x\n", "[SubModule \"a\"]\n\tURL=-x\n", "[submodule \"a\"]\nupdate = !touch x\n",
		"[submodule \"a\"]\n\turl = \\\n-x\n", "[submodule \"a\"]\n\turl = https://h/a%0a%0ahost=x\n", "[submodule \"a\"]\n\turl = \"\\\"\"-\n[submodule \"b\"]\nurl=-y\n",
	} {
		harmful = append(harmful, sample{fmt.Sprintf("modules %q", content), "100644", ".gitmodules", content})
	}
	for _, content := range []string{
		"", "[submodule \"a\"]\n\tpath = a\n\turl = ../a\n\tbranch = -x\n", "[submodule \"a..b\"]\n\tpath = a-b\n\turl = https://h/a#-x\n\tupdate = merge\n",
		"<<<<<<< HEAD\n[submodule \"a\"]\n", "[core]\n\tx = -y\n",
	} {
		harmless = append(harmless, sample{fmt.Sprintf("modules %q", content), "100644", ".gitmodules", content})
	}
	for _, backend := range backends {
		store := backend.open(t, t.TempDir())
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
		n := 0
		push := func(s sample) gitstore.Report {
			blob := gitstore.NewBlob([]byte(s.content))
			tree := raw(t, s.mode, s.entry, blob.OID())
			commit := gitstore.NewCommit(tree.OID(), nil, 1_600_000_000, s.name)
			var pack bytes.Buffer
			if err := gitstore.WritePack(&pack, []gitstore.Object{blob, tree, commit}); err != nil {
				t.Fatal(err)
			}
			n++
			commands := []gitproto.Command{create(fmt.Sprintf("refs/heads/b%d", n), commit.OID())}
			report, err := store.Receive(t.Context(), testID, gitstore.Push{Commands: commands}, &pack)
			if err != nil {
				t.Fatal(err)
			}
			return report
		}
		for _, s := range harmful {
			if got := push(s); got.Whole() || strings.Contains(got.Results[0].Reason, "missing") {
				t.Errorf("%s: %s: got %+v, want a refusal that says why", backend.name, s.name, got)
			}
		}
		for _, s := range harmless {
			if got := push(s); !got.Whole() {
				t.Errorf("%s: %s: got %+v, want it taken", backend.name, s.name, got)
			}
		}
	}
}

// A date that no clock can show is refused by every store, as git's own check does it; what is wrong with dates otherwise is in old
// histories, and taken.
func TestDatesOutOfRangeAreRefused(t *testing.T) {
	for _, backend := range backends {
		store := backend.open(t, t.TempDir())
		if err := store.Create(testID); err != nil {
			t.Fatal(err)
		}
		n := 0
		push := func(author, committer, tagger string) bool {
			tree := gitstore.NewTree()
			commit := gitstore.Object{Type: gitstore.Commit, Data: fmt.Appendf(nil, "tree %s\nauthor %s\ncommitter %s\n\nauthor A <a@b> 99999999999999999999 +0000\n", tree.OID(), author, committer)}
			objects, tip := []gitstore.Object{tree, commit}, commit.OID()
			if tagger != "" {
				tag := gitstore.Object{Type: gitstore.Tag, Data: fmt.Appendf(nil, "object %s\ntype commit\ntag v%d\ntagger %s\n\nx\n", tip, n, tagger)}
				objects, tip = append(objects, tag), tag.OID()
			}
			var pack bytes.Buffer
			if err := gitstore.WritePack(&pack, objects); err != nil {
				t.Fatal(err)
			}
			n++
			report, err := store.Receive(t.Context(), testID, gitstore.Push{Commands: []gitproto.Command{create(fmt.Sprintf("refs/tags/v%d", n), tip)}}, &pack)
			if err != nil {
				t.Fatal(err)
			}
			if !report.Whole() && strings.Contains(report.Results[0].Reason, "missing") {
				t.Errorf("%s: got %+v, want a refusal that says why", backend.name, report)
			}
			return report.Whole()
		}
		const good = "A <a@b> 1 +0000"
		for date, taken := range map[string]bool{
			"99999999999999999999 +0000": false, "18446744073709551615 +0000": false, "9223372036854775808 +0000": false,
			"9223372036854775807 +0000": true, "4102444800 +0000": true, "099999999999999999999 +0000": true, "0 +0000": true, "1": true,
			"1 +99999": true, "x +0000": true, "": true,
		} {
			person := "A <a@b> " + date
			for role, got := range map[string]bool{"author": push(person, good, ""), "committer": push(good, person, ""), "tagger": push(good, good, person)} {
				if got != taken {
					t.Errorf("%s: %s of %q: got it taken: %t, want %t", backend.name, role, date, got, taken)
				}
			}
		}
		if !push("A a@b 99999999999999999999 +0000", good, "") { // without an address git looks no further
			t.Errorf("%s: got it refused for a date that nobody reads", backend.name)
		}
	}
}
