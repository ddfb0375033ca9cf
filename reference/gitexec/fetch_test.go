package gitexec_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

var fetchMatrix = []check{
	{name: "fetch speaks the version", run: func(w *world) {
		trace := w.traced("", "ls-remote", w.url)
		for _, version := range []string{"1", "2"} {
			if got, want := strings.Contains(trace, "< version "+version), w.version == version; got != want {
				w.t.Errorf("version %s spoken: got %t, want %t", version, got, want)
			}
		}
	}},
	{name: "clone of an unborn branch", only: "2", since: "2.31", run: func(w *world) {
		empty := w.aside("unborn")
		if err := empty.backend.Update(empty.id, nil, "refs/heads/trunk"); err != nil {
			w.t.Fatal(err)
		}
		empty.clone("clone")
		if got := empty.git("clone", "symbolic-ref", "HEAD"); got != "refs/heads/trunk" {
			w.t.Errorf("HEAD of an empty clone: got %s, want refs/heads/trunk", got)
		}
	}},
	{name: "clone follows HEAD", run: func(w *world) {
		if err := w.backend.Update(w.id, nil, "refs/heads/side"); err != nil {
			w.t.Fatal(err)
		}
		w.clone("on-side")
		if got := w.git("on-side", "symbolic-ref", "HEAD"); got != "refs/heads/side" {
			w.t.Errorf("HEAD of a clone: got %s, want refs/heads/side", got)
		}
		if err := w.backend.Update(w.id, nil, "refs/heads/main"); err != nil {
			w.t.Fatal(err)
		}
		w.git("on-side", "remote", "set-head", "origin", "-a")
		if got := w.git("on-side", "symbolic-ref", "refs/remotes/origin/HEAD"); got != "refs/remotes/origin/main" {
			w.t.Errorf("HEAD of the remote: got %s, want main", got)
		}
	}},
	{name: "ls-remote patterns", run: func(w *world) {
		for pattern, want := range map[string][]string{
			"main": {"refs/heads/main"}, "refs/tags/v6*": {"refs/tags/v6", "refs/tags/v6^{}"}, "s?de": {"refs/heads/side"}, "none": nil,
		} {
			var got []string
			for line := range strings.Lines(w.git("", "ls-remote", w.url, pattern)) {
				got = append(got, strings.Fields(line)[1])
			}
			if !slices.Equal(got, want) {
				w.t.Errorf("ls-remote %s: got %v, want %v", pattern, got, want)
			}
		}
		if got := w.git("", "ls-remote", "--tags", "--refs", w.url); strings.Contains(got, "^{}") || strings.Contains(got, "heads") {
			w.t.Errorf("ls-remote --tags --refs: got %s", got)
		}
	}},
	{name: "clone of one branch or tag", run: func(w *world) {
		w.clone("one", "--single-branch", "--branch", "side", "--no-tags")
		if got := w.git("one", "for-each-ref", "--format=%(refname)"); got != "refs/heads/side\nrefs/remotes/origin/side" {
			w.t.Errorf("refs of a clone of one branch: got %s", got)
		}
		w.clone("tagged", "--branch", "v6", "--depth", "1")
		w.wantCount("tagged", "HEAD", 1)
	}},
	{name: "fetch promises blobs", run: func(w *world) {
		w.clone("lazy-blobs", "--no-checkout", "--filter=blob:none")
		blobs := w.wantPromised("lazy-blobs", "blob")
		w.git("lazy-blobs", "cat-file", "blob", "origin/main:top.txt")
		if got := len(w.promised("lazy-blobs")); got != blobs-1 {
			w.t.Errorf("promised objects after one was read: got %d, want %d", got, blobs-1)
		}
		w.git("lazy-blobs", "checkout", "-q", "main")
		w.git("lazy-blobs", "fsck")
	}},
	{name: "fetch promises trees", run: func(w *world) {
		w.clone("lazy-trees", "--no-checkout", "--filter=tree:0")
		w.wantObjects("lazy-trees", "blob", 0)
		if got, commits := len(w.promised("lazy-trees")), w.git("lazy-trees", "rev-list", "--all", "--count"); fmt.Sprint(got) == "0" || got > 20 {
			w.t.Errorf("promised trees: got %d for %s commits", got, commits)
		}
		w.git("lazy-trees", "log", "-1", "--stat", "origin/main~3")
		w.git("lazy-trees", "fsck")
	}},
	{name: "fetch into a partial shallow clone", run: func(w *world) {
		w.clone("partial", "--no-checkout", "--filter=blob:none", "--depth", "2")
		w.wantObjects("partial", "blob", 0)
		w.git("partial", "fetch", "-q", "--deepen", "3")
		w.wantObjects("partial", "blob", 0)
		w.git("partial", "fetch", "-q", "--unshallow")
		w.git("partial", "checkout", "-q", "main")
		w.wantCount("partial", "HEAD", mainCommits(w))
	}},
	{name: "fetch acknowledges in detail", only: "0", run: func(w *world) {
		w.behind("detail", 40)
		trace := w.traced("detail", "fetch", "origin", "main")
		if !strings.Contains(trace, "multi_ack_detailed") || !strings.Contains(trace, " common") {
			w.t.Errorf("negotiation: got neither multi_ack_detailed nor a common commit in\n%s", trace)
		}
	}},
	{name: "fetch acknowledges in version 2", only: "2", run: func(w *world) {
		w.behind("sections", 40)
		if trace := w.traced("sections", "fetch", "origin", "main"); !strings.Contains(trace, "acknowledgments") || !strings.Contains(trace, "ready") {
			w.t.Errorf("negotiation: got no section of acknowledgments that ends ready in\n%s", trace)
		}
	}},
	{name: "fetch skips in its negotiation", run: func(w *world) {
		w.behind("skipping", 40)
		before := w.objects("skipping")
		w.git("skipping", "-c", "fetch.negotiationAlgorithm=skipping", "fetch", "-q", "origin", "main")
		if got := w.objects("skipping") - before; got != 3 {
			w.t.Errorf("objects fetched: got %d, want 3", got)
		}
	}},
	{name: "fetch compresses its request", run: func(w *world) {
		w.behind("gzip", 120)
		w.bodies()
		w.git("gzip", "fetch", "-q", "origin", "main")
		if got := w.bodies(); !slices.Contains(got, "git-upload-pack gzip") {
			w.t.Errorf("bodies: got %v, want one with gzip", got)
		}
	}},
	// In version 2 the client never sends less than 64 KiB in chunks.
	{name: "fetch sends its request in chunks", only: "0", run: func(w *world) {
		w.behind("chunks", 40)
		w.bodies()
		w.git("chunks", "-c", "http.postBuffer=300", "fetch", "-q", "origin", "main")
		if got := w.bodies(); !slices.ContainsFunc(got, func(s string) bool { return strings.HasSuffix(s, "chunked") }) {
			w.t.Errorf("bodies: got %v, want one in chunks", got)
		}
	}},
	{name: "fetch prunes", run: func(w *world) {
		w.git("full", "push", "-q", "origin", "main:refs/heads/gone")
		w.clone("prune")
		w.git("full", "push", "-q", "origin", ":refs/heads/gone")
		w.git("prune", "fetch", "-q", "--prune")
		if got := w.git("prune", "for-each-ref", "refs/remotes/origin/gone"); got != "" {
			w.t.Errorf("a pruned branch: got %s", got)
		}
	}},
	{name: "fetch brings tags along", run: func(w *world) {
		w.clone("follow")
		w.commit("full", "tagged.txt")
		w.git("full", "tag", "-a", "v8", "-m", "v8")
		w.git("full", "push", "-q", "origin", "HEAD:main", "v8")
		w.git("follow", "fetch", "-q")
		if got, want := w.git("follow", "rev-parse", "v8"), w.git("full", "rev-parse", "v8"); got != want {
			w.t.Errorf("tag that came along: got %s, want %s", got, want)
		}
	}},
	{name: "fetch by id, shallow", run: func(w *world) {
		w.git("", "init", "-q", "shallow-id")
		old := w.git("full", "rev-parse", "v6~2")
		w.git("shallow-id", "fetch", "-q", "--depth", "1", w.url, old)
		w.wantCount("shallow-id", "FETCH_HEAD", 1)
		tag := w.git("full", "rev-parse", "v6")
		w.git("shallow-id", "fetch", "-q", w.url, tag)
		w.git("shallow-id", "cat-file", "tag", tag)
	}},
	{name: "fetch again", since: "2.36", run: func(w *world) {
		w.clone("refetch", "--no-checkout", "--filter=blob:none")
		w.git("refetch", "config", "--unset", "remote.origin.partialclonefilter")
		w.git("refetch", "fetch", "-q", "--refetch", "--no-filter")
		if got := len(w.promised("refetch")); got != 0 {
			w.t.Errorf("promised objects after a fetch of all: got %d, want 0", got)
		}
	}},
}

