package gitexec_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// counted opens a store whose processes are counted.
func counted(t *testing.T, dir string) (e *gitexec.Exec, started func() int) {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skipf("no git on this machine: %v", err)
	}
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	script := fmt.Sprintf("#!/bin/sh\necho x >> '%s'\nexec '%s' \"$@\"\n", log, git)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	e, err = gitexec.New(dir, gitexec.Options{Git: filepath.Join(bin, "git")})
	if err != nil {
		t.Fatal(err)
	}
	return e, func() int {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(log); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(log, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		return bytes.Count(text, []byte("x"))
	}
}

// Refs that get what is plain need no process, all others are git's to judge; either way they end as in the store in
// memory, git reads them, and no lock is left.
func TestUpdatesOfRefs(t *testing.T) {
	pack, tips := chain(t, 3)
	blob := gitstore.NewBlob([]byte("file 0\n")).OID()
	dir := t.TempDir()
	e, started := counted(t, dir)
	memory := gitstore.NewMemory(gitstore.Limits{})
	stores := []gitstore.Backend{memory, e}
	for _, store := range stores {
		pushChain(t, store, testID, pack, tips[2])
	}
	path := repositoryIn(t, dir)
	lock := filepath.Join(path, "refs", "heads", "locked.lock")
	plant(t, lock, nil)
	if err := os.Mkdir(filepath.Join(path, "refs", "heads", "left"), 0o755); err != nil {
		t.Fatal(err)
	}
	started()
	set := func(ref string, from, to repo.OID) gitproto.Command {
		return gitproto.Command{Old: from, New: to, Ref: ref}
	}
	tests := []struct {
		name     string
		commands []gitproto.Command
		plain    bool
		fails    bool
	}{
		{"moved and made", []gitproto.Command{set("refs/heads/main", tips[2], tips[0]), create("refs/heads/a/b", tips[1])}, true, false},
		{"stale", []gitproto.Command{create("refs/heads/c", tips[0]), set("refs/heads/main", tips[1], tips[0])}, true, true},
		{"of a blob", []gitproto.Command{create("refs/tags/blob", blob)}, true, false},
		{"branch of a blob", []gitproto.Command{create("refs/heads/c", tips[0]), create("refs/heads/blob", blob)}, false, true},
		{"missing", []gitproto.Command{create("refs/heads/c", tips[0]), create("refs/heads/d", repo.OID(strings.Repeat("1", 40)))}, false, true},
		{"missing tag", []gitproto.Command{create("refs/tags/d", repo.OID(strings.Repeat("1", 40)))}, false, true},
		{"a folder of refs", []gitproto.Command{create("refs/heads/c", tips[0]), create("refs/heads/a", tips[0])}, false, true},
		{"in a ref", []gitproto.Command{create("refs/heads/c", tips[0]), create("refs/heads/a/b/c", tips[0])}, false, true},
		{"in each other", []gitproto.Command{create("refs/heads/c", tips[0]), create("refs/heads/c/d", tips[0])}, false, true},
		{"a folder of packed refs", []gitproto.Command{create("refs/heads/c", tips[0]), create("refs/heads/a", tips[0])}, false, true},
		{"in a packed ref", []gitproto.Command{create("refs/heads/a/b/c", tips[0])}, false, true},
		{"packed", []gitproto.Command{set("refs/heads/main", tips[0], tips[0])}, true, false},
		{"where an empty folder is left", []gitproto.Command{create("refs/heads/left", tips[0])}, false, false},
		{"gone", []gitproto.Command{set("refs/heads/a/b", tips[1], repo.ZeroOID), create("refs/heads/c", tips[1])}, false, false},
	}
	for _, test := range tests {
		var refs []gitstore.Refs
		if test.name == "a folder of packed refs" {
			if _, stderr, err := runGit(t, path, "pack-refs", "--all"); err != nil {
				t.Fatalf("git pack-refs: %v\n%s", err, stderr)
			}
		}
		for _, store := range stores {
			if err := store.Update(testID, test.commands, ""); (err != nil) != test.fails {
				t.Errorf("%s: %T: got %v, want an error: %v", test.name, store, err, test.fails)
			}
			now, err := store.Refs(testID)
			if err != nil {
				t.Fatal(err)
			}
			refs = append(refs, now)
		}
		if diff := cmp.Diff(refs[0], refs[1]); diff != "" {
			t.Errorf("%s (-memory +exec):\n%s", test.name, diff)
		}
		if got := started(); got == 0 != test.plain {
			t.Errorf("%s: got %d processes, want none: %v", test.name, got, test.plain)
		}
		var want strings.Builder
		for _, ref := range refs[0].Refs {
			want.WriteString(string(ref.OID) + " " + ref.Name + "\n")
		}
		listed, _, err := runGit(t, path, "for-each-ref", "--format=%(objectname) %(refname)")
		if err != nil || strings.TrimSpace(listed) != strings.TrimSpace(want.String()) {
			t.Errorf("%s: git reads %v\n%s\nwant\n%s", test.name, err, listed, want.String())
		}
	}
	if err := e.Update(testID, []gitproto.Command{create("refs/heads/x", tips[0]), create("refs/heads/locked", tips[0])}, ""); err == nil {
		t.Error("a locked ref: got no error")
	}
	left := 0
	err := filepath.Walk(filepath.Join(path, "refs"), func(name string, _ os.FileInfo, err error) error {
		if strings.HasSuffix(name, ".lock") {
			left++
		}
		return err
	})
	if refs, refsErr := e.Refs(testID); errors.Join(err, refsErr) != nil || left != 1 || !refs.At("refs/heads/x").IsZero() {
		t.Errorf("beside a locked ref: got %d locks and %v, %v", left, refs, errors.Join(err, refsErr))
	}
}
