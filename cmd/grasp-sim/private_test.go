package main

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

// The people of a private service, and somebody who is none of them.
var (
	privateOwner    = client.NewKey("private", "owner")
	privateMember   = client.NewKey("private", "member")
	privateStranger = client.NewKey("private", "stranger")
)

// membersOf writes a list of members.
func membersOf(t testing.TB, path string, lines ...string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// bearing makes an Authorization header of an event.
func bearing(t testing.TB, ev *nostr.Event) string {
	t.Helper()
	text, err := json.Marshal(ev)
	if err != nil {
		t.Fatal(err)
	}
	return "Nostr " + base64.StdEncoding.EncodeToString(text)
}

// tokenFor is the token of somebody for a repository, made now.
func tokenFor(t testing.TB, key client.Key, url string) string {
	t.Helper()
	return bearing(t, client.Build(key, 27235, [][]string{{"u", url}, {"method", "GET"}}, "", time.Now().Unix()))
}

// A session is a connection on which somebody has authenticated.
type session struct {
	t    testing.TB
	conn target.Conn
}

// enter connects to a private service and authenticates. The service may be called something else than the place where it is.
func enter(t testing.TB, url, called string, key client.Key) *session {
	t.Helper()
	live, err := livetarget.New(url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := live.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	var first []string
	if err := json.Unmarshal(receive(t, conn), &first); err != nil || len(first) != 2 || first[0] != "AUTH" {
		t.Fatalf("first frame: got %v, %v, want a challenge", first, err)
	}
	proof := client.Build(key, 22242, [][]string{{"relay", strings.Replace(called, "http", "ws", 1)}, {"challenge", first[1]}}, "", time.Now().Unix())
	if got := ask(t, conn, "AUTH", proof); !strings.Contains(got, `true,""`) {
		t.Fatalf("authentication: got %s", got)
	}
	return &session{t, conn}
}

func (s *session) publish(ev *nostr.Event) string {
	s.t.Helper()
	return ask(s.t, s.conn, "EVENT", ev)
}

// query asks for kinds and returns how many events there are, leaving the question open.
func (s *session) query(kinds ...int) int {
	s.t.Helper()
	n := 0
	for got := ask(s.t, s.conn, "REQ", "s", map[string]any{"kinds": kinds}); got != `["EOSE","s"]`; got = string(receive(s.t, s.conn)) {
		if !strings.HasPrefix(got, `["EVENT","s",`) {
			s.t.Fatalf("a question of a member: got %s", got)
		}
		n++
	}
	return n
}

// privateServer starts a private service with a repository of its owner, which a member has pushed with stock git.
func privateServer(t testing.TB, args ...string) (p *process, members, tip string) {
	t.Helper()
	members = filepath.Join(t.TempDir(), "members")
	membersOf(t, members, "# two of us", privateOwner.Npub+" # the owner", "", privateMember.Pubkey)
	p = spawn(t, append([]string{"--memory", "--members", members}, args...)...)
	url := p.url + "/" + privateOwner.Npub + "/demo.git"
	r := enter(t, p.url, p.url, privateOwner)
	work, at := t.TempDir(), time.Now().Unix()-10
	mustGit(t, work, "init", "--quiet", "--initial-branch=main")
	mustGit(t, work, "commit", "--quiet", "--allow-empty", "--message", "first")
	tip = mustGit(t, work, "rev-parse", "HEAD")
	for _, ev := range []*nostr.Event{
		client.Announce(privateOwner, client.AnnounceOpts{
			Identifier: "demo", Clone: []string{url}, Relays: []string{strings.Replace(p.url, "http", "ws", 1)}, CreatedAt: at,
		}),
		client.StateEvent(privateOwner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", at+1),
	} {
		if got := r.publish(ev); !strings.Contains(got, "true,") {
			t.Fatalf("publish kind %d: got %s", ev.Kind, got)
		}
	}
	if _, stderr, err := git(t, work, "push", "--quiet", url, "main"); err == nil {
		t.Errorf("push without a token: got no error; %s", stderr)
	}
	mustGit(t, work, "-c", "http.extraHeader=Authorization: "+tokenFor(t, privateMember, url), "push", "--quiet", url, "main")
	return p, members, tip
}

// A member works with stock git and one token for each operation, and with a nostr client; being a member moves no ref that no state
// of a maintainer declares (G08-01, G08-02, G08-05, G08-07, G08-08, G08-12).
func TestMembersWork(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	p, _, tip := privateServer(t)
	url := p.url + "/" + privateOwner.Npub + "/demo.git"
	with := func() string { return "http.extraHeader=Authorization: " + tokenFor(t, privateMember, url) }
	work := t.TempDir()
	copied := filepath.Join(work, "copy")
	mustGit(t, work, "-c", with(), "clone", "--quiet", url, copied)
	if got := mustGit(t, copied, "rev-parse", "HEAD"); got != tip {
		t.Errorf("clone: got %s, want %s", got, tip)
	}
	mustGit(t, copied, "commit", "--quiet", "--allow-empty", "--message", "second")
	if _, stderr, err := git(t, copied, "-c", with(), "push", "origin", "main"); err == nil || !strings.Contains(stderr, "authorisation failed") {
		t.Errorf("push of what no state declares: got %v and %q, want the refusal of every server", err, stderr)
	}
	// Once the owner says so the same member may: two megabytes, which git sends in pieces after it has asked whether it may, with the
	// token again. Who has cloned before fetches them.
	behind := filepath.Join(work, "behind")
	mustGit(t, work, "-c", with(), "clone", "--quiet", url, behind)
	large := make([]byte, 2<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(large)
	if err := os.WriteFile(filepath.Join(copied, "large"), large, 0o600); err != nil {
		t.Fatal(err)
	}
	mustGit(t, copied, "add", "large")
	mustGit(t, copied, "commit", "--quiet", "--message", "large")
	tip = mustGit(t, copied, "rev-parse", "HEAD")
	state := client.StateEvent(privateOwner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", time.Now().Unix())
	if got := enter(t, p.url, p.url, privateOwner).publish(state); !strings.Contains(got, "true,") {
		t.Fatalf("state: got %s", got)
	}
	mustGit(t, copied, "-c", with(), "push", "--quiet", "origin", "main")
	if _, stderr, err := git(t, behind, "fetch", "origin"); err == nil {
		t.Errorf("fetch without a token: got no error; %s", stderr)
	}
	mustGit(t, behind, "-c", with(), "-c", "protocol.version=0", "fetch", "--quiet", "origin")
	if got := mustGit(t, behind, "rev-parse", "origin/main"); got != tip {
		t.Errorf("fetch: got %s, want %s", got, tip)
	}
	if n := enter(t, p.url, p.url, privateMember).query(30617, 30618); n != 2 {
		t.Errorf("question of a member: got %d events, want announcement and state", n)
	}
	var document struct {
		Grasps []string `json:"supported_grasps"`
		NIPs   []int    `json:"supported_nips"`
	}
	p.document(t, &document)
	if !slices.Contains(document.Grasps, "GRASP-08") || !slices.Contains(document.NIPs, 42) {
		t.Errorf("document: got %+v, want GRASP-08 and NIP-42", document)
	}
	if got := exchange(t, p.url, "OPTIONS "+strings.TrimPrefix(url, p.url)+"/git-receive-pack", "Origin: https://client.test"); !strings.HasPrefix(got, "HTTP/1.1 204 ") {
		t.Errorf("preflight: got %q", got)
	}
	if got := p.signal(t, syscall.SIGTERM); got != "exit status 0" {
		t.Errorf("end: got %s", got)
	}
}

// A client that others have made works on a private service once it authenticates, as it does when it is told to (G08-02, G08-03).
func TestOtherClientsOfMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short the race detector may watch, and this client races with itself when its connection ends")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	p, members, _ := privateServer(t)
	r, err := nostr.RelayConnect(t.Context(), strings.Replace(p.url, "http", "ws", 1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	sub, err := r.Subscribe(t.Context(), nostr.Filters{{Kinds: []int{30617}}})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case reason := <-sub.ClosedReason:
		if !strings.HasPrefix(reason, "auth-required: ") {
			t.Fatalf("a question before the authentication: got %q", reason)
		}
	case <-sub.EndOfStoredEvents:
		t.Fatal("a question before the authentication was answered")
	case <-time.After(10 * time.Second):
		t.Fatal("a question before the authentication has no answer")
	}
	as := func(key client.Key) func(*nostr.Event) error {
		return func(ev *nostr.Event) error {
			var tags [][]string
			for _, tag := range ev.Tags {
				tags = append(tags, tag)
			}
			*ev = *client.Build(key, ev.Kind, tags, ev.Content, int64(ev.CreatedAt))
			return nil
		}
	}
	if err := r.Auth(t.Context(), as(privateStranger)); err == nil || !strings.Contains(err.Error(), "restricted: ") {
		t.Errorf("a stranger: got %v", err)
	}
	if err := r.Auth(t.Context(), as(privateMember)); err != nil {
		t.Fatal(err)
	}
	issue := client.Issue(privateMember, "30617:"+privateOwner.Pubkey+":demo", "s", "c", time.Now().Unix())
	if err := r.Publish(t.Context(), *issue); err != nil {
		t.Error(err)
	}
	events, err := r.QuerySync(t.Context(), nostr.Filter{Kinds: []int{30617, 30618, 1621}})
	if err != nil || len(events) != 3 {
		t.Errorf("got %v, %v, want announcement, state and issue", events, err)
	}

	open, err := r.Subscribe(t.Context(), nostr.Filters{{Kinds: []int{1621}}})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-open.Events: // the issue: it is open
	case <-time.After(10 * time.Second):
		t.Fatal("a question of a member has no answer")
	}
	membersOf(t, members, privateOwner.Npub)
	if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	select {
	case reason := <-open.ClosedReason:
		if !strings.HasPrefix(reason, "restricted: ") {
			t.Errorf("the open question of who is a member no more: got %q", reason)
		}
	case <-time.After(10 * time.Second):
		t.Error("the open question of who is a member no more stays open")
	}
	again := client.Issue(privateMember, "30617:"+privateOwner.Pubkey+":demo", "again", "c", time.Now().Unix())
	if err := r.Publish(t.Context(), *again); err == nil || !strings.Contains(err.Error(), "restricted: ") {
		t.Errorf("event of who is a member no more: got %v", err)
	}
}

// The list of members is read again on SIGHUP: who is a member no more loses open subscriptions and tokens, who has become one is let
// in, and a list that cannot be read changes nothing (G08-13, G08-14).
func TestMembersAreReadAgain(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	p, members, _ := privateServer(t)
	url := p.url + "/" + privateOwner.Npub + "/demo.git"
	status := func(key client.Key) string {
		return exchange(t, p.url, "GET "+strings.TrimPrefix(url, p.url)+"/info/refs?service=git-upload-pack", "Authorization: "+tokenFor(t, key, url))[9:12]
	}
	r, owner := enter(t, p.url, p.url, privateMember), enter(t, p.url, p.url, privateOwner)
	r.query(1621)
	hangUp := func() {
		if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
	}
	membersOf(t, members, privateOwner.Npub, privateStranger.Npub)
	hangUp()
	if got := string(receive(t, r.conn)); !strings.HasPrefix(got, `["CLOSED","s","restricted: `) {
		t.Errorf("the open question of who is a member no more: got %s", got)
	}
	if got := status(privateMember) + status(privateStranger) + status(privateOwner); got != "401200200" {
		t.Errorf("tokens of who is none any more, of who is new and of who stays: got %s", got)
	}
	issue := func(key client.Key) *nostr.Event {
		return client.Issue(key, "30617:"+privateOwner.Pubkey+":demo", "s", "c", time.Now().Unix())
	}
	if got := r.publish(issue(privateMember)); !strings.Contains(got, `false,"restricted: `) {
		t.Errorf("event of who is a member no more: got %s", got)
	}
	if got := owner.publish(issue(privateOwner)); !strings.Contains(got, `true,""`) {
		t.Errorf("event of who stays: got %s", got)
	}
	membersOf(t, members, privateMember.Npub, "alice")
	hangUp()
	await(t, "a word about the line that cannot be read", func() bool { return strings.Contains(p.stderr.String(), "line 2") })
	membersOf(t, members+".new", "\ufeff"+privateMember.Npub+"\r") // as some editors write it
	if got := status(privateOwner) + status(privateMember); got != "200401" {
		t.Errorf("after a list that cannot be read: got %s", got)
	}
	if err := os.Rename(members+".new", members); err != nil {
		t.Fatal(err)
	}
	hangUp()
	await(t, "the next list", func() bool { return status(privateMember) == "200" })
	if got := p.signal(t, syscall.SIGTERM); got != "exit status 0" {
		t.Errorf("end: got %s; stderr %s", got, p.stderr.String())
	}
}
