package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// refused returns the text with which a server refuses an event.
func refused(t *testing.T, r *client.Relay, ev *nostr.Event) string {
	t.Helper()
	ok, is := r.Publish(t.Context(), ev).(client.OKFrame)
	if !is || ok.Accepted {
		t.Errorf("publish kind %d: got %v, want OK false", ev.Kind, ok)
	}
	return ok.Prefix + ": " + ok.Text
}

// A second server keeps what an owner has on the first one, from the announcement alone, and takes no push. Both die and come back
// (G05-01, G05-03, G05-04, G05-05).
func TestArchiveOfAnotherServer(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	for _, backend := range []string{backendExec, backendDisk} {
		t.Run(backend, func(t *testing.T) {
			mirror(t, backend)
		})
	}
}

func mirror(t *testing.T, backend string) {
	owner, stranger := client.NewKey("archive", "owner"), client.NewKey("archive", "stranger")
	kept, work := t.TempDir(), t.TempDir()
	one := spawn(t, "--data", kept, "--backend", backend)
	relayURL := strings.Replace(one.url, "http", "ws", 1)
	args := []string{
		"--data", t.TempDir(), "--backend", backend, "--url", "http://archive.test", "--archive", owner.Npub, "--archive-read-only",
		"--sync", "--sync-private", "--sync-window", "1s", "--hunt-private", "--sync-backoff", "1s",
	}
	two := spawn(t, args...)
	var document struct {
		Grasps   []string `json:"supported_grasps"`
		Criteria string   `json:"repo_acceptance_criteria"`
		Curation string   `json:"curation"`
	}
	two.document(t, &document)
	if !slices.Equal(document.Grasps, []string{"GRASP-01", "GRASP-02", "GRASP-05"}) || !strings.Contains(document.Criteria, owner.Npub) ||
		document.Curation != "Read-only sync of whitelisted repositories and maintainers" {
		t.Errorf("document: got %+v", document)
	}

	const at = 1_760_000_000
	path := "/" + owner.Npub + "/demo.git"
	announcement := client.Announce(owner, client.AnnounceOpts{
		Identifier: "demo", Clone: []string{one.url + path}, Relays: []string{relayURL}, CreatedAt: at,
	})
	r := talk(t, &one.serving)
	publish(t, r, announcement)
	mustGit(t, work, "init", "--quiet", "--initial-branch=main")
	commit := func(r *client.Relay, text string, at int64) string {
		mustGit(t, work, "commit", "--quiet", "--allow-empty", "--message", text)
		tip := mustGit(t, work, "rev-parse", "HEAD")
		publish(t, r, client.StateEvent(owner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", at))
		return tip
	}
	tip := commit(r, "first", at+1)
	mustGit(t, work, "push", "--quiet", one.url+path, "main")

	a := talk(t, &two.serving)
	publish(t, a, announcement)
	mirrored := func(what, tip string) {
		t.Helper()
		await(t, what, func() bool {
			refs, _, err := git(t, work, "ls-remote", two.url+path, "refs/heads/main")
			return err == nil && strings.HasPrefix(refs, tip)
		})
	}
	mirrored("the mirror", tip)
	await(t, "announcement and state", func() bool { return len(strings.Fields(ids(t, a))) == 2 })

	listing := func(key client.Key) *nostr.Event {
		return client.Announce(key, client.AnnounceOpts{
			Identifier: "demo", Clone: []string{"http://archive.test/" + key.Npub + "/demo.git"}, Relays: []string{"ws://archive.test"}, CreatedAt: at,
		})
	}
	if got := refused(t, a, listing(stranger)); !strings.HasPrefix(got, "restricted: Archive read-only mode") {
		t.Errorf("announcement beside the scope: got %s", got)
	}

	// Both die, each in order and at once.
	for _, death := range []struct{ one, two os.Signal }{{syscall.SIGTERM, syscall.SIGKILL}, {syscall.SIGKILL, syscall.SIGTERM}} {
		one.signal(t, death.one)
		two.signal(t, death.two)
		one = spawn(t, "--data", kept, "--backend", backend, "--addr", strings.TrimPrefix(one.url, "http://"))
		two = spawn(t, args...)
		r, a = talk(t, &one.serving), talk(t, &two.serving)
		mirrored("the mirror after its death", tip)
		if got := len(strings.Fields(ids(t, a))); got != 2 {
			t.Errorf("served by the mirror after %v: got %d events, want 2", death, got)
		}
	}

	tip = commit(r, "second", at+2)
	mustGit(t, work, "push", "--quiet", one.url+path, "main")
	mirrored("the second commit", tip)

	// A push that the one takes the other refuses, whatever it is.
	next := commit(a, "third", at+3)
	before := mustGit(t, work, "ls-remote", two.url+path)
	for _, refs := range []string{"main", "main:refs/nostr/" + announcement.ID[1:] + "0"} {
		if _, stderr, err := git(t, work, "push", two.url+path, refs); err == nil || !strings.Contains(stderr, "read-only archive") {
			t.Errorf("push of %s to the archive: got %v and %q, want a refusal", refs, err, stderr)
		}
	}
	if got := mustGit(t, work, "ls-remote", two.url+path); got != before || !strings.Contains(got, tip) {
		t.Errorf("refs behind the refused pushes: got %q, want %q", got, before)
	}
	publish(t, r, client.StateEvent(owner, "demo", [][2]string{{"refs/heads/main", next}}, "refs/heads/main", at+3))
	mustGit(t, work, "push", "--quiet", one.url+path, "main", "main:refs/nostr/"+announcement.ID[1:]+"0")
	if status := two.signal(t, syscall.SIGTERM); status != "exit status 0" {
		t.Errorf("orderly end: got %s; stderr %s", status, two.stderr.String())
	}
}
