//go:build unix

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

	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// After each step that a store has acknowledged the power fails: what was synced is there, and nothing else. Then every
// repository is there with its refs, git finds everything that they reach, and what was removed is gone. What git itself
// syncs is believed of its objects, and of refs where it says that it does that.
func TestPowerLoss(t *testing.T) {
	old := olderGit(t)
	for _, test := range []struct {
		name  string
		open  func(dir string, sync gitlayout.Syncer) (gitstore.Backend, error)
		ofGit func(string) bool
	}{
		{"exec", func(dir string, sync gitlayout.Syncer) (gitstore.Backend, error) {
			return gitexec.New(dir, gitexec.Options{Sync: sync})
		}, everything},
		{"exec with a git that does not sync refs", func(dir string, sync gitlayout.Syncer) (gitstore.Backend, error) {
			return gitexec.New(dir, gitexec.Options{Sync: sync, Git: old})
		}, underObjects},
		{"disk", func(dir string, sync gitlayout.Syncer) (gitstore.Backend, error) {
			return gitdisk.New(dir, gitdisk.Options{Sync: sync})
		}, nothing},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPlatter(t, test.ofGit)
			store, err := test.open(p.root, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range durableSteps(t) {
				p.ofGit = test.ofGit
				if step.does != anything && test.name != "disk" {
					p.ofGit = map[part]func(string) bool{objectsAlone: underObjects, nothingYet: nothing}[step.does]
				}
				if err := step.do(store); err != nil {
					t.Fatalf("%s: %v", step.name, err)
				}
				survives(t, step.name, store, p.lose())
			}
			// Another life of the server does not know what the one before it, which was killed, has not synced: of the
			// folders none but those that the repository is in.
			after := newPlatter(t, everything)
			after.root = p.root
			if err := errors.Join(after.Dir(p.root), after.Dir(filepath.Join(p.root, testID.Owner.Npub()))); err != nil {
				t.Fatal(err)
			}
			if store, err = test.open(p.root, after); err != nil {
				t.Fatal(err)
			}
			tip := refAt(t, store, testID, "refs/heads/main")
			if err := store.Update(testID, []gitproto.Command{create("refs/heads/later", tip)}, ""); err != nil {
				t.Fatal(err)
			}
			lost, err := gitdisk.New(after.lose(), gitdisk.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if missing, err := lost.Missing(testID, []repo.OID{tip}); err != nil || len(missing) > 0 {
				t.Errorf("objects of an earlier life: got %v missing, %v", missing, err)
			}
		})
	}
}

// A part is what git has written at most in the store that runs it.
type part int

const (
	anything part = iota
	objectsAlone
	nothingYet
)

// A durableStep is one thing that is acknowledged.
type durableStep struct {
	name string
	does part // of what the repositories have by then
	do   func(store gitstore.Backend) error
}

