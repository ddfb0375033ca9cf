package gitexec_test

import (
	"path/filepath"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

var refusalMatrix = []check{
	{name: "push of another object format", since: "2.29", run: func(w *world) {
		w.git("", "init", "-q", "--object-format=sha256", "long")
		w.commit("long", "long.txt")
		got := w.fails("long", "push", w.url, "HEAD:refs/heads/long")
		if !strings.Contains(got, "object format") && !strings.Contains(got, "algorithm") {
			w.t.Errorf("push of SHA-256 objects: got %q, want words about the format", got)
		}
		w.wantRef("refs/heads/long", "")
		w.git("", "ls-remote", w.url)
	}},
	{name: "push of malformed trees", run: func(w *world) {
		blob := w.git("full", "rev-parse", "main:top.txt")
		tree := w.git("full", "rev-parse", "main^{tree}")
		entry := func(mode, name, oid string) string {
			return mode + " " + name + "\x00" + string(unhex(w, oid))
		}
		for name, content := range map[string]string{
			"dot git":     entry("40000", ".git", tree),
			"dot GIT":     entry("40000", ".GIT", tree),
			"parent":      entry("40000", "..", tree),
			"slash":       entry("100644", "a/b", blob),
			"no name":     entry("100644", "", blob),
			"twice":       entry("100644", "a", blob) + entry("100644", "a", blob),
			"unsorted":    entry("100644", "b", blob) + entry("100644", "a", blob),
			"wrong type":  entry("40000", "a", blob),
			"cut off":     entry("100644", "a", blob)[:15],
			"not a mode":  entry("wxyz", "a", blob),
			"other kinds": entry("100644", "a", tree),
		} {
			w.refusesTree(name, content)
		}
	}},
	{name: "push of malformed commits", run: func(w *world) {
		tree := w.git("full", "rev-parse", "main^{tree}")
		for name, content := range map[string]string{
			"no author":  "tree " + tree + "\ncommitter a <a@a> 1 +0000\n\nx",
			"no tree":    "author a <a@a> 1 +0000\ncommitter a <a@a> 1 +0000\n\nx",
			"short tree": "tree " + tree[:39] + "\nauthor a <a@a> 1 +0000\ncommitter a <a@a> 1 +0000\n\nx",
		} {
			oid := w.literal("commit", content)
			w.refusesObject(name, oid, oid)
		}
	}},
	{name: "push of a branch that is no commit", run: func(w *world) {
		if got := w.fails("full", "push", "origin", "v6^{tree}:refs/heads/tree"); !strings.Contains(got, "[remote rejected]") {
			w.t.Errorf("push of a tree to a branch: got %q, want a refusal", got)
		}
		w.wantRef("refs/heads/tree", "")
	}},
	{name: "push of names that git has not", run: func(w *world) {
		tip := repo.OID(w.git("full", "rev-parse", "main"))
		for _, ref := range []string{"HEAD", "main", "refs/heads/a..b", "refs/heads/a.lock", "refs/heads/.a", "refs/heads/a b", "refs/heads/@{u}", "config"} {
			answer := w.post("git-receive-pack", w.push(w.pack("full", "main", "^main"), gitproto.Command{Old: repo.ZeroOID, New: tip, Ref: ref}))
			if strings.Contains(answer, "ok "+ref) {
				w.t.Errorf("push to %q: got %q, want a refusal", ref, answer)
			}
		}
	}},
	{name: "fetch that stops is no harm", run: func(w *world) {
		tip := w.git("full", "rev-parse", "v6^{commit}")
		line := "want " + tip + " ofs-delta side-band-64k\n"
		for range 5 {
			w.post("git-upload-pack", []byte(pkt(line)))           // no flush
			w.post("git-upload-pack", []byte(pkt(line)+"0000"))    // no done
			w.post("git-upload-pack", []byte(pkt(line)+"0000zzz")) // no packet
		}
		w.clone("after-stops")
		w.git("after-stops", "fsck")
	}},
}

// refusesTree pushes a commit of a tree that is malformed, as a client that does not care would.
func (w *world) refusesTree(name, content string) {
	w.t.Helper()
	tree := w.literal("tree", content)
	commit := w.literal("commit", "tree "+tree+"\nauthor a <a@a> 1 +0000\ncommitter a <a@a> 1 +0000\n\n"+name)
	w.refusesObject(name, commit, commit, tree)
}

// refusesObject pushes a pack of objects of the folder "full", in which a new branch points to one.
func (w *world) refusesObject(name, tip string, oids ...string) {
	w.t.Helper()
	c := gitCommand(w.t, filepath.Join(w.dir, "full"), "pack-objects", "--stdout", "-q")
	c.Stdin = strings.NewReader(strings.Join(oids, "\n") + "\n")
	pack, err := c.Output()
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	answer := w.post("git-receive-pack", w.push(pack, gitproto.Command{Old: repo.ZeroOID, New: repo.OID(tip), Ref: "refs/heads/bad"}))
	if !strings.Contains(answer, "ng refs/heads/bad ") {
		w.t.Errorf("%s: got %q, want ng", name, answer)
	}
	w.wantRef("refs/heads/bad", "")
	w.wantMissing(tip)
}

// literal writes an object as it is, well-formed or not, and returns its id.
func (w *world) literal(objectType, content string) string {
	w.t.Helper()
	c := gitCommand(w.t, filepath.Join(w.dir, "full"), "hash-object", "-t", objectType, "--literally", "-w", "--stdin")
	c.Stdin = strings.NewReader(content)
	oid, err := c.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.TrimSpace(string(oid))
}
