package gitexec_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// backends are the stores that the matrix runs over; the first keeps nothing on disk.
var backends = []struct {
	name string
	open func(tb testing.TB, dir string) gitstore.Backend
}{
	{"memory", func(testing.TB, string) gitstore.Backend {
		return gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
	}},
	{"exec", func(tb testing.TB, dir string) gitstore.Backend {
		tb.Helper()
		return open(tb, dir)
	}},
	{"disk", func(tb testing.TB, dir string) gitstore.Backend {
		tb.Helper()
		return openDisk(tb, dir)
	}},
}

func open(tb testing.TB, dir string) *gitexec.Exec {
	tb.Helper()
	e, err := gitexec.New(dir, gitexec.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func openDisk(tb testing.TB, dir string) *gitdisk.Disk {
	tb.Helper()
	d, err := gitdisk.New(dir, gitdisk.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// TestStockGit drives every backend with the installed git, in every protocol version: the backends must not differ
// in what a git user can see (G01-GIT-02, G01-GIT-06, G01-PUSH-06, G01-PUSH-07, G01-PUSH-21, G01-PUSH-28).
func TestStockGit(t *testing.T) {
	source, installed := makeSource(t), gitVersion(t)
	all := slices.Concat(matrix, fetchMatrix, pushMatrix, refusalMatrix, loadMatrix)
	t.Logf("%d checks with %s", len(all), installed)
	for _, backend := range backends {
		for _, version := range []string{"0", "1", "2"} {
			if testing.Short() && version != "2" {
				continue
			}
			t.Run(backend.name+"/v"+version, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, backend.open(t, t.TempDir()), version, source)
				for _, check := range all {
					// Version 1 is version 0 with one line more in the advertisement, and version 2 is about fetches alone.
					if !check.vital && (version == "1" && !strings.HasPrefix(check.name, "fetch") || version == "0" && strings.HasPrefix(check.name, "push")) {
						continue
					}
					if !t.Run(check.name, func(t *testing.T) {
						defer func(outer testing.TB) { w.t = outer }(w.t)
						w.t = t
						check.skip(t, installed, version)
						check.run(w)
					}) && check.vital {
						t.Fatalf("nothing works without %s", check.name)
					}
				}
			})
		}
	}
}

// makeSource makes a repository with 14 commits, a merge, a branch and an annotated tag.
func makeSource(t *testing.T) string {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), version: "2"}
	w.git("", "init", "-q", "src")
	for i := 1; i <= 12; i++ {
		noise := ""
		for j := range 40 {
			sum := sha256.Sum256(fmt.Append(nil, i, j))
			noise += hex.EncodeToString(sum[:]) + "\n"
		}
		w.write("src/a/b/f1.txt", noise)
		w.write("src/a/b/f2.txt", noise[:1000]+strings.Repeat("same\n", 100))
		w.write("src/top.txt", fmt.Sprintln(i))
		w.git("src", "add", "-A")
		w.git("src", "commit", "-qm", fmt.Sprint("c", i), "--date", fmt.Sprintf("2020-01-%02dT00:00:00Z", i))
		if i == 6 {
			w.git("src", "tag", "-a", "v6", "-m", "v6")
			w.git("src", "branch", "side")
		}
	}
	w.git("src", "checkout", "-q", "side")
	w.commit("src", "s.txt")
	w.git("src", "checkout", "-q", "main")
	w.git("src", "merge", "-q", "--no-edit", "side")
	return filepath.Join(w.dir, "src")
}

