package gitproto_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// The same names are put to git itself in the tests of the store that runs it.
func TestCheckRefName(t *testing.T) {
	for _, name := range []string{
		"refs/heads/main", "refs/heads", "refs/heads/a/b", "refs/heads/a.b", "refs/heads/-a", "refs/heads/@", "a/b", "@/b",
		"refs/heads/\u00e9", "refs/heads/\xff", "refs/heads/a.locks", "refs/heads/{}", "refs/heads/\"q\"",
		"refs/" + strings.Repeat("a", repo.RefNameMax-5),
	} {
		if !gitproto.CheckRefName(name) {
			t.Errorf("CheckRefName(%q): got false, want true", name)
		}
	}
	for _, name := range []string{
		"", "HEAD", "@", "/", "refs//heads", "/refs/heads/a", "refs/heads/", "refs/heads/.a", "refs/.a/b", "refs/heads/a.",
		"refs/heads/a..b", "refs/heads/a.lock", "refs/a.lock/b", "refs/heads/a b", "refs/heads/a\x00", "refs/heads/a\n",
		"refs/heads/a\x7f", "refs/heads/a~1", "refs/heads/a^", "refs/heads/a:b", "refs/heads/a?", "refs/heads/*",
		"refs/heads/[a", "refs/heads/a\\b", "refs/heads/a@{1}", "refs/" + strings.Repeat("a", repo.RefNameMax-4),
	} {
		if gitproto.CheckRefName(name) {
			t.Errorf("CheckRefName(%q): got true, want false", name)
		}
	}
}
