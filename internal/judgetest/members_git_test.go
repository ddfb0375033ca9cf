package judgetest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/gitclient"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/servetarget"
	"github.com/graspkit/graspkit/reference/core"
)

// membersGit are the checks of private services that need sockets: those with stock git, and that of the waits.
const membersGit = "@G08-05.git or @G08-05.git-push or @G08-06.git or @G08-06.time or @G08-02.time or @G08-03.time"

// judgeMembersGit judges a private reference on sockets by them.
func judgeMembersGit(t *testing.T, d defect.Defect) map[string]suite.CheckResult {
	t.Helper()
	if _, err := gitclient.Find(t.Context()); err != nil {
		t.Skip(err)
	}
	return judgeMembersGitOn(t, servedPrivately(t, d))
}

func servedPrivately(t *testing.T, d defect.Defect) target.Target {
	t.Helper()
	return served(t, servetarget.Options{Backend: servetarget.BackendMemory, Core: core.Config{Private: core.PrivateConfig{On: true}}, Defect: d})
}

func judgeMembersGitOn(t *testing.T, on target.Target) map[string]suite.CheckResult {
	t.Helper()
	got := map[string]suite.CheckResult{}
	for _, c := range judge(t, on, suite.Config{Tags: membersGit, Clock: time.Now}).Checks {
		got[c.Check.ID] = c
	}
	return got
}

// slowly is how much longer a server takes where a repository is that tells by its waits which one is here.
const slowly = 20 * time.Millisecond

// A lingerer is a relay that takes longer for a question about what is here.
type lingerer struct {
	target.Target
	target.Membered
}

// Dial implements target.Target.
func (l lingerer) Dial(ctx context.Context) (target.Conn, error) {
	conn, err := l.Target.Dial(ctx)
	return lingering{conn}, err
}

type lingering struct{ target.Conn }

// Send implements target.Conn.
func (l lingering) Send(ctx context.Context, msg []byte) error {
	if bytes.Contains(msg, []byte(`"turn-`)) && !bytes.Contains(msg, []byte("missing")) {
		select {
		case <-time.After(slowly):
		case <-ctx.Done():
		}
	}
	return l.Conn.Send(ctx, msg)
}

// A relay that takes longer for questions about what is here is found out by its waits.
func TestMembersRelayMistakeIsSeen(t *testing.T) {
	on := servedPrivately(t, defect.Defect{})
	members, _ := on.(target.Membered)
	for id, c := range judgeMembersGitOn(t, lingerer{on, members}) {
		f := c.Findings[0]
		late, judged := f.Verdict == suite.Observed && f.Reason != "", strings.HasPrefix(id, "G08-02.time") || strings.HasPrefix(id, "G08-03.time")
		if judged && !late && c.Verdict != suite.Inconclusive {
			t.Errorf("%s: got %s %q, want it seen", id, c.Verdict, f.Reason)
		}
	}
}

// Stock git works for members and for nobody else, the waits of refusals are alike, and no token is in what is told of the run.
func TestMembersWorkWithStockGit(t *testing.T) {
	for id, c := range judgeMembersGit(t, defect.Defect{}) {
		noisy := c.Verdict == suite.Inconclusive && strings.Contains(id, ".time") // who else works on this machine is not ours to say
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
	slow := func(endpoint string) defect.Defect {
		return defect.Defect{Private: true, Front: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, endpoint) && !strings.Contains(r.URL.Path, "missing") {
					select {
					case <-time.After(slowly):
					case <-r.Context().Done():
					}
				}
				next.ServeHTTP(w, r)
			})
		}}
	}
	for name, test := range map[string]struct {
		mistake defect.Defect
		checks  []string
	}{
		"reads":        {open("git-upload-pack"), []string{"G08-05.git.v0", "G08-05.git.v2", "G08-06.git"}},
		"takes":        {open("git-receive-pack"), []string{"G08-05.git-push"}},
		"lists longer": {slow("/info/refs"), []string{"G08-06.time.fetch-advert", "G08-06.time.push-advert"}},
		"takes longer": {slow("/git-receive-pack"), []string{"G08-06.time.push"}},
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "takes" {
				t.Skip("to the race detector they are alike: -short judges one")
			}
			for id, c := range judgeMembersGit(t, test.mistake) {
				f := c.Findings[0]
				seen := f.Verdict == suite.Observed && f.Reason != ""
				unclear := strings.Contains(id, ".time") && c.Verdict == suite.Inconclusive
				if want := slices.Contains(test.checks, id); want && !seen && !unclear {
					t.Errorf("%s: got %s %q, want it seen", id, f.Verdict, f.Reason)
				}
			}
		})
	}
}