var matrix = []check{
	{name: "empty clone", vital: true, run: func(w *world) {
		w.clone("empty")
		if got := w.git("", "ls-remote", w.url); got != "" {
			w.t.Errorf("ls-remote: got %q, want nothing", got)
		}
	}},
	{name: "first push", vital: true, run: func(w *world) {
		w.git("", "clone", "-q", w.source, "full")
		w.git("full", "remote", "set-url", "origin", w.url)
		w.git("full", "branch", "side", "origin/side")
		w.git("full", "push", "-q", "origin", "main", "side", "v6")
		w.wantRef("refs/heads/main", w.git("full", "rev-parse", "main"))
		w.wantRef("refs/tags/v6", w.git("full", "rev-parse", "v6"))
	}},
	{name: "ls-remote", vital: true, run: func(w *world) {
		got := w.git("full", "ls-remote", "--symref", w.url)
		for _, want := range []string{
			"ref: refs/heads/main\tHEAD", w.git("full", "rev-parse", "main") + "\trefs/heads/main",
			w.git("full", "rev-parse", "v6^{commit}") + "\trefs/tags/v6^{}",
		} {
			if !strings.Contains(got, want) {
				w.t.Errorf("ls-remote --symref: got\n%s\nwant a line %q", got, want)
			}
		}
	}},
	{name: "clone", vital: true, run: func(w *world) {
		w.clone("clone")
		w.git("clone", "fsck", "--strict")
		w.wantCount("clone", "HEAD", 14)
		w.git("clone", "rev-parse", "v6^{commit}")
	}},
	{name: "fetch incremental", run: func(w *world) {
		w.clone("behind")
		w.commit("full", "new.txt")
		w.git("full", "push", "-q", "origin", "main")
		before := w.objects("behind")
		w.git("behind", "fetch", "-q")
		w.git("behind", "fsck")
		if got := w.objects("behind") - before; got != 3 {
			w.t.Errorf("objects fetched: got %d, want 3: commit, root tree, blob", got)
		}
		w.git("behind", "merge", "-q", "origin/main")
	}},
	{name: "fetch diverged", run: func(w *world) {
		w.git("", "clone", "-q", "--no-hardlinks", w.source, "diverged")
		w.git("diverged", "remote", "set-url", "origin", w.url)
		for range 40 {
			w.git("diverged", "commit", "-q", "--allow-empty", "-m", "local")
		}
		before := w.objects("diverged")
		w.git("diverged", "fetch", "-q", "origin", "main")
		w.git("diverged", "fsck")
		if got := w.objects("diverged") - before; got != 3 {
			w.t.Errorf("objects fetched: got %d, want 3", got)
		}
	}},
	{name: "fetch by id", run: func(w *world) {
		w.git("", "init", "-q", "wants")
		old := w.git("full", "rev-parse", "main~4")
		w.git("wants", "fetch", "-q", w.url, old)
		w.git("wants", "cat-file", "-e", old+"^{tree}")
		blob := w.git("full", "rev-parse", "main:a/b/f1.txt")
		w.git("wants", "fetch", "-q", "--filter=blob:none", w.url, blob)
		w.git("wants", "cat-file", "-e", blob)
	}},
	{name: "fetch missing id", run: func(w *world) {
		none := strings.Repeat("1", 40)
		if got := w.fails("wants", "fetch", "-q", w.url, none); !strings.Contains(got, "not our ref "+none) {
			w.t.Errorf("fetch of a missing id: got %q, want %q", got, "not our ref")
		}
	}},
	{name: "filter", run: func(w *world) {
		w.clone("noblobs", "--no-checkout", "--filter=blob:none")
		w.wantObjects("noblobs", "blob", 0)
		w.git("noblobs", "checkout", "-q", "main")
		w.clone("notrees", "--no-checkout", "--filter=tree:0")
		w.wantObjects("notrees", "tree", 0)
		w.git("notrees", "checkout", "-q", "main")
		w.clone("tree1", "--no-checkout", "--filter=tree:1")
		w.git("tree1", "checkout", "-q", "main")
		w.clone("small", "--no-checkout", "--filter=blob:limit=1k")
		w.git("small", "checkout", "-q", "main")
		w.clone("both", "--no-checkout", "--filter=combine:blob:none+tree:3")
		w.wantObjects("both", "blob", 0)
		w.git("both", "checkout", "-q", "main")
	}},
	{name: "depth", run: func(w *world) {
		w.clone("depth", "--depth", "1")
		w.wantCount("depth", "HEAD", 1)
		w.git("depth", "fsck")
		w.git("depth", "fetch", "-q", "--depth", "3")
		w.wantCount("depth", "origin/main", 4) // three levels, and a merge among them
		w.git("depth", "fetch", "-q", "--deepen", "2")
		w.git("depth", "fsck")
		w.git("depth", "fetch", "-q", "--unshallow")
		w.wantCount("depth", "origin/main", 15)
		w.git("depth", "fsck")
		w.clone("since", "--shallow-since=2020-01-09T12:00:00Z")
		w.git("since", "fsck")
		w.clone("without", "--shallow-exclude=v6")
		w.git("without", "fsck")
		w.wantCount("without", "HEAD", 9)
		w.clone("both-cut", "--filter=blob:none", "--depth", "1")
	}},
	{name: "nothing left", run: func(w *world) { // git gives up within its answer, or before it
		for option, want := range map[string]string{
			"--shallow-exclude=main": "no commits selected for shallow requests", "--shallow-since=2037-01-01": "no commits selected for shallow requests",
			"--shallow-exclude=nowhere": "deepen-not",
		} {
			if got := w.fails("", "clone", "-q", option, w.url, "nothing"); !strings.Contains(got, "remote error: ") || !strings.Contains(got, want) {
				w.t.Errorf("%s: got %q, want %q", option, got, want)
			}
		}
	}},
	{name: "push fast-forward and back", run: func(w *world) {
		w.git("full", "push", "-q", "origin", "main:refs/heads/topic")
		tip := w.commit("full", "ff.txt")
		w.git("full", "push", "-q", "origin", "HEAD:refs/heads/topic")
		w.wantRef("refs/heads/topic", tip)
		w.fails("full", "push", "-q", "origin", "HEAD~2:refs/heads/topic")
		w.git("full", "push", "-q", "--force", "origin", "HEAD~2:refs/heads/topic")
		w.wantRef("refs/heads/topic", w.git("full", "rev-parse", "HEAD~2"))
	}},
	{name: "push delete", run: func(w *world) {
		w.git("full", "push", "-q", "origin", ":refs/heads/topic")
		w.wantRef("refs/heads/topic", "")
	}},
	{name: "push annotated tag", run: func(w *world) {
		w.git("full", "tag", "-a", "v7", "-m", "v7")
		w.git("full", "push", "-q", "origin", "v7")
		w.wantRef("refs/tags/v7", w.git("full", "rev-parse", "v7"))
	}},
	{name: "push many", run: func(w *world) {
		w.git("full", "push", "-q", "--atomic", "origin", "main:refs/heads/m1", "main~1:refs/heads/m2", "main~2:refs/tags/m3")
		w.git("full", "push", "-q", "origin", ":refs/heads/m1", "main:refs/heads/m2", ":refs/tags/m3")
		w.wantRef("refs/heads/m1", "")
		w.wantRef("refs/heads/m2", w.git("full", "rev-parse", "main"))
		w.wantRef("refs/tags/m3", "")
	}},
	{name: "push folder over branch", run: func(w *world) {
		w.git("full", "push", "-q", "origin", "main:refs/heads/dir")
		w.fails("full", "push", "-q", "origin", "main:refs/heads/dir/sub")
		w.wantRef("refs/heads/dir/sub", "")
		w.git("full", "push", "-q", "origin", ":refs/heads/dir", "main:refs/heads/dir/sub")
		w.wantRef("refs/heads/dir", "")
		w.wantRef("refs/heads/dir/sub", w.git("full", "rev-parse", "main"))
		w.git("full", "push", "-q", "origin", ":refs/heads/dir/sub", "main:refs/heads/dir")
		w.git("full", "push", "-q", "origin", ":refs/heads/dir")
	}},
	{name: "push options", run: func(w *world) {
		w.commit("full", "option.txt")
		w.git("full", "push", "-q", "-o", "a=b", "origin", "HEAD:refs/heads/option")
		w.wantRef("refs/heads/option", w.git("full", "rev-parse", "HEAD"))
	}},
	{name: "push from shallow", run: func(w *world) {
		w.clone("shallow", "--depth", "2")
		tip := w.commit("shallow", "shallow.txt")
		w.git("shallow", "push", "-q", "origin", "HEAD:refs/heads/shallow")
		w.wantRef("refs/heads/shallow", tip)
	}},
	{name: "push large", run: func(w *world) {
		var noise bytes.Buffer
		for i := range 50_000 {
			sum := sha256.Sum256(fmt.Append(nil, i))
			noise.Write(sum[:])
		}
		w.write("full/large.bin", noise.String())
		tip := w.commit("full", "large.txt")
		w.git("full", "-c", "http.postBuffer=65536", "push", "-q", "origin", "HEAD:refs/heads/large")
		w.wantRef("refs/heads/large", tip)
	}},
	{name: "push stale", run: func(w *world) {
		side := w.ref("refs/heads/side")
		answer := w.post("git-receive-pack", w.push(w.pack("full", "main", "^main"), gitproto.Command{
			Old: repo.OID(strings.Repeat("12", 20)), New: repo.OID(w.git("full", "rev-parse", "main")), Ref: "refs/heads/side",
		}))
		if !strings.Contains(answer, "ng refs/heads/side "+gitstore.ReasonStale) {
			w.t.Errorf("push with a stale old value: got %q, want ng", answer)
		}
		w.wantRef("refs/heads/side", string(side))
	}},
	{name: "push refused", run: func(w *world) {
		before := w.ref("refs/heads/side")
		w.git("full", "checkout", "-q", "-b", "evil", "side")
		tip := w.commit("full", "evil.txt")
		const reason = "evil would exist at 12345678 but state doesn't declare it"
		w.gate.refuse(reason)
		got := w.fails("full", "push", "origin", "HEAD:refs/heads/evil", "HEAD:refs/heads/side")
		w.gate.refuse("")
		if !strings.Contains(got, "remote: authorisation failed: "+reason) || !strings.Contains(got, "[remote rejected]") {
			w.t.Errorf("refused push: got %q, want the reason", got)
		}
		w.wantRef("refs/heads/evil", "")
		w.wantRef("refs/heads/side", string(before))
		w.wantMissing(tip)
		w.git("full", "checkout", "-q", "main")
	}},
	{name: "push broken packs", run: brokenPacks},
	{name: "push again", run: func(w *world) {
		tip := w.git("full", "rev-parse", "evil")
		w.git("full", "push", "-q", "origin", "evil")
		w.wantRef("refs/heads/evil", tip)
		before, done := w.gate.counts()
		w.git("full", "push", "origin", "evil")
		if after, _ := w.gate.counts(); after != before {
			w.t.Errorf("push of nothing: got %d offers, want none", after-before)
		}
		if done == 0 || done >= before {
			w.t.Errorf("gate: got %d done of %d offered, want one less or more, not all", done, before)
		}
	}},
	{name: "mirror", run: func(w *world) {
		w.clone("mirror", "--mirror")
		w.git("mirror", "fsck", "--strict")
	}},
}

