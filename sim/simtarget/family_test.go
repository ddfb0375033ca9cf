package simtarget_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// guestCommit is not what the owner has.
func guestCommit() (repo.OID, []gitstore.Object) {
	blob := gitstore.NewBlob([]byte("better\n"))
	tree := gitstore.NewTree(gitstore.Entry{Name: "hello", OID: blob.OID()})
	commit := gitstore.NewCommit(tree.OID(), nil, 2, "better\n")
	return commit.OID(), []gitstore.Object{blob, tree, commit}
}

// pushTo pushes a guest's commit to a ref and returns the answer.
func (p *person) pushTo(path, ref string) string {
	p.t.Helper()
	commit, objects := guestCommit()
	var body bytes.Buffer
	line := fmt.Sprintf("%s %s %s\x00 report-status", repo.ZeroOID, commit, ref)
	fmt.Fprintf(&body, "%04x%s0000", len(line)+4, line)
	if err := gitstore.WritePack(&body, objects); err != nil {
		p.t.Fatal(err)
	}
	status, answer := p.http("POST", path+"/git-receive-pack", "application/x-git-receive-pack-request", body.Bytes())
	if status != 200 {
		p.t.Fatalf("push: got status %d %q, want 200", status, answer)
	}
	return answer
}

// noViolations fails for what the witness has seen.
func noViolations(t *testing.T, server *simtarget.Target) {
	t.Helper()
	for _, said := range server.Testify() {
		for _, v := range said.Violations {
			t.Errorf("%s: %s", said.ID, v)
		}
	}
}

// Contributions in virtual time, before the eyes of the witness: both orders, mismatch, the window, a restart and a copy.
func TestContributionsAreWatched(t *testing.T) {
	server := simtarget.New(simtarget.Options{Config: func(c *core.Config) { c.Contributions.On = true }})
	owner, guest := meet(t, server, "owner"), meet(t, server, "guest")
	main, _ := firstCommit()
	commit, _ := guestCommit()
	owner.announce()
	owner.publish(30618, nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(main)}})
	owner.expect("OK", "true")
	owner.push()
	place := repo.Contribution(repo.PubKey(guest.PubKey), "demo")
	advert := func() string {
		_, answer := guest.http("GET", place.Path()+"/info/refs?service=git-upload-pack", "", nil)
		return answer
	}
	empty := advert()
	if !strings.Contains(empty, "capabilities^{}") {
		t.Fatalf("a place that nobody has used: got %q, want an empty repository", empty)
	}
	pull := func(c repo.OID, identifier string) *nostr.Event {
		ev := &nostr.Event{Kind: 1618, CreatedAt: nostr.Timestamp(server.Now().Unix()), Tags: nostr.Tags{
			{"a", "30617:" + owner.PubKey + ":" + identifier},
			{"c", string(c)},
			{"clone", server.ServiceURL() + repo.Contribution(repo.PubKey(guest.PubKey), identifier).Path()},
		}}
		if err := guest.Sign(ev); err != nil {
			t.Fatal(err)
		}
		return ev
	}
	say := func(ev *nostr.Event, part string) {
		t.Helper()
		guest.send(fmt.Sprintf(`["EVENT",%s]`, ev))
		guest.expect("OK", part)
	}
	first := pull(commit, "demo") // event first
	say(first, `true,"purgatory:`)
	for _, wrong := range []string{"refs/heads/main", "refs/nostr/x", "refs/notes/x"} {
		if answer := guest.pushTo(place.Path(), wrong); !strings.Contains(answer, "ng "+wrong) {
			t.Errorf("push of %s: got %q", wrong, answer)
		}
	}
	if answer := guest.pushTo(place.Path(), "refs/nostr/"+first.ID); !strings.Contains(answer, "ok refs/nostr/") {
		t.Errorf("push of the pull request: got %q", answer)
	}
	if _, refs := owner.refs(); !strings.Contains(refs, "refs/nostr/"+first.ID) {
		t.Errorf("refs of the owner's repository: got %q, want the pull request", refs)
	}
	noViolations(t, server)

	elsewhere := pull(commit, "elsewhere") // push first, of a repository that is not here
	there := repo.Contribution(repo.PubKey(guest.PubKey), "elsewhere")
	guest.pushTo(there.Path(), "refs/nostr/"+elsewhere.ID)
	say(elsewhere, `true,""`)
	wrong := pull(repo.OID(strings.Repeat("1", 40)), "demo") // it names another commit
	guest.pushTo(place.Path(), "refs/nostr/"+wrong.ID)
	say(wrong, `true,"purgatory:`)
	if got := advert(); strings.Contains(got, wrong.ID) {
		t.Errorf("another commit than the event names: got %q", got)
	}
	stranger := repo.Contribution(repo.PubKey(owner.PubKey), "demo") // of nobody
	guest.pushTo(stranger.Path(), "refs/nostr/"+strings.Repeat("0", 64))
	noViolations(t, server)
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	noViolations(t, server)
	if err := server.Advance(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, got := guest.http("GET", stranger.Path()+"/info/refs?service=git-upload-pack", "", nil); got != empty {
		t.Errorf("a place after the window: got %q, want %q", got, empty)
	}
	if got := advert(); !strings.Contains(got, first.ID) {
		t.Errorf("the place of the served pull request: got %q", got)
	}
	noViolations(t, server)
}

// An archive that is only read, before the eyes of the witness.
func TestArchiveIsWatched(t *testing.T) {
	scope := &policy.Scope{}
	for _, entry := range []string{"demo", "https://other.test"} {
		if err := scope.Add(entry); err != nil {
			t.Fatal(err)
		}
	}
	server := simtarget.New(simtarget.Options{Config: func(c *core.Config) {
		c.Archive = core.ArchiveConfig{Scope: scope, ReadOnly: true}
	}})
	owner := meet(t, server, "owner")
	commit, _ := firstCommit()
	for identifier, want := range map[string]string{"demo": `true,"purgatory:`, "beside": `false,"restricted:`} {
		owner.publish(30617, nostr.Tags{{"d", identifier}, {"clone", "https://elsewhere.test/x.git"}, {"relays", "wss://elsewhere.test"}})
		owner.expect("OK", want)
	}
	owner.publish(30618, nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(commit)}})
	owner.expect("OK", `true,"purgatory:`)
	for _, ref := range []string{"refs/heads/main", "refs/nostr/" + strings.Repeat("0", 64)} {
		if answer := owner.pushTo(owner.id().Path(), ref); !strings.Contains(answer, "read-only archive") {
			t.Errorf("push of %s: got %q", ref, answer)
		}
	}
	noViolations(t, server)
	if err := server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	noViolations(t, server)
	if status, _ := owner.refs(); status != 200 {
		t.Errorf("the archived repository: got %d, want 200", status)
	}
	if err := server.Advance(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	noViolations(t, server)
}
