//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server that is killed while a pack comes in, or while git takes it in, leaves no git process behind. The next one has swept
// what was half received, the refs are as they were, and the same push succeeds (REF-PURG-15).
func TestKilledDuringAPush(t *testing.T) {
	backends(t, func(t *testing.T, backend string) {
		data := t.TempDir()
		p := spawn(t, "--url", origin, "--data", data, "--backend", backend)
		r := talk(t, &p.serving)
		held := announcing(origin, "owner", "demo")
		history := client.NewHistory("lives")
		large := make([]byte, 1<<20) // a part of it does not stay in memory
		_, _ = rand.NewChaCha8([32]byte{}).Read(large)
		tip := history.Commit("", map[string]string{"large": string(large)}, "first")
		publish(t, r, held)
		state := client.StateEvent(client.NewKey("lives", "owner"), "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", 1_760_000_001)
		publish(t, r, state)
		r.Close()
		c := liveClient(t, p.url)
		path := c.RepoPath(held.PubKey, "demo")
		pack := history.Pack([]string{tip}, nil)
		beginPush(t, p.url, path, tip, pack, len(pack)/2)
		await(t, "a pack that comes in", func() bool { return receiving(data) })
		p.signal(t, os.Kill)
		if backend == backendExec && runtime.GOOS == "linux" {
			p = spawn(t, "--url", origin, "--data", data, "--backend", backend)
			free := holdGit(t, data)
			beginPush(t, p.url, path, tip, pack, len(pack))
			await(t, "a git process", func() bool { return processes(t, data) > 0 })
			p.signal(t, os.Kill)
			await(t, "the end of every git process", func() bool { return processes(t, data) == 0 })
			free()
		}

		again := spawn(t, "--url", origin, "--data", data, "--backend", backend)
		c = liveClient(t, again.url)
		advert, is := c.Advertise(t.Context(), path, client.ReceivePack, 0).(client.Advert)
		if !is || len(advert.Refs) > 0 {
			t.Errorf("after the start: got %v, want no refs", advert)
		}
		if left := contents(t, data); strings.Contains(left, "incoming-") || strings.Contains(left, "tmp_") || strings.Contains(left, ".lock ") || strings.Contains(left, ".spool") {
			t.Error("what was half received is still there")
		}
		report, is := c.Push(t.Context(), path, client.PushOpts{
			Commands: []client.Command{{Ref: "refs/heads/main", Old: client.ZeroOID, New: tip}}, Pack: pack,
		}).(client.PushReport)
		if !is || !report.Accepted() {
			t.Errorf("the same push: got %v, want it accepted", report)
		}
		r = talk(t, &again.serving)
		if got, want := ids(t, r), state.ID+" "+held.ID; got != want {
			t.Errorf("served: got %s, want %s", got, want)
		}
		r.Close()
		again.signal(t, os.Kill) // right after the report
		last := spawn(t, "--url", origin, "--data", data, "--backend", backend)
		advert, is = liveClient(t, last.url).Advertise(t.Context(), path, client.UploadPack, 0).(client.Advert)
		if at, _ := advert.Ref("refs/heads/main"); !is || at != tip {
			t.Errorf("after the last start: got main at %q, want %s", at, tip)
		}
	})
}

// holdGit makes git wait where it looks for objects: in the one repository there is a pipe that nobody writes to.
func holdGit(t *testing.T, data string) (free func()) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(data, "git", "npub*", "*.git", "objects", "info"))
	if err != nil || len(found) != 1 {
		t.Fatalf("repositories: got %v, %v", found, err)
	}
	pipe := filepath.Join(found[0], "alternates")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(pipe); err != nil {
			t.Error(err)
		}
	}
}

// beginPush sends so many bytes of the pack of a push, and leaves the connection open.
func beginPush(t *testing.T, url, path, tip string, pack []byte, sent int) {
	t.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	command := client.ZeroOID + " " + tip + " refs/heads/main\x00report-status"
	body := fmt.Sprintf("%04x%s0000%s", len(command)+4, command, pack)
	head := fmt.Sprintf("%s %s/git-receive-pack HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-git-receive-pack-request\r\nContent-Length: %d\r\n\r\n",
		http.MethodPost, path, len(body))
	if _, err := conn.Write([]byte(head + body[:len(body)-len(pack)+sent])); err != nil {
		t.Fatal(err)
	}
}

// receiving reports whether there is a file of a pack that comes in.
func receiving(dir string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		found = found || err == nil && !entry.IsDir() && (strings.Contains(path, "/.spool/") || strings.Contains(path, "/objects/"))
		return nil // files come and go meanwhile
	})
	return found
}

// processes counts the git processes that work below a directory.
func processes(t *testing.T, dir string) int {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, line := range lines {
		text, err := os.ReadFile(line)
		if err == nil && bytes.Contains(text, []byte(dir)) && strings.HasPrefix(filepath.Base(string(bytes.Split(text, []byte{0})[0])), "git") {
			n++
		}
	}
	return n
}