// brokenPacks pushes packs that must not get in: cut off, altered, without a needed object. Nothing of them stays.
func brokenPacks(w *world) {
	tip := w.git("full", "rev-parse", "evil")
	command := gitproto.Command{Old: repo.ZeroOID, New: repo.OID(tip), Ref: "refs/heads/evil"}
	whole := w.pack("full", "evil", "^side")
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0x40
	lacking := w.pack("full", "evil", "^evil") // no objects at all
	for name, pack := range map[string][]byte{
		"none": nil, "header only": whole[:12], "cut off": whole[:len(whole)-30], "cut checksum": whole[:len(whole)-1],
		"altered": flipped, "lacking": lacking, "no pack": []byte("hello"),
	} {
		answer := w.post("git-receive-pack", w.push(pack, command))
		if !strings.Contains(answer, "ng refs/heads/evil ") {
			w.t.Errorf("push of a pack %s: got %q, want ng", name, answer)
		}
		w.wantRef("refs/heads/evil", "")
		w.wantMissing(tip)
	}
	if answer := w.post("git-receive-pack", w.push(whole, command)); !strings.Contains(answer, "ok refs/heads/evil") {
		w.t.Errorf("push of the right pack: got %q, want ok", answer)
	}
	remove := gitproto.Command{Old: repo.OID(tip), New: repo.ZeroOID, Ref: "refs/heads/evil"}
	if answer := w.post("git-receive-pack", w.push(nil, remove)); !strings.Contains(answer, "ok refs/heads/evil") {
		w.t.Errorf("deletion: got %q, want ok", answer)
	}
}

func (w *world) wantCount(dir, rev string, want int) {
	w.t.Helper()
	if got := w.git(dir, "rev-list", "--count", rev); got != fmt.Sprint(want) {
		w.t.Errorf("commits of %s in %s: got %s, want %d", rev, dir, got, want)
	}
}

// objects counts all objects of a clone, in packs or not, copies too.
func (w *world) objects(dir string) int {
	w.t.Helper()
	total := 0
	for line := range strings.Lines(w.git(dir, "count-objects", "-v")) {
		for _, key := range []string{"count: %d", "in-pack: %d"} {
			n := 0
			if _, err := fmt.Sscanf(line, key, &n); err == nil {
				total += n
			}
		}
	}
	return total
}

// wantObjects counts the objects of a type that a clone holds.
func (w *world) wantObjects(dir, objectType string, want int) {
	w.t.Helper()
	got := strings.Count(w.git(dir, "cat-file", "--batch-all-objects", "--batch-check"), " "+objectType+" ")
	if got != want {
		w.t.Errorf("objects of type %s in %s: got %d, want %d", objectType, dir, got, want)
	}
}
