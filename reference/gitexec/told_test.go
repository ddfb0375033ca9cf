package gitexec_test

import (
	"strings"
	"testing"
)

// What git finds wrong with an object is told to who has pushed it, on the terminal and in the report, whether git keeps the
// pack or unpacks it; no folder of the server is in it (G01-PUSH-21).
func TestFsckIsTold(t *testing.T) {
	dir := t.TempDir()
	w := newWorld(t, open(t, dir), "2", "")
	w.git("", "init", "-q", "full")
	w.commit("full", "top.txt")
	inner := w.git("full", "rev-parse", "main^{tree}")
	tree := w.literal("tree", "40000 .git\x00"+string(unhex(w, inner)))
	for _, test := range []struct {
		name string
		more int // commits before it
	}{{"loose", 0}, {"kept", 30}} {
		for range test.more {
			w.git("full", "commit", "-q", "--allow-empty", "-m", "more")
		}
		parent := w.git("full", "rev-parse", "main")
		commit := w.literal("commit", "tree "+tree+"\nparent "+parent+"\nauthor a <a@a> 1 +0000\ncommitter a <a@a> 1 +0000\n\n"+test.name)
		got := w.fails("full", "push", w.url, commit+":refs/heads/"+test.name)
		want := tree + ": hasDotgit: contains '.git'"
		if !strings.Contains(got, "remote: object "+want) || !strings.Contains(got, "remote unpack failed: object "+want) {
			t.Errorf("%s: got %s\nwant %q on the terminal and in the report", test.name, got, want)
		}
		if strings.Contains(got, dir) {
			t.Errorf("%s: got a path in %s", test.name, got)
		}
	}
}
