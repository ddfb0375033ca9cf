package gitexec_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

var pushMatrix = []check{
	{name: "push probes and sends in chunks", run: func(w *world) {
		if answer := w.post("git-receive-pack", []byte("0000")); answer != "" {
			w.t.Errorf("probe: got %q, want nothing", answer)
		}
		w.write("full/chunks.bin", string(noise(1, 300_000)))
		tip := w.commit("full", "chunks.txt")
		w.bodies()
		offered, _ := w.gate.counts()
		w.git("full", "-c", "http.postBuffer=65536", "push", "-q", "origin", "HEAD:refs/heads/chunks")
		w.wantRef("refs/heads/chunks", tip)
		if got, want := w.bodies(), []string{"refs", "git-receive-pack", "git-receive-pack chunked"}; !slices.Equal(got, want) {
			w.t.Errorf("bodies: got %v, want %v", got, want)
		}
		if after, _ := w.gate.counts(); after-offered != 1 {
			w.t.Errorf("offers: got %d, want 1: the probe is none", after-offered)
		}
	}},
	{name: "push thin", run: func(w *world) {
		w.write("full/thin.txt", strings.Repeat(string(noise(2, 20_000)), 2))
		base := w.commit("full", "thin-base.txt")
		w.git("full", "push", "-q", "origin", "HEAD:refs/heads/thin")
		w.write("full/thin.txt", strings.Repeat(string(noise(2, 20_000)), 2)+"and more")
		tip := w.commit("full", "thin-tip.txt")
		pack := w.packed("full", []string{"--thin"}, tip, "^"+base)
		if w.indexes(pack) {
			w.t.Error("the pack: got one with all bases, want a thin one")
		}
		answer := w.post("git-receive-pack", w.push(pack, gitproto.Command{
			Old: repo.OID(base), New: repo.OID(tip), Ref: "refs/heads/thin",
		}))
		if !strings.Contains(answer, "ok refs/heads/thin") {
			w.t.Errorf("push of a thin pack: got %q, want ok", answer)
		}
		w.clone("thin", "--branch", "thin")
		w.git("thin", "fsck", "--strict")
	}},
	{name: "push creates, moves, rewinds and deletes at once", run: func(w *world) {
		w.git("full", "push", "-q", "origin", "main:refs/heads/x1", "main~3:refs/heads/x2", "main:refs/heads/x3", "main:refs/tags/x4")
		w.git("full", "push", "-q", "--atomic", "--force", "origin",
			":refs/heads/x1", "main:refs/heads/x2", "main~4:refs/heads/x3", "main~1:refs/tags/x4", "side:refs/heads/x5")
		for ref, rev := range map[string]string{
			"refs/heads/x2": "main", "refs/heads/x3": "main~4", "refs/tags/x4": "main~1", "refs/heads/x5": "side",
		} {
			w.wantRef(ref, w.git("full", "rev-parse", rev))
		}
		w.wantRef("refs/heads/x1", "")
		w.git("full", "push", "-q", "origin", ":refs/heads/x2", ":refs/heads/x3", ":refs/tags/x4", ":refs/heads/x5")
	}},
	{name: "push mirror", run: func(w *world) {
		copied := w.aside("mirror")
		copied.git("", "clone", "-q", "--mirror", w.url, "all")
		copied.git("all", "push", "-q", "--mirror", copied.url)
		want := w.git("", "ls-remote", w.url)
		if got := w.git("", "ls-remote", copied.url); got != want {
			w.t.Errorf("refs of the mirror: got\n%s\nwant\n%s", got, want)
		}
		copied.git("all", "update-ref", "-d", "refs/heads/side")
		copied.git("all", "push", "-q", "--mirror", copied.url)
		copied.wantRef("refs/heads/side", "")
	}},
	{name: "push with a lease", run: func(w *world) {
		w.git("full", "push", "-q", "origin", "main:refs/heads/lease")
		w.fails("full", "push", "-q", "--force-with-lease=lease:main~5", "origin", "side:refs/heads/lease")
		w.wantRef("refs/heads/lease", w.git("full", "rev-parse", "main"))
		w.git("full", "push", "-q", "--force-with-lease=lease:main", "origin", "side:refs/heads/lease")
		w.wantRef("refs/heads/lease", w.git("full", "rev-parse", "side"))
	}},
	{name: "push for show", run: func(w *world) {
		before, _ := w.gate.counts()
		w.git("full", "push", "-q", "--dry-run", "origin", "main:refs/heads/show")
		if after, _ := w.gate.counts(); after != before {
			w.t.Errorf("offers of a dry run: got %d, want none", after-before)
		}
		w.wantRef("refs/heads/show", "")
	}},
	{name: "push from a partial clone", run: func(w *world) {
		w.clone("part", "--filter=blob:none")
		tip := w.commit("part", "part.txt")
		w.git("part", "push", "-q", "origin", "HEAD:refs/heads/part")
		w.wantRef("refs/heads/part", tip)
	}},
	{name: "push of odd trees", run: func(w *world) {
		odd := w.aside("odd trees")
		odd.git("", "init", "-q", "odd")
		odd.write("odd/\u00e9 \u2603/-dash/--x.txt", "x")
		odd.write("odd/run.sh", "#!/bin/sh\n")
		odd.write("odd/empty", "")
		odd.git("odd", "add", "-A")
		link := odd.git("odd", "hash-object", "-w", "empty")
		odd.git("odd", "update-index", "--add", "--chmod=+x", "run.sh")
		odd.git("odd", "update-index", "--add", "--cacheinfo", "120000,"+link+",link")
		odd.git("odd", "update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("5", 40)+",elsewhere")
		odd.git("odd", "commit", "-qm", "odd")
		odd.git("odd", "push", "-q", odd.url, "HEAD:main")
		odd.clone("back", "--no-checkout")
		odd.git("back", "fsck", "--strict")
		if got, want := odd.git("back", "ls-tree", "-r", "HEAD"), odd.git("odd", "ls-tree", "-r", "HEAD"); got != want {
			w.t.Errorf("tree: got\n%s\nwant\n%s", got, want)
		}
	}},
	{name: "push of tags of anything", run: func(w *world) {
		w.git("full", "tag", "-a", "to-tree", "-m", "x", "main^{tree}")
		w.git("full", "tag", "-a", "to-blob", "-m", "x", "main:top.txt")
		w.git("full", "tag", "-a", "to-tag", "-m", "x", "v6")
		w.git("full", "tag", "plain-blob", "main:top.txt")
		w.git("full", "push", "-q", "origin", "to-tree", "to-blob", "to-tag", "plain-blob")
		w.clone("tags")
		w.git("tags", "fsck", "--strict")
		for _, tag := range []string{"to-tree", "to-blob", "to-tag", "plain-blob"} {
			if got, want := w.git("tags", "rev-parse", tag), w.git("full", "rev-parse", tag); got != want {
				w.t.Errorf("tag %s: got %s, want %s", tag, got, want)
			}
		}
		w.git("full", "push", "-q", "origin", ":to-tree", ":to-blob", ":to-tag", ":plain-blob")
	}},
	{name: "push of unrelated histories", run: func(w *world) {
		w.git("full", "checkout", "-q", "--orphan", "root")
		w.git("full", "rm", "-rqf", ".")
		root := w.commit("full", "root.txt")
		w.git("full", "push", "-q", "origin", "root")
		w.git("full", "checkout", "-q", "main")
		octopus := w.git("full", "commit-tree", "main^{tree}", "-p", "main", "-p", "root", "-p", "side", "-m", "octopus")
		w.git("full", "push", "-q", "--force", "origin", octopus+":refs/heads/root")
		w.clone("octopus", "--single-branch", "--branch", "root")
		w.git("octopus", "merge-base", "--is-ancestor", root, "HEAD")
	}},
	{name: "push by several at once", run: func(w *world) {
		const clients = 6
		tip := w.git("full", "rev-parse", "main")
		var group sync.WaitGroup
		failures := make([]string, clients)
		for i := range clients {
			group.Go(func() {
				_, stderr, err := w.run("full", "push", "-q", "origin", fmt.Sprintf("main:refs/heads/at-once/%d", i), "main~1:refs/heads/same")
				if err != nil {
					failures[i] = stderr
				}
			})
		}
		group.Wait()
		// All push the same to one branch and something else to another; the store moves all of a push or nothing.
		for i, failure := range failures {
			want := tip
			if failure != "" {
				want = ""
			}
			w.wantRef(fmt.Sprintf("refs/heads/at-once/%d", i), want)
		}
		w.wantRef("refs/heads/same", w.git("full", "rev-parse", "main~1"))
		if !slices.Contains(failures, "") {
			w.t.Errorf("pushes: got none that succeeds: %v", failures)
		}
	}},
}

// packed returns a pack of what some revisions reach and others do not.
func (w *world) packed(dir string, options []string, revisions ...string) []byte {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), "git", append([]string{"pack-objects", "--stdout", "--revs", "-q"}, options...)...)
	c.Dir = filepath.Join(w.dir, dir)
	c.Stdin = strings.NewReader(strings.Join(revisions, "\n") + "\n")
	pack, err := c.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	return pack
}

// indexes reports whether a pack holds the base of each of its deltas.
func (w *world) indexes(pack []byte) bool {
	w.t.Helper()
	dir := w.t.TempDir()
	if _, stderr, err := runGit(w.t, dir, "init", "-q"); err != nil {
		w.t.Fatal(stderr)
	}
	c := gitCommand(w.t, dir, "index-pack", "--stdin")
	c.Stdin = strings.NewReader(string(pack))
	return c.Run() == nil
}
