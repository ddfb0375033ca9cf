package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"
)

// A person works with clients that others have made: a nostr library, which signs and connects by itself, and stock git.
type person struct {
	t            *testing.T
	secret, npub string
	relay        *nostr.Relay
	at           nostr.Timestamp
}

func personAt(t *testing.T, url string, n int) *person {
	t.Helper()
	p := &person{t: t, secret: fmt.Sprintf("%064x", n), at: nostr.Timestamp(time.Now().Add(-time.Hour).Unix())}
	var err error
	if p.npub, err = nip19.EncodePublicKey(p.pubkey()); err != nil {
		t.Fatal(err)
	}
	if p.relay, err = nostr.RelayConnect(t.Context(), strings.Replace(url, "http", "ws", 1)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.relay.Close() })
	return p
}

func (p *person) pubkey() string {
	p.t.Helper()
	key, err := nostr.GetPublicKey(p.secret)
	if err != nil {
		p.t.Fatal(err)
	}
	return key
}

// sign makes an event a second later than the one before it.
func (p *person) sign(kind int, tags ...nostr.Tag) nostr.Event {
	p.t.Helper()
	p.at++
	ev := nostr.Event{Kind: kind, CreatedAt: p.at, Tags: tags}
	if err := ev.Sign(p.secret); err != nil {
		p.t.Fatal(err)
	}
	return ev
}

func (p *person) publish(ev nostr.Event) {
	p.t.Helper()
	if err := p.relay.Publish(p.t.Context(), ev); err != nil {
		p.t.Fatalf("publish kind %d: %v", ev.Kind, err)
	}
}

// query returns what is served of kinds, newest first.
func (p *person) query(kinds ...int) []*nostr.Event {
	p.t.Helper()
	events, err := p.relay.QuerySync(p.t.Context(), nostr.Filter{Kinds: kinds})
	if err != nil {
		p.t.Fatal(err)
	}
	slices.SortFunc(events, func(a, b *nostr.Event) int { return int(b.CreatedAt - a.CreatedAt) })
	return events
}

// Somebody who has no repository anywhere submits a pull request through /prs/, with a nostr library and stock git alone: the event
// first, or the commit. A maintainer, who is on another machine, finds it by the event, fetches it from where that says, merges it and
// pushes the merge, and says so (G06-PUSH-01, G06-EV-01, G06-MIR-01, G01-PUSH-01, G01-PR-01).
func TestContributorWithOtherClients(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short the race detector may watch, and this client races with itself when its connection ends")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	for _, eventFirst := range []bool{false, true} {
		t.Run(fmt.Sprint("event first ", eventFirst), func(t *testing.T) { contributes(t, eventFirst) })
	}
}

func contributes(t *testing.T, eventFirst bool) {
	t.Helper()
	s := spawn(t, "--contributors", "--data", filepath.Join(t.TempDir(), "data"))
	maintainer, contributor := personAt(t, s.url, 1001), personAt(t, s.url, 1002)
	path := s.url + "/" + maintainer.npub + "/demo.git"
	state := func(tip string) nostr.Event {
		return maintainer.sign(30618, nostr.Tag{"d", "demo"}, nostr.Tag{"refs/heads/main", tip}, nostr.Tag{"HEAD", "ref: refs/heads/main"})
	}
	maintainer.publish(maintainer.sign(30617, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", path}, nostr.Tag{"relays", strings.Replace(s.url, "http", "ws", 1)}))
	upstream := t.TempDir()
	mustGit(t, upstream, "init", "--quiet", "--initial-branch=main")
	commit := func(dir, name string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat(name+"\n", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
		mustGit(t, dir, "add", name)
		mustGit(t, dir, "commit", "--quiet", "--message", name)
		return mustGit(t, dir, "rev-parse", "HEAD")
	}
	maintainer.publish(state(commit(upstream, "first")))
	mustGit(t, upstream, "push", "--quiet", path, "main")

	fork := filepath.Join(t.TempDir(), "fork")
	mustGit(t, upstream, "clone", "--quiet", path, fork)
	mustGit(t, fork, "checkout", "--quiet", "-b", "better")
	tip := commit(fork, "better")
	place := s.url + "/prs/" + contributor.npub + "/demo.git"
	pr := contributor.sign(1618, nostr.Tag{"a", "30617:" + maintainer.pubkey() + ":demo"}, nostr.Tag{"p", maintainer.pubkey()},
		nostr.Tag{"subject", "better"}, nostr.Tag{"c", tip}, nostr.Tag{"clone", place})
	ref := "refs/nostr/" + pr.ID
	if eventFirst {
		contributor.publish(pr)
	}
	mustGit(t, fork, "push", "--quiet", place, "better:"+ref)
	if !eventFirst {
		contributor.publish(pr)
	}

	commit(upstream, "meanwhile")
	found := maintainer.query(1618)
	if len(found) != 1 || found[0].ID != pr.ID {
		t.Fatalf("pull requests: got %v, want the one of the contributor", found)
	}
	from, at := found[0].Tags.Find("clone")[1], found[0].Tags.Find("c")[1]
	mustGit(t, upstream, "fetch", "--quiet", from, "refs/nostr/"+found[0].ID)
	if got := mustGit(t, upstream, "rev-parse", "FETCH_HEAD"); got != at {
		t.Fatalf("fetched: got %s, want %s", got, at)
	}
	await(t, "the pull request in the announced repository", func() bool {
		return mustGit(t, upstream, "ls-remote", path, ref) == tip+"\t"+ref
	})
	mustGit(t, upstream, "merge", "--quiet", "--no-ff", "--message", "merge better", "FETCH_HEAD")
	merged := mustGit(t, upstream, "rev-parse", "HEAD")
	if _, stderr, err := git(t, upstream, "push", path, "main"); err == nil || !strings.Contains(stderr, "[remote rejected]") {
		t.Errorf("push of the merge before its state: got %v and %q, want a refusal", err, stderr)
	}
	maintainer.publish(state(merged))
	mustGit(t, upstream, "push", "--quiet", path, "main")
	maintainer.publish(maintainer.sign(1631, nostr.Tag{"e", pr.ID, "", "root"}, nostr.Tag{"p", contributor.pubkey()},
		nostr.Tag{"a", "30617:" + maintainer.pubkey() + ":demo"}, nostr.Tag{"merge-commit", merged}))

	again := filepath.Join(t.TempDir(), "again")
	mustGit(t, upstream, "clone", "--quiet", path, again)
	if got := mustGit(t, again, "rev-parse", "HEAD", "HEAD^2"); got != merged+"\n"+tip {
		t.Errorf("the clone of somebody else is at %q, want the merge %s of %s", got, merged, tip)
	}
	if got := contributor.query(1631); len(got) != 1 || got[0].PubKey != maintainer.pubkey() {
		t.Errorf("status: got %v, want that of the maintainer", got)
	}
	if got := contributor.query(30618); len(got) != 1 || !strings.Contains(got[0].String(), merged) {
		t.Errorf("state: got %v, want the one of the merge", got)
	}
}
