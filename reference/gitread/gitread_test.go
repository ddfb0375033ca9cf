package gitread_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/repo"
)

// git runs git in a repository and returns what it writes.
func git(tb testing.TB, dir, input string, args ...string) string {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(input)
	cmd.Env = append(cmd.Environ(),
		"HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
	)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("git %s: %v\n%s", args[0], err, problems.Bytes())
	}
	return strings.TrimSuffix(string(out), "\n")
}

// repository makes a bare repository of n commits on main, in files of their own.
func repository(tb testing.TB, n int) (path string) {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		tb.Skipf("no git on this machine: %v", err)
	}
	path = tb.TempDir()
	git(tb, path, "", "init", "-q", "--bare", "--initial-branch=main")
	grow(tb, path, n)
	return path
}

// grow adds n commits to main.
func grow(tb testing.TB, path string, n int) {
	tb.Helper()
	var stream strings.Builder
	for i := range n {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter a <a@example.com> %d +0000\ndata 1\nx\n", 1_600_000_000+i)
		if i == 0 && len(refsOf(tb, path)) > 0 {
			stream.WriteString("from refs/heads/main^0\n")
		}
		text := fmt.Sprintf("%s %d", tb.Name(), i+n*1000)
		fmt.Fprintf(&stream, "M 100644 inline f%d\ndata %d\n%s\n", i, len(text), text)
	}
	git(tb, path, stream.String(), "-c", "fastimport.unpackLimit=100000", "fast-import", "--quiet")
}

func refsOf(tb testing.TB, path string) []repo.Ref {
	tb.Helper()
	t, err := gitread.Refs(path)
	if err != nil {
		tb.Fatal(err)
	}
	return t.Refs.Refs
}

// What is read from the files is what git says, however git has packed it.
func TestAgreesWithGit(t *testing.T) {
	path := repository(t, 40)
	git(t, path, "", "tag", "-a", "-m", "x", "v1", "main~3")
	for _, packing := range [][]string{
		{"version"},
		{"repack", "-dq"},
		{"pack-refs", "--all"},
		{"tag", "v2", "main~2"},
		{"repack", "-adq", "--write-bitmap-index"},
		{"pack-refs"},
		{"-c", "pack.indexVersion=1", "repack", "-adFq"},
		{"branch", "-D", "-q", "side/way"},
	} {
		t.Run(strings.Join(packing, " "), func(t *testing.T) {
			git(t, path, "", "branch", "-f", "side/way", "main~1")
			git(t, path, "", packing...)
			grow(t, path, 3)
			sameRefs(t, path)
			sameObjects(t, path)
		})
	}
}

func sameRefs(t *testing.T, path string) {
	t.Helper()
	var want []repo.Ref
	for line := range strings.Lines(git(t, path, "", "for-each-ref", "--format=%(objectname) %(refname)")) {
		oid, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		want = append(want, repo.Ref{Name: name, OID: repo.OID(oid)})
	}
	if diff := cmp.Diff(want, refsOf(t, path)); diff != "" {
		t.Errorf("refs (-git +read):\n%s", diff)
	}
}

// sameObjects asks for every object, for what is next to each, and for what is no object.
func sameObjects(t *testing.T, path string) {
	t.Helper()
	all := strings.Fields(git(t, path, "", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
	if len(all) < 100 {
		t.Fatalf("objects: got %d, want at least 100", len(all))
	}
	oids := []repo.OID{"", "main", repo.OID(strings.Repeat("0", 64)), repo.ZeroOID, repo.OID(strings.Repeat("f", 40))}
	want := slices.Clone(oids)
	for _, oid := range all {
		last := "0"
		if oid[39] == '0' {
			last = "1"
		}
		oids = append(oids, repo.OID(oid), repo.OID(oid[:39]+last))
		want = append(want, repo.OID(oid[:39]+last))
	}
	got, err := gitread.Missing(path, oids)
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("missing (-want +got): %v\n%s", err, diff)
	}
}

// An object in a file of its own says what it is, as git says it; one in a pack does not, nor does a broken file.
func TestKind(t *testing.T) {
	path := repository(t, 30)
	git(t, path, "", "tag", "-a", "-m", "x", "v1", "main")
	all := strings.Fields(git(t, path, "", "cat-file", "--batch-all-objects", "--batch-check=%(objectname)"))
	seen := map[string]bool{}
	for _, loose := range []bool{true, false} {
		for _, oid := range all {
			want := ""
			if loose {
				want = git(t, path, "", "cat-file", "-t", oid)
				seen[want] = true
			}
			if got, err := gitread.Kind(path, repo.OID(oid)); err != nil || got != want {
				t.Errorf("%s, loose %v: got %q, %v, want %q", oid, loose, got, err, want)
			}
		}
		git(t, path, "", "repack", "-adq")
	}
	if len(seen) != 4 {
		t.Errorf("kinds: got %v, want all four", seen)
	}
	oid := repo.OID(strings.Repeat("1", 40))
	file := filepath.Join(path, "objects", "11", string(oid[2:]))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"", "commit 3", "x\x9c"} {
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := gitread.Kind(path, oid); err != nil || got != "" {
			t.Errorf("content %q: got %q, %v, want nothing", content, got, err)
		}
	}
}

// What a crash or somebody else has left is told apart from what is there.
func TestLeftoversAreNoObjects(t *testing.T) {
	path := repository(t, 1)
	tip := refsOf(t, path)[0].OID
	loose := filepath.Join(path, "objects", string(tip[:2]), string(tip[2:]))
	if err := os.Remove(loose); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(loose, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if missing, err := gitread.Missing(path, []repo.OID{tip}); err != nil || !slices.Equal(missing, []repo.OID{tip}) {
		t.Errorf("empty file: got %v, %v, want the object missing", missing, err)
	}
	index := filepath.Join(path, "objects", "pack", "pack-1.idx")
	for _, content := range []string{"", "\xfftOc\x00\x00\x00\x02", "\xfftOc\x00\x00\x00\x09" + strings.Repeat("\xff", 4000)} {
		if err := os.WriteFile(index, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if missing, err := gitread.Missing(path, []repo.OID{tip}); err != nil || len(missing) != 1 {
			t.Errorf("index without its pack: got %v, %v, want the object missing", missing, err)
		}
		pack := filepath.Join(path, "objects", "pack", "pack-1.pack")
		if err := os.WriteFile(pack, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if missing, err := gitread.Missing(path, []repo.OID{tip}); err == nil {
			t.Errorf("broken index %.12q: got %v, want an error", content, missing)
		}
		if err := os.Remove(pack); err != nil {
			t.Fatal(err)
		}
	}
}

// Looking oneself, and asking a process.
func BenchmarkLook(b *testing.B) {
	path := repository(b, 50)
	git(b, path, "", "repack", "-adq")
	oid := refsOf(b, path)[0].OID
	b.Run("refs/read", func(b *testing.B) {
		for b.Loop() {
			refsOf(b, path)
		}
	})
	b.Run("refs/git", func(b *testing.B) {
		for b.Loop() {
			git(b, path, "", "for-each-ref", "--format=%(objectname) %(refname)")
		}
	})
	b.Run("object/read", func(b *testing.B) {
		for b.Loop() {
			if missing, err := gitread.Missing(path, []repo.OID{oid}); err != nil || len(missing) > 0 {
				b.Fatal(missing, err)
			}
		}
	})
	b.Run("object/git", func(b *testing.B) {
		for b.Loop() {
			git(b, path, string(oid)+"\n", "cat-file", "--batch-check=%(objectname)")
		}
	})
}
