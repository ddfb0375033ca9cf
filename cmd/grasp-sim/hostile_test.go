package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
)

// Sizes of the hostile load.
const (
	hostileConns  = 1000
	hostileEvents = 1000
	hostileIdle   = 50
	hostileBombs  = 4
	bombMembers   = 16       // of a compressed body
	memberBytes   = 64 << 20 // of each of them, unpacked: a GiB together

	// hostileMax bounds the memory that the process of a server has ever taken, in MiB.
	hostileMax = 768
)

// A thousand connections that each send junk and stay; then at once a thousand announcements as large as they can be, of
// a thousand keys, four bodies that unpack to a gigabyte, and fifty pushes that never go on. Memory of the server, a
// process of its own, stays bounded, it answers all the while, and afterwards a repository is served from announcement to
// clone.
func TestHostileLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand connections and several hundred MiB of junk")
	}
	for _, backend := range []string{"memory", "exec", "disk"} {
		t.Run(backend, func(t *testing.T) {
			args := []string{"--log-level", "error", "--memory"}
			if backend != "memory" {
				args = []string{"--log-level", "error", "--data", t.TempDir(), "--backend", backend}
			}
			if _, err := exec.LookPath("git"); err != nil && backend == "exec" {
				t.Skipf("no git on this machine: %v", err)
			}
			server := spawn(t, args...)
			h := newHostile(t, server)
			if backend != "memory" {
				h.conns, h.events = hostileConns/10, hostileEvents/10 // the relay is the same; the load on git is what differs
			}
			h.run()
			if got := server.signal(t, syscall.SIGTERM); got != "exit status 0" {
				t.Errorf("end of the server: got %s, want exit status 0; stderr %.2000s", got, server.stderr.String())
			}
		})
	}
}

// A hostile is a load on one server.
type hostile struct {
	t       *testing.T
	server  *process
	client  *client.Client
	owner   client.Key
	path    string // of the owner's repository
	history *client.History
	tip     string
	conns   int // connections that send junk
	events  int // announcements, as large as they can be
}

func newHostile(t *testing.T, p *process) *hostile {
	t.Helper()
	live, err := livetarget.New(p.url, livetarget.Options{Connections: hostileConns + 200})
	if err != nil {
		t.Fatal(err)
	}
	h := &hostile{
		t: t, server: p, client: client.New(live, client.Options{Slowness: 12}),
		conns: hostileConns, events: hostileEvents, owner: client.NewKey("hostile", "owner"), history: client.NewHistory("hostile"),
	}
	h.path = h.client.RepoPath(h.owner.Pubkey, "demo")
	h.tip = h.history.Commit("", map[string]string{"README": "hello\n"}, "first")
	return h
}

func (h *hostile) run() {
	start := h.server.memory(h.t)
	owner := h.connect()
	publish(h.t, owner, h.announce(h.owner, "demo", nil, ""))
	h.junk()
	junk := h.server.memory(h.t)
	var taken, refused atomic.Int64
	var group, watch sync.WaitGroup
	ctx, done := context.WithCancel(h.t.Context())
	var slowest time.Duration
	watch.Go(func() { slowest = h.watch(ctx) })
	group.Go(h.idle)
	for i := range hostileBombs {
		group.Go(func() { h.bomb(i%2 == 0) })
	}
	for worker := range 8 {
		group.Go(func() {
			r := h.connect()
			for i := worker; i < h.events; i += 8 {
				answer := r.PublishOnce(ctx, h.large(i)) // a load does not keep to the pace that it is asked for
				ok, _ := answer.(client.OKFrame)
				_, limited := answer.(client.RateLimited)
				switch {
				case ok.Accepted:
					taken.Add(1)
				case limited:
					refused.Add(1)
				default:
					h.t.Errorf("announcement %d: got %v, want an answer", i, answer)
					return
				}
			}
		})
	}
	group.Wait()
	done()
	watch.Wait()
	end := h.server.memory(h.t)
	h.t.Logf("announcements: %d taken, %d refused; slowest answer of the root meanwhile: %v",
		taken.Load(), refused.Load(), slowest.Round(time.Millisecond))
	h.t.Logf("most memory that the server took, in MiB: %d at first, %d after the junk, %d at the end; it has %d now",
		start.most, junk.most, end.most, end.now)
	if end.most > hostileMax {
		h.t.Errorf("memory of the server: got %d MiB, want at most %d", end.most, hostileMax)
	}
	h.serves()
}

func (h *hostile) connect() *client.Relay {
	r, o := h.client.Relay(h.t.Context())
	if o != nil {
		h.t.Errorf("connect: %v", o)
		return nil
	}
	h.t.Cleanup(r.Close)
	return r
}

// junk opens connections that each send frames which are no good, and stay.
func (h *hostile) junk() {
	forged := client.Note(h.owner, nil, "forged", 1_760_000_000)
	forged.Sig = strings.Repeat("0", 128)
	junk := []string{
		`{"not":"an array"}`,
		`["EVENT",{"id":1}]`,
		`["EVENT",` + string(client.EventJSON(forged)) + `]`,
		`["REQ","x",` + strings.Repeat("[", 100_000) + `]`,
		`["REQ","` + strings.Repeat("s", 100) + `",{}]`,
		`["EVENT",{"content":"` + strings.Repeat("x", 1<<20) + `"}]`,
	}
	for i := range h.conns {
		r := h.connect()
		for n, frame := range junk {
			tooLarge := n == len(junk)-1 // it closes its connection, at times before it is sent
			if tooLarge && i%4 != 0 {
				continue // most connections stay
			}
			if o := r.SendRaw(h.t.Context(), []byte(frame)); o != nil && !tooLarge {
				h.t.Fatalf("connection %d, frame %d: %v", i, n, o)
			}
		}
	}
}

