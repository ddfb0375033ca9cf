//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"go.etcd.io/bbolt"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

// backends are the stores that keep something on disk.
func backends(t *testing.T, try func(t *testing.T, backend string)) {
	for _, backend := range []string{backendDisk, backendExec} {
		t.Run(backend, func(t *testing.T) {
			if _, err := exec.LookPath("git"); err != nil && backend == backendExec {
				t.Skip("no git installed")
			}
			try(t, backend)
		})
	}
}

// announcing makes an announcement of a server that is called url.
func announcing(url, who, identifier string) *nostr.Event {
	key := client.NewKey("lives", who)
	return client.Announce(key, client.AnnounceOpts{
		Identifier: identifier, Clone: []string{url + "/" + key.Npub + "/" + identifier + ".git"},
		Relays: []string{strings.Replace(url, "http", "ws", 1)}, CreatedAt: 1_760_000_000,
	})
}

// stillHeld sends an event again that must be in purgatory.
func stillHeld(t *testing.T, r *client.Relay, ev *nostr.Event) {
	t.Helper()
	ok, is := r.Publish(t.Context(), ev).(client.OKFrame)
	if !is || !ok.Accepted || !strings.Contains(ok.Text, "in purgatory") {
		t.Errorf("event %.8s sent again: got %v, want a duplicate in purgatory", ev.ID, ok)
	}
}

// Whichever signal ends a server, what it has acknowledged is there afterwards; those that ask it to end are obeyed in
// order (REF-PURG-11, REF-PURG-15).
func TestEverySignalKeepsWhatIsHeld(t *testing.T) {
	data := t.TempDir()
	held := announcing(origin, "owner", "demo")
	for i, c := range []struct {
		signal os.Signal
		want   string
	}{
		{syscall.SIGTERM, "exit status 0"},
		{os.Interrupt, "exit status 0"},
		{syscall.SIGHUP, "exit status 0"},
		{os.Kill, "signal: killed"},
		{syscall.SIGTERM, "exit status 0"},
	} {
		if signal.Ignored(c.signal) {
			t.Logf("%v is ignored here, as under nohup: the server takes that over", c.signal)
			continue
		}
		p := spawn(t, "--url", origin, "--data", data, "--backend", backendDisk)
		r := talk(t, &p.serving)
		if i == 0 {
			publish(t, r, held)
		}
		stillHeld(t, r, held)
		r.Close()
		if got := p.signal(t, c.signal); got != c.want {
			t.Errorf("%v: got %q, want %q", c.signal, got, c.want)
		}
	}
}

