package gitexec_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A growing is a repository that gets one commit with each push.
type growing struct {
	t       testing.TB
	backend gitstore.Backend
	tips    []repo.OID
}

func newGrowing(t testing.TB, backend gitstore.Backend) *growing {
	t.Helper()
	if err := backend.Create(testID); err != nil {
		t.Fatal(err)
	}
	return &growing{t: t, backend: backend}
}

// brings makes a commit with so many bytes that nothing makes smaller.
func brings(seed uint64, parent repo.OID, size int) (pack []byte, tip repo.OID) {
	blob := gitstore.NewBlob(noise(seed, size))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	var parents []repo.OID
	if parent != "" {
		parents = append(parents, parent)
	}
	commit := gitstore.NewCommit(tree.OID(), parents, 1_600_000_000, fmt.Sprint(seed))
	var b bytes.Buffer
	_ = gitstore.WritePack(&b, []gitstore.Object{blob, tree, commit}) // a buffer takes everything
	return b.Bytes(), commit.OID()
}

func (g *growing) receive(pack []byte, c gitproto.Command) {
	g.t.Helper()
	report, err := g.backend.Receive(g.t.Context(), testID, gitstore.Push{Commands: []gitproto.Command{c}}, bytes.NewReader(pack))
	if err != nil || !report.Whole() {
		g.t.Fatalf("push of %s: got %+v, %v", c.Ref, report, err)
	}
}

// push adds a commit to main.
func (g *growing) push(size int) {
	g.t.Helper()
	last, parent := repo.ZeroOID, repo.OID("")
	if n := len(g.tips); n > 0 {
		last, parent = g.tips[n-1], g.tips[n-1]
	}
	pack, tip := brings(uint64(len(g.tips)), parent, size)
	g.receive(pack, gitproto.Command{Old: last, New: tip, Ref: "refs/heads/main"})
	g.tips = append(g.tips, tip)
}

// expires pushes a ref named after an event, and removes it, as the server does when the event does not come.
func (g *growing) expires(seed uint64, size int) repo.OID {
	g.t.Helper()
	pack, tip := brings(seed, "", size)
	ref := fmt.Sprintf("refs/nostr/%064x", seed)
	g.receive(pack, create(ref, tip))
	gone := []gitproto.Command{{Old: tip, New: repo.ZeroOID, Ref: ref}}
	if err := g.backend.Update(testID, gone, ""); err != nil {
		g.t.Fatal(err)
	}
	return tip
}

func (g *growing) tidy(keep ...repo.OID) {
	g.t.Helper()
	if err := g.backend.Tidy(g.t.Context(), testID, keep); err != nil {
		g.t.Fatal(err)
	}
}

func (g *growing) missing(oids ...repo.OID) []repo.OID {
	g.t.Helper()
	missing, err := g.backend.Missing(testID, oids)
	if err != nil {
		g.t.Fatal(err)
	}
	return missing
}

// What refs reach, and what is to be kept, is there after a repository was tidied, with all that it reaches, and can be cloned.
// The rest is gone, and room on the disk with it: a push that was beyond the quota before is taken.
func TestTidyKeepsWhatIsNeeded(t *testing.T) {
	t.Parallel()
	const size = 100_000
	quota := gitlayout.Quota{Repository: 30 * size}
	for _, store := range []struct {
		name string
		open func(dir string) (gitstore.Backend, error)
	}{
		{"memory", func(string) (gitstore.Backend, error) { return gitstore.NewMemory(gitstore.Limits{}), nil }},
		{"exec", func(dir string) (gitstore.Backend, error) { return gitexec.New(dir, gitexec.Options{Quota: quota}) }},
		{"disk", func(dir string) (gitstore.Backend, error) { return gitdisk.New(dir, gitdisk.Options{Quota: quota}) }},
	} {
		t.Run(store.name, func(t *testing.T) {
			dir := t.TempDir()
			backend, err := store.open(dir)
			if err != nil {
				t.Fatal(err)
			}
			g := newGrowing(t, backend)
			for range 5 {
				g.push(size)
			}
			var expired []repo.OID
			for i := range 20 {
				expired = append(expired, g.expires(uint64(1000+i), size))
			}
			kept, rest := expired[:2], expired[2:]
			before, _ := bytesOf(t, dir)
			unknown := repo.OID(strings.Repeat("1", 40))
			g.tidy(append(slices.Clone(kept), unknown)...)

			if got := g.missing(append(slices.Clone(g.tips), kept...)...); len(got) > 0 {
				t.Errorf("needed, and not there: %v", got)
			}
			if got := g.missing(rest...); !slices.Equal(got, rest) {
				t.Errorf("of %d objects that nobody needs %d are there", len(rest), len(rest)-len(got))
			}
			g.tidy() // now those that were kept go too
			if got := g.missing(kept...); len(got) != len(kept) {
				t.Errorf("objects that are not kept any more: %v are gone, want all", got)
			}
			after, files := bytesOf(t, dir)
			t.Logf("%d bytes on the disk before, %d after, in %d files", before, after, files)
			w := newWorld(t, backend, "2", "")
			w.clone("clone")
			if got := w.git("clone", "rev-list", "--count", "HEAD"); got != "5" {
				t.Errorf("commits of a clone: got %s, want 5", got)
			}
			if store.name == "memory" {
				return
			}
			if after > 7*size {
				t.Errorf("bytes on the disk: got %d of 5 commits with %d each", after, size)
			}
			path := repositoryIn(t, dir)
			if _, stderr, err := runGit(t, path, "fsck", "--strict", "--full"); err != nil || strings.Contains(stderr, "error") {
				t.Errorf("git fsck: %v\n%s", err, stderr)
			}
			packs, err := filepath.Glob(filepath.Join(path, "objects", "*", "*"))
			if err != nil || len(packs) > 3 {
				t.Errorf("files of objects: got %v, %v, want one pack", packs, err)
			}
			for range 20 { // they found no room beside those that have gone
				g.push(size)
			}
		})
	}
}