func durableSteps(t *testing.T) []durableStep {
	t.Helper()
	objects, tips := commits(30)
	other := repo.ID{Owner: testID.Owner, Identifier: "other"}
	third := repo.ID{Owner: "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5", Identifier: "third"}
	push := func(id repo.ID, objects []gitstore.Object, commands ...gitproto.Command) func(gitstore.Backend) error {
		return func(store gitstore.Backend) error {
			var pack bytes.Buffer
			if err := gitstore.WritePack(&pack, objects); err != nil {
				return err
			}
			report, err := store.Receive(t.Context(), id, gitstore.Push{Commands: commands}, &pack)
			if err == nil && (report.Unpack != gitstore.UnpackOK || !report.Results[0].OK) {
				err = fmt.Errorf("refused: %+v", report)
			}
			return err
		}
	}
	update := func(head string, commands ...gitproto.Command) func(gitstore.Backend) error {
		return func(store gitstore.Backend) error { return store.Update(testID, commands, head) }
	}
	move := func(ref string, from, to repo.OID) gitproto.Command {
		return gitproto.Command{Old: from, New: to, Ref: ref}
	}
	var many, none []gitproto.Command
	for i := range 20 {
		name := fmt.Sprintf("refs/heads/many/%02d", i)
		many, none = append(many, create(name, tips[0])), append(none, move(name, tips[0], repo.ZeroOID))
	}
	return []durableStep{
		{"create", nothingYet, func(store gitstore.Backend) error { return store.Create(testID) }},
		{"push of loose objects", nothingYet, push(testID, objects[:6], create("refs/heads/main", tips[1]))},
		{"push of one commit more", nothingYet, push(testID, objects[6:9], move("refs/heads/main", tips[1], tips[2]))},
		{"a new folder of refs", objectsAlone, update("", create("refs/heads/a/b/c", tips[1]))},
		{"a ref of its own folder", objectsAlone, update("", create("refs/nostr/"+strings.Repeat("1", 64), tips[2]))},
		{"many refs", anything, update("", many...)},
		{"HEAD", objectsAlone, update("refs/heads/a/b/c")},
		{"no refs", anything, update("", none...)},
		{"a ref where a folder was", anything, push(testID, nil,
			move("refs/heads/a/b/c", tips[1], repo.ZeroOID), create("refs/heads/a/b", tips[1]))},
		{"create another", objectsAlone, func(store gitstore.Backend) error { return store.Create(other) }},
		{"copy of loose objects", objectsAlone, func(store gitstore.Backend) error {
			if err := store.Copy(t.Context(), other, testID, tips[2:3]); err != nil {
				return err
			}
			return store.Update(other, []gitproto.Command{create("refs/heads/main", tips[2])}, "")
		}},
		{"push of a pack", anything, push(testID, objects[:87], move("refs/heads/main", tips[2], tips[28]))},
		{"copy of a pack", anything, func(store gitstore.Backend) error {
			if err := store.Copy(t.Context(), other, testID, tips[28:29]); err != nil {
				return err
			}
			return store.Update(other, []gitproto.Command{move("refs/heads/main", tips[2], tips[28])}, "")
		}},
		{"fetch", anything, func(store gitstore.Backend) error {
			var pack bytes.Buffer
			if err := gitstore.WritePack(&pack, objects[87:]); err != nil {
				return err
			}
			if taking, err := store.Take(t.Context(), testID, tips[29:], &pack); err != nil || len(taking.Missing) > 0 {
				return fmt.Errorf("take: %+v, %w", taking, err)
			}
			return store.Update(testID, []gitproto.Command{move("refs/heads/main", tips[28], tips[29])}, "")
		}},
		{"removal", objectsAlone, func(store gitstore.Backend) error { return store.Remove(other) }},
		{"another owner", objectsAlone, func(store gitstore.Backend) error { return store.Create(third) }},
		{"removal of all that an owner has", objectsAlone, func(store gitstore.Backend) error { return store.Remove(third) }},
	}
}

// survives compares what a power failure has left with what the store says.
func survives(t *testing.T, step string, store gitstore.Backend, left string) {
	t.Helper()
	after, err := gitdisk.New(left, gitdisk.Options{Sync: gitlayout.Unsynced{}})
	if err != nil {
		t.Fatal(err)
	}
	want, err := store.Repositories()
	if err != nil {
		t.Fatal(err)
	}
	got, err := after.Repositories()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("after %s: repositories (-acknowledged +there):\n%s", step, diff)
	}
	layout, err := gitlayout.New(left, gitlayout.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range want {
		acknowledged, err := store.Refs(id)
		if err != nil {
			t.Fatal(err)
		}
		there, err := after.Refs(id)
		if err != nil {
			t.Fatalf("after %s: %v", step, err)
		}
		if diff := cmp.Diff(acknowledged, there); diff != "" {
			t.Errorf("after %s: refs of %s (-acknowledged +there):\n%s", step, id.Identifier, diff)
		}
		path, err := layout.Open(id)
		if err != nil {
			t.Fatal(err)
		}
		if stdout, stderr, err := runGit(t, path, "fsck", "--full", "--strict"); err != nil {
			t.Errorf("after %s: git fsck of %s: %v\n%s%s", step, id.Identifier, err, stdout, stderr)
		}
	}
}

func refAt(t *testing.T, store gitstore.Backend, id repo.ID, name string) repo.OID {
	t.Helper()
	refs, err := store.Refs(id)
	if err != nil {
		t.Fatal(err)
	}
	return refs.At(name)
}

// olderGit is the installed git, which says that it is of a version that knows nothing of core.fsync.
func olderGit(t *testing.T) string {
	t.Helper()
	installed, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nfor last; do :; done\n[ \"$last\" = version ] && { echo git version 2.35.9; exit; }\nexec " + installed + " \"$@\"\n"
	name := filepath.Join(t.TempDir(), "git")
	if err := os.WriteFile(name, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}
