//go:build unix

package main

import (
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// Two processes that both sync, and know of each other by an announcement alone: what either is given, git data and all, the other
// serves; also what either was given while the other was dead by kill -9, and while it stood still (G02-EV-01, G02-EV-02, G02-EV-06).
func TestTwoServersSyncWithEachOther(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	work := t.TempDir()
	flags := func(more ...string) []string {
		return append([]string{
			"--data", t.TempDir(), "--log-level", "error", "--sync", "--sync-private", "--hunt-private", "--hunt-delay", "1s", "--sync-window", "1s",
			"--sync-backoff", "1s", "--sync-backoff-max", "2s", "--sync-probe", "1s", "--sync-answer-wait", "1s",
		}, more...)
	}
	ones, twos := flags(), flags()
	one, two := spawn(t, ones...), spawn(t, twos...)
	address := strings.TrimPrefix(two.url, "http://")

	owner, stranger := client.NewKey("pair", "owner"), client.NewKey("pair", "stranger")
	at := int64(1_760_000_000)
	path, coordinate := "/"+owner.Npub+"/demo.git", client.RepoAddress(owner.Pubkey, "demo")
	r1, r2 := talk(t, &one.serving), talk(t, &two.serving)
	announcement := client.Announce(owner, client.AnnounceOpts{
		Identifier: "demo", Clone: []string{one.url + path, two.url + path},
		Relays: []string{strings.Replace(one.url, "http", "ws", 1), strings.Replace(two.url, "http", "ws", 1)}, CreatedAt: at,
	})
	publish(t, r1, announcement)
	publish(t, r2, announcement) // else the second would know of nobody; all that follows is given to one of them
	mustGit(t, work, "init", "--quiet", "--initial-branch=main")
	tip := ""
	// push gives a server a state and its commit.
	push := func(p *process, r *client.Relay) *nostr.Event {
		t.Helper()
		mustGit(t, work, "commit", "--quiet", "--allow-empty", "--message", "more")
		tip = mustGit(t, work, "rev-parse", "HEAD")
		at++
		state := client.StateEvent(owner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", at)
		publish(t, r, state)
		mustGit(t, work, "push", "--quiet", p.url+path, "main")
		return state
	}
	// serves waits until a server serves events, and the newest commit.
	serves := func(what string, p *process, r *client.Relay, events ...*nostr.Event) {
		t.Helper()
		var list []string
		for _, ev := range events {
			list = append(list, ev.ID)
		}
		await(t, what, func() bool {
			out, err := exec.CommandContext(t.Context(), "git", "-C", work, "ls-remote", p.url+path, "refs/heads/main").Output()
			return err == nil && strings.HasPrefix(string(out), tip) && len(servedOf(t, r, list)) == len(list)
		})
	}
	issue := func(r *client.Relay) *nostr.Event {
		t.Helper()
		at++
		ev := client.Issue(stranger, coordinate, "an issue", "", at)
		publish(t, r, ev)
		return ev
	}

	serves("what the first was given", two, r2, push(one, r1), issue(r1))
	serves("what the second was given", one, r1, push(two, r2), issue(r2))

	two.signal(t, syscall.SIGKILL)
	missed := []*nostr.Event{push(one, r1), issue(r1)}
	two = spawn(t, append(twos, "--addr", address)...)
	r2 = talk(t, &two.serving)
	serves("what the first was given while the second was dead", two, r2, missed...)

	if err := two.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	missed = []*nostr.Event{push(one, r1), issue(r1)}
	if err := two.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	serves("what the first was given while the second stood still", two, r2, missed...)
	serves("what the second was given after that", one, r1, push(two, r2), issue(r2))
	for _, p := range []*process{one, two} {
		if status := p.signal(t, syscall.SIGTERM); status != "exit status 0" {
			t.Errorf("orderly end: got %s; stderr %s", status, p.stderr.String())
		}
	}
}
