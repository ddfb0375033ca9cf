package gitexec_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

var loadMatrix = []check{
	{name: "thousand refs", heavy: true, run: func(w *world) {
		const refs = 1000
		many := w.aside("many")
		many.git("", "clone", "-q", w.source, "many")
		tip, old := many.git("many", "rev-parse", "main"), many.git("many", "rev-parse", "main~3")
		specs := make([]string, 0, refs)
		for i := range refs {
			rev, kind := tip, "heads"
			if i%2 == 1 {
				rev, kind = old, "tags"
			}
			specs = append(specs, fmt.Sprintf("%s:refs/%s/some/name-that-is-not-short/%04d", rev, kind, i))
		}
		many.git("many", append([]string{"push", "-q", many.url}, specs...)...)
		many.wantRefCount(refs)
		many.clone("mirrored", "--mirror")
		if got := strings.Count(many.git("mirrored", "for-each-ref"), "\n") + 1; got != refs {
			w.t.Errorf("refs of a clone: got %d, want %d", got, refs)
		}
		for i := range specs {
			_, ref, _ := strings.Cut(specs[i], ":")
			specs[i] = ":" + ref
		}
		many.git("many", append([]string{"push", "-q", many.url}, specs[:refs-1]...)...)
		many.wantRefCount(1)
	}},
	{name: "one large file", heavy: true, only: "2", run: func(w *world) {
		large := w.aside("large")
		large.git("", "init", "-q", "large")
		large.write("large/zeros.bin", strings.Repeat("\x00", 30<<20))
		large.write("large/noise.bin", string(noise(3, 8<<20)))
		tip := large.commit("large", "x.txt")
		large.git("large", "push", "-q", large.url, "HEAD:main")
		large.wantRef("refs/heads/main", tip)
		large.clone("back")
		large.git("back", "fsck", "--strict")
		large.sameFile("large/noise.bin", "back/noise.bin")
		large.sameFile("large/zeros.bin", "back/zeros.bin")
	}},
	{name: "fifty megabytes", heavy: true, only: "2", run: func(w *world) {
		large := w.aside("fifty")
		large.git("", "init", "-q", "fifty")
		for i := range 50 {
			large.write(fmt.Sprintf("fifty/%02d.bin", i), string(noise(uint64(100+i), 1<<20)))
		}
		tip := large.commit("fifty", "x.txt")
		large.git("fifty", "push", "-q", large.url, "HEAD:main")
		large.wantRef("refs/heads/main", tip)
		large.clone("back")
		large.git("back", "fsck", "--strict")
		large.sameFile("fifty/49.bin", "back/49.bin")
	}},
}

// noise returns n bytes that do not compress, the same for the same seed.
func noise(seed uint64, n int) []byte {
	var key [32]byte
	for i := range key {
		key[i] = byte(seed >> (i % 8 * 8))
	}
	b := make([]byte, n)
	_, _ = rand.NewChaCha8(key).Read(b)
	return b
}

func (w *world) wantRefCount(want int) {
	w.t.Helper()
	got := 0
	for range strings.Lines(w.git("", "ls-remote", "--refs", w.url)) {
		got++
	}
	if got != want {
		w.t.Errorf("refs: got %d, want %d", got, want)
	}
}

func (w *world) sameFile(one, other string) {
	w.t.Helper()
	var sums [2][32]byte
	for i, name := range []string{one, other} {
		content, err := os.ReadFile(filepath.Join(w.dir, name))
		if err != nil {
			w.t.Fatal(err)
		}
		sums[i] = sha256.Sum256(content)
	}
	if sums[0] != sums[1] {
		w.t.Errorf("%s: got another content than %s", other, one)
	}
}

// pkt frames one line.
func pkt(line string) string { return fmt.Sprintf("%04x%s", len(line)+4, line) }

func unhex(w *world, oid string) []byte {
	w.t.Helper()
	b, err := hex.DecodeString(oid)
	if err != nil {
		w.t.Fatal(err)
	}
	return b
}
