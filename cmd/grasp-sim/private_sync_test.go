package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// serviceSecret is the key of a service, and serviceKey its public one.
const (
	serviceSecret = "0000000000000000000000000000000000000000000000000000000000000003"
	serviceKey    = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
)

// A private service copies from another one events and git data once that lists its key among its members, and not before (G08-10).
func TestPrivateServicesSync(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	const called = "http://copy.test"
	one, members, tip := privateServer(t)
	path, relayURL := "/"+privateOwner.Npub+"/demo.git", strings.Replace(one.url, "http", "ws", 1)
	r := enter(t, one.url, one.url, privateOwner)
	again := client.Announce(privateOwner, client.AnnounceOpts{
		Identifier: "demo", Clone: []string{one.url + path, called + path}, Relays: []string{relayURL, "ws://copy.test"}, CreatedAt: time.Now().Unix(),
	})
	if got := r.publish(again); !strings.Contains(got, "true,") {
		t.Fatalf("announcement: got %s", got)
	}

	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte(serviceSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	two := spawn(t, "--memory", "--url", called, "--members", members, "--service-key", key, "--sync", "--sync-private", "--sync-window", "1s",
		"--sync-backoff", "1s", "--sync-backoff-max", "1s", "--hunt-private", "--bootstrap", relayURL)
	var document struct {
		Self string `json:"self"`
	}
	two.document(t, &document)
	if document.Self != serviceKey {
		t.Errorf("document: got key %s, want %s", document.Self, serviceKey)
	}
	copied := enter(t, two.url, called, privateMember)
	events := func() int { return copied.query(30617, 30618) }
	if n := events(); n != 0 {
		t.Errorf("before the key is known: got %d events", n)
	}
	membersOf(t, members, privateOwner.Npub, privateMember.Npub, serviceKey+" # the copy")
	if err := one.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	await(t, "announcement and state", func() bool { return events() == 2 })
	token := "http.extraHeader=Authorization: " + tokenFor(t, privateMember, called+path)
	if refs := mustGit(t, t.TempDir(), "-c", token, "ls-remote", two.url+path); !strings.Contains(refs, tip) {
		t.Errorf("refs of the copy: got %q, want %s", refs, tip)
	}
}

// What is wrong with a list of members or a key is said before anything starts, and a secret is never shown.
func TestPrivateSettingsSayWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	good, key := file("good", privateOwner.Npub), file("key", nsec)
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"--members", filepath.Join(dir, "absent")}, []string{"--members", "absent", "no such file"}},
		{[]string{"--members", file("empty", "# nobody yet\n")}, []string{"empty", "names nobody"}},
		{[]string{"--members", file("name", privateOwner.Npub+"\nalice\n")}, []string{"line 2", "npub"}},
		{[]string{"--members", file("secret", nsec)}, []string{"line 1", "secret key"}},
		{[]string{"--members", good, "--sync"}, []string{"--service-key"}},
		{[]string{"--service-key", good}, []string{"--service-key", "nsec"}},
		{[]string{"--service-key", file("two", nsec+"\n"+nsec)}, []string{"--service-key", "secret key"}},
		{[]string{"--members", key, "--service-key", key}, []string{"line 1", "secret key"}},
	} {
		code, _, stderr := try(append([]string{"serve", "--memory"}, test.args...)...)
		if code != 2 || strings.Contains(stderr, nsec) {
			t.Errorf("%v: got %d and %q, want 2 and no secret", test.args, code, stderr)
		}
		for _, want := range test.want {
			if !strings.Contains(stderr, want) {
				t.Errorf("%v: stderr %q lacks %q", test.args, stderr, want)
			}
		}
	}
}
