package main

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// Two processes, of which one replicates from the other: what one was given the other serves, git data and all; also what came
// while it was dead by kill -9 (G02-EV-01, G02-EV-02, G02-EV-06).
func TestTwoServersHealEachOther(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	data, work := t.TempDir(), t.TempDir()
	const called = "http://copy.test"
	one := spawn(t, "--memory")
	relayURL := strings.Replace(one.url, "http", "ws", 1)
	args := []string{"--data", data, "--url", called, "--sync", "--sync-private", "--sync-window", "1s", "--hunt-private", "--bootstrap", relayURL}
	two := spawn(t, args...)

	owner := client.NewKey("sync", "owner")
	const at = 1_760_000_000
	path := "/" + owner.Npub + "/demo.git"
	announcement := client.Announce(owner, client.AnnounceOpts{
		Identifier: "demo", Clone: []string{one.url + path, called + path}, Relays: []string{relayURL, "ws://copy.test"}, CreatedAt: at,
	})
	r := talk(t, &one.serving)
	publish(t, r, announcement)
	mustGit(t, work, "init", "--quiet", "--initial-branch=main")
	mustGit(t, work, "commit", "--quiet", "--allow-empty", "--message", "first")
	tip := mustGit(t, work, "rev-parse", "HEAD")
	publish(t, r, client.StateEvent(owner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", at+1))
	mustGit(t, work, "push", "--quiet", one.url+path, "main")

	copied := talk(t, &two.serving)
	await(t, "announcement and state", func() bool { return len(strings.Fields(ids(t, copied))) == 2 })
	if refs := mustGit(t, work, "ls-remote", two.url+path); !strings.Contains(refs, tip) {
		t.Errorf("refs of the copy: got %q, want %s", refs, tip)
	}

	two.signal(t, syscall.SIGKILL)
	issue := client.Issue(owner, "30617:"+announcement.PubKey+":demo", "an issue", "", at+2)
	publish(t, r, issue)
	answer := client.Build(owner, 1111, [][]string{{"E", issue.ID}}, "an answer", at+3)
	publish(t, r, answer)
	two = spawn(t, args...)
	copied = talk(t, &two.serving)
	await(t, "what came while it was dead", func() bool {
		events, o := copied.Query(t.Context(), client.Filter{Kinds: []int{1621, 1111}})
		return o == nil && len(events) == 2
	})
	if status := two.signal(t, syscall.SIGTERM); status != "exit status 0" {
		t.Errorf("orderly end: got %s; stderr %s", status, two.stderr.String())
	}
}