// Who clones while a repository is tidied, or gets what a host has sent, finds everything that it began to read.
func TestClonesWhileTidied(t *testing.T) {
	t.Parallel()
	for _, store := range backends {
		t.Run(store.name, func(t *testing.T) {
			g := newGrowing(t, store.open(t, t.TempDir()))
			g.push(1000)
			ctx, stop := context.WithCancel(t.Context())
			var reading sync.WaitGroup
			for range 3 {
				reading.Go(func() {
					for ctx.Err() == nil {
						refs, err := g.backend.Refs(testID)
						if err != nil {
							t.Error(err)
							return
						}
						want := fmt.Sprintf("want %s\n", refs.Refs[0].OID)
						request := fmt.Sprintf("0011command=fetch0001%04x%s0009done\n0000", len(want)+4, want)
						var answer bytes.Buffer
						err = g.backend.UploadPack(t.Context(), testID, 2, strings.NewReader(request), &answer)
						if err != nil || !bytes.Contains(answer.Bytes(), []byte("PACK")) || bytes.Contains(answer.Bytes(), []byte("fatal")) {
							t.Errorf("clone: got %d bytes, %.300q, %v", answer.Len(), answer.Bytes(), err)
							return
						}
						if missing, err := g.backend.Missing(testID, []repo.OID{refs.Refs[0].OID}); err != nil || len(missing) > 0 {
							t.Errorf("a ref's object: got %v, %v", missing, err)
							return
						}
					}
				})
			}
			for i := range 12 {
				g.push(1000)
				g.push(1000)
				g.expires(uint64(500+i), 1000)
				g.tidy()
			}
			stop()
			reading.Wait()
		})
	}
}

// A repository that is broken is not tidied, one that somebody has changed by hand is left alone, and who is told to stop leaves
// nothing behind.
func TestTidyLeavesAlone(t *testing.T) {
	t.Parallel()
	for _, store := range backends[1:] {
		t.Run(store.name, func(t *testing.T) {
			dir := t.TempDir()
			g := newGrowing(t, store.open(t, dir))
			g.push(1000)
			expired := g.expires(500, 1000)
			path := repositoryIn(t, dir)

			stopped, stop := context.WithCancel(t.Context())
			stop()
			if err := g.backend.Tidy(stopped, testID, nil); !errors.Is(err, context.Canceled) {
				t.Errorf("stopped: got %v, want canceled", err)
			}
			alternates := filepath.Join(path, "objects", "info", "alternates")
			if err := os.WriteFile(alternates, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			g.tidy()
			if err := os.Remove(alternates); err != nil {
				t.Fatal(err)
			}
			broken := filepath.Join(path, "refs", "tags", "broken")
			if err := os.WriteFile(broken, []byte(strings.Repeat("1", 40)+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := g.backend.Tidy(t.Context(), testID, nil); err == nil {
				t.Error("broken: got no error")
			}
			if got := g.missing(expired, g.tips[0]); len(got) > 0 {
				t.Errorf("gone: %v, want nothing", got)
			}
			if left, err := filepath.Glob(filepath.Join(path, "objects", "pack", "tmp*")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
			if err := os.Remove(broken); err != nil {
				t.Fatal(err)
			}
			g.tidy()
			if got := g.missing(expired, g.tips[0]); !slices.Equal(got, []repo.OID{expired}) {
				t.Errorf("gone: got %v, want what no ref reaches", got)
			}
		})
	}
}