// announce is an announcement that the server takes, with more tags and a content.
func (h *hostile) announce(key client.Key, identifier string, more [][]string, content string) *nostr.Event {
	tags := [][]string{
		{"d", identifier}, {"clone", h.server.url + h.client.RepoPath(key.Pubkey, identifier)}, {"relays", h.client.RelayURL()},
	}
	return client.Build(key, client.KindAnnouncement, append(tags, more...), content, time.Now().Unix())
}

// large is an announcement that comes close to one limit: bytes, tags, or values of a tag.
func (h *hostile) large(i int) *nostr.Event {
	const room = 500 << 10
	key := client.NewKey("hostile", fmt.Sprint("key ", i))
	var more [][]string
	content := ""
	switch i % 4 {
	case 0:
		content = strings.Repeat("x", room)
	case 1:
		for range 2400 {
			more = append(more, []string{"t", strings.Repeat("y", room/2400-10)})
		}
	case 2:
		more = [][]string{{"web"}}
		for range room / 4 {
			more[0] = append(more[0], "z")
		}
	case 3:
		more = [][]string{{"maintainers"}}
		for n := range 250 {
			more[0] = append(more[0], fmt.Sprintf("%064x", n+1))
		}
		more = append(more, []string{"description", strings.Repeat("w", room-30_000)})
	}
	return h.announce(key, "large", more, content)
}

// bomb posts a body that unpacks to a gigabyte: as a fetch, or behind the commands of a push.
func (h *hostile) bomb(push bool) {
	member := func(content []byte) []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		_, _ = z.Write(content)
		_ = z.Close()
		return b.Bytes()
	}
	service, body := client.UploadPack, bytes.Repeat(member(make([]byte, memberBytes)), bombMembers)
	if push {
		service = client.ReceivePack
		body = append(member(client.PushBody(client.PushOpts{
			Commands: []client.Command{{Old: client.ZeroOID, New: h.tip, Ref: "refs/heads/main"}}, Pack: []byte("PACK"),
		})), body...)
	}
	header := http.Header{"Content-Type": {"application/x-" + service + "-request"}, "Content-Encoding": {"gzip"}}
	o := h.client.Do(h.t.Context(), http.MethodPost, h.path+"/"+service, header, body)
	if answer, is := o.(client.HTTPAnswer); is && answer.Status >= http.StatusInternalServerError {
		h.t.Errorf("bomb for %s: got %v", service, answer)
	}
}

// idle begins pushes that never go on.
func (h *hostile) idle() {
	host := strings.TrimPrefix(h.server.url, "http://")
	var dialer net.Dialer
	for range hostileIdle {
		conn, err := dialer.DialContext(h.t.Context(), "tcp", host)
		if err != nil {
			h.t.Errorf("idle push: %v", err)
			return
		}
		h.t.Cleanup(func() { _ = conn.Close() })
		_, _ = fmt.Fprintf(conn, "POST %s/%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-%s-request\r\nContent-Length: 100000\r\n\r\n00",
			h.path, client.ReceivePack, host, client.ReceivePack)
	}
}

// watch asks for the root until ctx ends and returns how long the slowest answer took.
func (h *hostile) watch(ctx context.Context) time.Duration {
	var slowest time.Duration
	for ctx.Err() == nil {
		start := time.Now()
		o := h.client.Get(h.t.Context(), "/", nil)
		if answer, is := o.(client.HTTPAnswer); !is || answer.Status != http.StatusOK {
			h.t.Errorf("root under load: got %v", o)
			return slowest
		}
		slowest = max(slowest, time.Since(start))
	}
	return slowest
}

// serves takes a repository from state to clone, and finds nothing stored of the load.
func (h *hostile) serves() {
	h.t.Helper()
	r := h.connect()
	publish(h.t, r, client.StateEvent(h.owner, "demo", [][2]string{{"refs/heads/main", h.tip}}, "refs/heads/main", time.Now().Unix()))
	pushed := h.client.Push(h.t.Context(), h.path, client.PushOpts{
		Commands: []client.Command{{Old: client.ZeroOID, New: h.tip, Ref: "refs/heads/main"}}, Pack: h.history.Pack([]string{h.tip}, nil),
	})
	if report, is := pushed.(client.PushReport); !is || !report.Accepted() {
		h.t.Errorf("push after the load: got %v, want it accepted", pushed)
	}
	if _, o := h.client.Fetch(h.t.Context(), h.path, 2, []string{h.tip}, client.FetchOpts{}); o != nil {
		h.t.Errorf("clone after the load: %v", o)
	}
	events, o := r.Query(h.t.Context(), client.Filter{})
	if o != nil || len(events) != 2 {
		h.t.Errorf("served after the load: got %d events (%v), want the owner's announcement and state", len(events), o)
	}
}
