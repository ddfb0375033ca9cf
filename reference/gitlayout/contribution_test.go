package gitlayout_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/repo"
)

// Places for contributions lie apart from repositories of the same name, are found again, and leave nothing when they go.
func TestContributionsLieApart(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	place := repo.Contribution(testID.Owner, testID.Identifier)
	long := repo.Contribution(testID.Owner, strings.Repeat("\u00e9", 100))
	for _, id := range []repo.ID{testID, place, long} {
		if err := l.Create(id); err != nil {
			t.Fatal(err)
		}
	}
	path, err := l.Open(place)
	if err != nil || path != filepath.Join(dir, "prs", testID.Owner.Npub(), "r%20%C3%A9.git") {
		t.Errorf("got %s, %v", path, err)
	}
	got, err := l.Repositories()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]repo.ID{place, long, testID}, got); diff != "" {
		t.Errorf("repositories (-want +got):\n%s", diff)
	}
	for _, id := range []repo.ID{place, long} {
		if err := l.Remove(id); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "prs")); !os.IsNotExist(err) {
		t.Errorf("an empty folder is left: %v", err)
	}
	if _, err := l.Open(testID); err != nil {
		t.Errorf("the repository of the same name: %v", err)
	}
	if _, err := l.Open(repo.Contribution(testID.Owner, "../x")); err == nil {
		t.Error("a path that leaves the folder was opened")
	}
}

// What is contributed has bounds of its own, of one signer and of all, and takes nothing from repositories; nor they from it.
func TestContributionsHaveTheirOwnQuota(t *testing.T) {
	for _, name := range []string{"git", "prs"} {
		dir := filepath.Join(t.TempDir(), name)
		quota := gitlayout.Quota{Total: 1 << 20, Contributions: 900 << 10, Signer: 600 << 10}
		l, err := gitlayout.New(dir, gitlayout.Options{Sync: gitlayout.Unsynced{}, Quota: quota})
		if err != nil {
			t.Fatal(err)
		}
		other := repo.PubKey("c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")
		hosted, one, two, third := testID, repo.Contribution(testID.Owner, "one"), repo.Contribution(testID.Owner, "two"), repo.Contribution(other, "one")
		paths := map[repo.ID]string{}
		for _, id := range []repo.ID{hosted, one, two, third} {
			if err := l.Create(id); err != nil {
				t.Fatal(err)
			}
			if paths[id], err = l.Open(id); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Recover(gitlayout.Sweep); err != nil {
			t.Fatal(err)
		}
		reserve := func(id repo.ID, bytes int64, want string) {
			t.Helper()
			got, err := l.Reserve(paths[id], bytes, 0)
			if err != nil || (got == "") != (want == "") || !strings.Contains(got, want) {
				t.Errorf("%s: got %q, %v, want %q", id.Path(), got, err, want)
			}
		}
		reserve(one, 300<<10, "")
		reserve(two, 300<<10, "the pull requests of this signer")
		reserve(two, 100<<10, "")
		reserve(third, 500<<10, "all pull requests below /prs/")
		reserve(third, 200<<10, "")
		reserve(hosted, 900<<10, "")
		reserve(hosted, 900<<10, "") // nothing has come of the first one: the disk is looked at
		l.Release(paths[one], 300<<10, 0)
		reserve(two, 300<<10, "")
		if err := l.Remove(two); err != nil {
			t.Fatal(err)
		}
		reserve(third, 300<<10, "")
	}
}
