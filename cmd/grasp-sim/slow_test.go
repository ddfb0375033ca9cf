package main

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// Sizes of a load of slow git clients.
const (
	slowReaders = 40 // more than there are places for git processes
	slowSenders = 40
	slowBytes   = 12 << 20 // of the repository: more than lies between two sockets
)

// slowWait is how long a slow reader waits for its first byte: less than the minute after which those before it are cut off.
const slowWait = 30 * time.Second

// Forty clients ask for a clone and take none of it, and forty begin to send a pack and stop: refs are told, a clone and a push
// are served all the same, at once, and one address has a share of the places only.
func TestSlowGitClients(t *testing.T) {
	for _, backend := range []string{"exec", "disk"} {
		t.Run(backend, func(t *testing.T) {
			if _, err := exec.LookPath("git"); err != nil && backend == "exec" {
				t.Skipf("no git on this machine: %v", err)
			}
			server := spawn(t, "--log-level", "error", "--data", t.TempDir(), "--backend", backend, "--git-per-address", "100", "--proxies", "203.0.113.0/24")
			h := newHostile(t, server)
			owner := h.connect()
			publish(t, owner, h.announce(h.owner, "demo", nil, ""))
			publish(t, owner, h.announce(h.owner, "large", nil, ""))
			history, noise, content := client.NewHistory("slow"), rand.NewChaCha8([32]byte{}), make([]byte, slowBytes)
			_, _ = noise.Read(content)
			tip := history.Commit("", map[string]string{"noise": string(content)}, "large")
			publish(t, owner, client.StateEvent(h.owner, "large", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", time.Now().Unix()))
			large := h.client.RepoPath(h.owner.Pubkey, "large")
			o := h.client.Push(t.Context(), large, client.PushOpts{
				Commands: []client.Command{{Old: client.ZeroOID, New: tip, Ref: "refs/heads/main"}}, Pack: history.Pack([]string{tip}, nil),
			})
			if report, is := o.(client.PushReport); !is || !report.Accepted() {
				t.Fatalf("push: got %v", o)
			}
			want := "0032want " + tip + "\n00000009done\n"
			for i := range slowReaders {
				conn := h.post(large+"/"+client.UploadPack, client.UploadPack, len(want), want)
				if err := conn.SetReadDeadline(time.Now().Add(slowWait)); err != nil {
					t.Fatal(err)
				}
				if _, err := conn.Read(make([]byte, 1)); err != nil {
					t.Fatalf("slow reader %d is not served at all: %v", i, err)
				}
			}
			push := client.PushBody(client.PushOpts{
				Commands: []client.Command{{Old: client.ZeroOID, New: tip, Ref: "refs/nostr/" + strings.Repeat("a", 64)}}, Pack: []byte("PACK"),
			})
			for i := range slowSenders {
				identifier := fmt.Sprint("slow-", i)
				publish(t, owner, h.announce(h.owner, identifier, nil, ""))
				path := h.client.RepoPath(h.owner.Pubkey, identifier)
				h.post(path+"/"+client.ReceivePack, client.ReceivePack, 1<<20, string(push))
			}
			start := time.Now()
			for _, path := range []string{large, h.path} {
				answer := h.client.Get(t.Context(), path+"/info/refs?service="+client.UploadPack, nil)
				if page, is := answer.(client.HTTPAnswer); !is || page.Status != http.StatusOK {
					t.Fatalf("refs among slow clients: got %v", answer)
				}
			}
			if _, o := h.client.Fetch(t.Context(), large, 2, []string{tip}, client.FetchOpts{}); o != nil {
				t.Errorf("clone among slow clients: %v", o)
			}
			small := history.Commit("", map[string]string{"README": "small\n"}, "small")
			publish(t, owner, client.StateEvent(h.owner, "demo", [][2]string{{"refs/heads/main", small}}, "refs/heads/main", time.Now().Unix()))
			o = h.client.Push(t.Context(), h.path, client.PushOpts{
				Commands: []client.Command{{Old: client.ZeroOID, New: small, Ref: "refs/heads/main"}}, Pack: history.Pack([]string{small}, nil),
			})
			if report, is := o.(client.PushReport); !is || !report.Accepted() {
				t.Errorf("push among slow clients: got %v", o)
			}
			t.Logf("refs, a clone and a push took %v among %d slow readers and %d slow senders", time.Since(start).Round(time.Millisecond), slowReaders, slowSenders)
			for range 100 {
				h.post(h.path+"/"+client.ReceivePack, client.ReceivePack, 1<<20, "00")
			}
			await(t, "an end of the share of an address", func() bool { // the server reads the requests when it comes to them
				answer := h.client.Get(t.Context(), large+"/info/refs?service="+client.UploadPack, nil)
				page, is := answer.(client.HTTPAnswer)
				return is && page.Status == http.StatusServiceUnavailable
			})
			if err := server.cmd.Process.Signal(syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// post begins a request by hand, and keeps its connection until the test ends.
func (h *hostile) post(path, service string, length int, body string) net.Conn {
	h.t.Helper()
	host := strings.TrimPrefix(h.server.url, "http://")
	var dialer net.Dialer
	conn, err := dialer.DialContext(h.t.Context(), "tcp", host)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-%s-request\r\nContent-Length: %d\r\n\r\n%s",
		path, host, service, length, body)
	if err != nil {
		h.t.Fatal(err)
	}
	return conn
}
