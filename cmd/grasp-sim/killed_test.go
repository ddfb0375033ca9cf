//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server that is killed while a pack comes in leaves no git process behind. The next one has swept what was half
// received, the refs are as they were, and the same push succeeds (REF-PURG-15).
func TestKilledDuringAPush(t *testing.T) {
	backends(t, func(t *testing.T, backend string) {
		data := t.TempDir()
		p := spawn(t, "--url", origin, "--data", data, "--backend", backend)
		r := talk(t, &p.serving)
		held := announcing(origin, "owner", "demo")
		history := client.NewHistory("lives")
		tip := history.Commit("", map[string]string{"large": strings.Repeat("line of a file\n", 100_000)}, "first")
		publish(t, r, held)
		state := client.StateEvent(client.NewKey("lives", "owner"), "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", 1_760_000_001)
		publish(t, r, state)
		r.Close()
		c := liveClient(t, p.url)
		path := c.RepoPath(held.PubKey, "demo")
		beginPush(t, p.url, path, tip, history.Pack([]string{tip}, nil))
		if backend == backendExec && runtime.GOOS == "linux" {
			await(t, "a git process", func() bool { return processes(t, data) > 0 })
		} else {
			await(t, "a pack that comes in", func() bool { return receiving(data) })
		}
		p.signal(t, os.Kill)
		if runtime.GOOS == "linux" {
			await(t, "the end of every git process", func() bool { return processes(t, data) == 0 })
		}

		again := spawn(t, "--url", origin, "--data", data, "--backend", backend)
		c = liveClient(t, again.url)
		advert, is := c.Advertise(t.Context(), path, client.ReceivePack, 0).(client.Advert)
		if !is || len(advert.Refs) > 0 {
			t.Errorf("after the start: got %v, want no refs", advert)
		}
		if left := contents(t, data); strings.Contains(left, "incoming-") || strings.Contains(left, "tmp_") || strings.Contains(left, ".lock ") {
			t.Error("what was half received is still there")
		}
		report, is := c.Push(t.Context(), path, client.PushOpts{
			Commands: []client.Command{{Ref: "refs/heads/main", Old: client.ZeroOID, New: tip}}, Pack: history.Pack([]string{tip}, nil),
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

// beginPush sends half of a push, and leaves the connection open.
func beginPush(t *testing.T, url, path, tip string, pack []byte) {
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
	if _, err := conn.Write([]byte(head + body[:len(body)/2])); err != nil {
		t.Fatal(err)
	}
}

// receiving reports whether there is a file below the objects of a repository.
func receiving(dir string) bool {
	found := false
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		found = found || err == nil && !entry.IsDir() && strings.Contains(path, "/objects/")
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

// await waits for something that comes soon.
func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(10 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s: it did not come", what)
		}
	}
}