// mainCommits is how many commits the main branch of the server has.
func mainCommits(w *world) int {
	w.t.Helper()
	n := 0
	w.git("full", "fetch", "-q", "origin")
	if _, err := fmt.Sscan(w.git("full", "rev-list", "--count", "origin/main"), &n); err != nil {
		w.t.Fatal(err)
	}
	return n
}

// behind makes a clone of the source that lacks the last commit of the server and has commits of its own.
func (w *world) behind(dir string, own int) {
	w.t.Helper()
	w.clone(dir)
	w.commit("full", "after-"+dir+".txt")
	w.git("full", "push", "-q", "origin", "HEAD:main")
	for range own {
		c := gitCommand(w.t, filepath.Join(w.dir, dir), "commit", "-q", "--allow-empty", "-m", "local")
		c.Env = append(c.Env, "GIT_COMMITTER_DATE=@4102444800 +0000") // later than what both have, so that they are told first
		if out, err := c.CombinedOutput(); err != nil {
			w.t.Fatalf("git commit: %v\n%s", err, out)
		}
	}
}

// promised lists the objects that a partial clone knows of and does not hold.
func (w *world) promised(dir string) []string {
	w.t.Helper()
	var missing []string
	for line := range strings.Lines(w.git(dir, "rev-list", "--objects", "--all", "--missing=print")) {
		if oid, ok := strings.CutPrefix(strings.TrimSpace(line), "?"); ok {
			missing = append(missing, oid)
		}
	}
	return missing
}

// wantPromised checks that a partial clone lacks exactly the objects of a type, and returns how many they are.
func (w *world) wantPromised(dir, objectType string) int {
	w.t.Helper()
	missing, whole := w.promised(dir), "whole-"+dir
	w.clone(whole)
	want := strings.Fields(w.git(whole, "rev-list", "--objects", "--no-object-names", "--filter=object:type="+objectType,
		"--filter-provided-objects", "--all"))
	slices.Sort(missing)
	slices.Sort(want)
	if !slices.Equal(missing, want) || len(want) == 0 {
		w.t.Errorf("promised objects: got %d, want the %d of type %s", len(missing), len(want), objectType)
	}
	return len(missing)
}