// Several clients publish as fast as they can while the server ends: every event that was answered OK is there when it
// has started again on the same data, in whatever way it ended (REF-PURG-15). Its logs are captured.
func TestAcknowledgedUnderLoad(t *testing.T) {
	backends(t, func(t *testing.T, backend string) {
		s, err := launch.Start(t.Context(), launch.Command{
			Args:  []string{"grasp-sim", "serve", "--addr", "{addr}", "--data", "{data}", "--backend", backend, "--log-level", "warn"},
			Ready: regexp.MustCompile(`^listening `),
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		var all []*nostr.Event
		for round, end := range []func() error{
			func() error { return s.Restart(t.Context()) }, func() error { return s.Kill(t.Context()) }, func() error { return s.Kill(t.Context()) },
		} {
			acknowledged := underLoad(t, s, round, end)
			if t.Failed() {
				return
			}
			all = append(all, acknowledged...)
			r, o := client.New(s, client.Options{}).Relay(t.Context())
			if o != nil {
				t.Fatal(o)
			}
			for _, ev := range all {
				stillHeld(t, r, ev)
			}
			r.Close()
			t.Logf("end %d: %d acknowledged before", round, len(acknowledged))
		}
		if got := strings.Count(s.Output(), "listening http://"); got != 4 {
			t.Errorf("lives in the output: got %d, want 4", got)
		}
	})
}

// underLoad ends a server when clients have had enough answers, and returns the events that were answered.
func underLoad(t *testing.T, s target.Target, round int, end func() error) []*nostr.Event {
	t.Helper()
	const clients, enough = 4, 25
	var mu sync.Mutex
	var acknowledged []*nostr.Event
	loaded := make(chan struct{})
	var group sync.WaitGroup
	for n := range clients {
		group.Go(func() {
			r, o := client.New(s, client.Options{}).Relay(t.Context())
			if o != nil {
				t.Errorf("client %d: %v", n, o)
				return
			}
			defer r.Close()
			for i := 0; i < 10*enough; i++ {
				ev := announcing(s.ServiceURL(), fmt.Sprintf("owner%d-%d", round, n), fmt.Sprintf("demo%d", i))
				if ok, is := r.Publish(t.Context(), ev).(client.OKFrame); !is || !ok.Accepted {
					return // the end has come
				}
				mu.Lock()
				acknowledged = append(acknowledged, ev)
				if len(acknowledged) == enough {
					close(loaded)
				}
				mu.Unlock()
			}
		})
	}
	<-loaded
	if err := end(); err != nil {
		t.Error(err)
	}
	group.Wait()
	return acknowledged
}

// A start that fails leaves the data as it is, and the next one has everything (REF-PURG-14).
func TestFailedStartLeavesTheData(t *testing.T) {
	var listening net.ListenConfig
	taken, err := listening.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	data := t.TempDir()
	held := announcing(origin, "owner", "demo")
	s := begin(t, "--data", data, "--url", origin, "--backend", backendDisk)
	r := talk(t, s)
	publish(t, r, held)
	r.Close()
	s.end(t)
	before := contents(t, data)
	for range 2 {
		code, _, stderr := try("serve", "--data", data, "--url", origin, "--backend", backendDisk, "--addr", taken.Addr().String())
		if code != 3 || !strings.Contains(stderr, "the port is in use") {
			t.Errorf("got %d and %q, want 3 and the reason", code, stderr)
		}
	}
	if after := contents(t, data); after != before {
		t.Errorf("the data has changed: got\n%s\nwant\n%s", after, before)
	}
	again := begin(t, "--data", data, "--url", origin, "--backend", backendDisk)
	stillHeld(t, talk(t, again), held)
}

// contents lists every file below a directory with its bytes.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %d %x\n", strings.TrimPrefix(path, dir), len(content), content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A start under another URL, and one whose repositories were taken away, are told in the log, and only those.
func TestAStartTellsWhatHasChanged(t *testing.T) {
	const renamed, lost = "no announcement here names this service", "repositories of announcements that are served are not there"
	data := t.TempDir()
	life := func(url string, do func(s *serving), more ...string) string {
		s := begin(t, append([]string{"--data", data, "--url", url, "--backend", backendDisk}, more...)...)
		do(s)
		s.end(t)
		return s.stderr.String()
	}
	nothing := func(*serving) {}
	first := life(origin, func(s *serving) {
		r, c, key := talk(t, s), liveClient(t, s.url), client.NewKey("lives", "owner")
		defer r.Close()
		publish(t, r, announcing(origin, "owner", "demo"))
		history := client.NewHistory("lives")
		tip := history.Commit("", map[string]string{"README": "hello\n"}, "first")
		publish(t, r, client.StateEvent(key, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", 1_760_000_001))
		o := c.Push(t.Context(), c.RepoPath(key.Pubkey, "demo"), client.PushOpts{
			Commands: []client.Command{{Ref: "refs/heads/main", Old: client.ZeroOID, New: tip}}, Pack: history.Pack([]string{tip}, nil),
		})
		if report, is := o.(client.PushReport); !is || !report.Accepted() {
			t.Fatalf("push: got %v, want it accepted", o)
		}
	})
	again, elsewhere, home := life(origin, nothing), life("https://other.example", nothing), life(origin, nothing)
	archive := life("https://other.example", nothing, "--archive", "all", "--hunt", "--sync") // it serves what other services are named in
	bare := func(more ...string) string {
		if err := os.RemoveAll(filepath.Join(data, "git")); err != nil {
			t.Fatal(err)
		}
		return life(origin, nothing, more...)
	}
	without := bare()
	readOnly := bare("--archive", "all", "--archive-read-only", "--hunt", "--sync") // it hosts nothing of its own
	for _, c := range []struct {
		name, log     string
		renamed, lost bool
	}{
		{"the first", first, false, false},
		{"the same", again, false, false},
		{"under another URL", elsewhere, true, false},
		{"under its own again", home, false, false},
		{"an archive of all under another URL", archive, false, false},
		{"without repositories", without, false, true},
		{"a read-only archive without repositories", readOnly, false, false},
	} {
		if strings.Contains(c.log, renamed) != c.renamed || strings.Contains(c.log, lost) != c.lost {
			t.Errorf("%s: got %s, want word of another URL: %t, of lost repositories: %t", c.name, c.log, c.renamed, c.lost)
		}
	}
}

// A journal that is damaged, cut or of an unknown version is refused as a whole, with its reason; nothing on the disk is
// touched, repositories included; and when the good one is back, everything is there (REF-PURG-13).
func TestDamagedDataIsRefusedAndKept(t *testing.T) {
	data := t.TempDir()
	held := announcing(origin, "owner", "demo")
	s := begin(t, "--data", data, "--url", origin, "--backend", backendDisk)
	r := talk(t, s)
	publish(t, r, held)
	r.Close()
	s.end(t)
	journal := filepath.Join(data, "events.db")
	good, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		spoil func() error
		want  string
	}{
		"cut":     {func() error { return os.Truncate(journal, int64(len(good)/2)) }, "damaged"},
		"emptied": {func() error { return os.Truncate(journal, 0) }, "damaged"},
		"gone":    {func() error { return os.Remove(journal) }, "it is not there, and its log"},
		"newer":   {func() error { return version(journal, 99) }, "unknown version"},
		"older":   {func() error { return version(journal, 1) }, "unknown version"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := c.spoil(); err != nil {
				t.Fatal(err)
			}
			before := contents(t, data)
			for range 2 {
				// In this process the lock of a file in which bbolt has panicked would stay.
				refused := exec.CommandContext(t.Context(), "grasp-sim", "serve", "--data", data, "--url", origin, "--backend", backendDisk)
				stdout, err := refused.Output()
				exit, is := errors.AsType[*exec.ExitError](err)
				if !is {
					t.Fatalf("got %q and %v, want a failure", stdout, err)
				}
				code, stderr := exit.ExitCode(), string(exit.Stderr)
				if code != 3 || len(stdout) > 0 || !strings.Contains(stderr, c.want) || !strings.Contains(stderr, "hint: ") {
					t.Errorf("got %d, %q and %q, want 3, nothing and %q with a hint", code, stdout, stderr, c.want)
				}
			}
			if after := contents(t, data); after != before {
				t.Error("the data has changed")
			}
			if err := os.WriteFile(journal, good, 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	again := begin(t, "--data", data, "--url", origin, "--backend", backendDisk)
	r = talk(t, again)
	stillHeld(t, r, held)
	r.Close()
	repositoryThere(t, again, held)
	again.end(t)

	// One record that cannot be read stops nothing, and costs no repository: when its event comes again, all is as it was.
	spoiled := bytes.ReplaceAll(good, []byte(held.PubKey), []byte(strings.Repeat("f", 64)))
	if err := os.WriteFile(journal, spoiled, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		without := begin(t, "--data", data, "--url", origin, "--backend", backendDisk)
		without.end(t)
		if stderr := without.stderr.String(); strings.Count(stderr, "record set aside at start") != 1 {
			t.Errorf("got %q in the log, want one record set aside", stderr)
		}
	}
	healed := begin(t, "--data", data, "--url", origin, "--backend", backendDisk)
	r = talk(t, healed)
	publish(t, r, held)
	repositoryThere(t, healed, held)
}

func repositoryThere(t *testing.T, s *serving, held *nostr.Event) {
	t.Helper()
	c := liveClient(t, s.url)
	if o, is := c.Advertise(t.Context(), c.RepoPath(held.PubKey, "demo"), client.ReceivePack, 0).(client.Advert); !is {
		t.Errorf("repository: got %v, want an advertisement", o)
	}
}

// version writes another version into a journal.
func version(path string, n byte) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("meta")).Put([]byte("version"), []byte{0, 0, 0, 0, 0, 0, 0, n})
	})
	if closed := db.Close(); err == nil {
		err = closed
	}
	return err
}

func liveClient(t *testing.T, url string) *client.Client {
	t.Helper()
	live, err := livetarget.New(url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return client.New(live, client.Options{})
}
