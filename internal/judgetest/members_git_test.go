package judgetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/gitclient"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// membersGit are the checks of private services that need sockets: those with stock git, and that of the waits.
const membersGit = "@G08-05.git or @G08-05.git-push or @G08-06.git or @G08-06.time"

// judgeMembersGit judges a private reference on sockets by them.
func judgeMembersGit(t *testing.T, d defect.Defect) map[string]suite.CheckResult {
	t.Helper()
	if _, err := gitclient.Find(t.Context()); err != nil {
		t.Skip(err)
	}
	opts := servetarget.Options{Backend: servetarget.BackendMemory, Core: core.Config{Private: core.PrivateConfig{On: true}}, Defect: d}
	got := map[string]suite.CheckResult{}
	for _, c := range judge(t, served(t, opts), suite.Config{Tags: membersGit, Clock: time.Now}).Checks {
		got[c.Check.ID] = c
	}
	return got
}

// Stock git works for members and for nobody else, the waits of refusals are alike, and no token is in what is told of the run.
func TestMembersWorkWithStockGit(t *testing.T) {
	for id, c := range judgeMembersGit(t, defect.Defect{}) {
		noisy := c.Verdict == suite.Inconclusive && id == "G08-06.time" // who else works on this machine is not ours to say
		if f := c.Findings[0]; !noisy && (f.Verdict != suite.Observed || f.Reason != "") {
			t.Errorf("%s: got %s %s", id, f.Verdict, f.Reason)
		}
		for _, line := range c.Transcript {
			if text := fmt.Sprint(line.Head, line.Header, string(line.Bytes)); strings.Contains(text, "Nostr ey") || strings.Contains(text, "Authorization: Nostr") {
				t.Errorf("%s: a token is in the transcript: %.200s", id, text)
			}
		}
	}
}

// A private service that reads or takes from whoever comes is found out by stock git too, and one that takes longer where there is
// something by its waits.
func TestMembersGitMistakesAreSeen(t *testing.T) {
	open := func(service string) defect.Defect {
		return defect.Defect{Private: true, Answer: defect.OpenTo(service)}
	}
	slow := defect.Defect{Private: true, Front: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.URL.Path, ".git/info/refs") && !strings.Contains(r.URL.Path, "missing") {
				select {
				case <-time.After(20 * time.Millisecond):
				case <-r.Context().Done():
				}
			}
			next.ServeHTTP(w, r)
		})
	}}
	for name, test := range map[string]struct {
		mistake defect.Defect
		checks  []string
	}{
		"reads":        {open("git-upload-pack"), []string{"G08-05.git.v0", "G08-05.git.v2", "G08-06.git"}},
		"takes":        {open("git-receive-pack"), []string{"G08-05.git-push"}},
		"takes longer": {slow, []string{"G08-06.time"}},
	} {
		t.Run(name, func(t *testing.T) {
			for id, c := range judgeMembersGit(t, test.mistake) {
				f := c.Findings[0]
				seen := f.Verdict == suite.Observed && f.Reason != ""
				unclear := id == "G08-06.time" && c.Verdict == suite.Inconclusive
				if want := slices.Contains(test.checks, id); want && !seen && !unclear {
					t.Errorf("%s: got %s %q, want it seen", id, f.Verdict, f.Reason)
				}
			}
		})
	}
}
