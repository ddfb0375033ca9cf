//go:build linux

package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

const (
	// badFor is how long a bad relay is let do what it does.
	badFor = 3 * time.Second
	// badMemory bounds the memory that the process of a server ever takes beside one, in MiB.
	badMemory = 200
	// badBurst and badEach bound the bytes that it takes, in KiB at first and in a second from then on; what lies in sockets comes on top.
	badBurst, badEach = 100 << 10, 4 << 10
	// badSigned is how many events a bad relay has signed before; then it begins anew, with ones that are known.
	badSigned = 3000
)

// A bad relay has an answer to each question, or talks unasked, and a good one has an issue that the server lacks. Whatever the bad one
// sends and however fast, the server, a process of its own, takes so much memory and time and no more, and has what the good one has.
func TestBadRelays(t *testing.T) {
	if testing.Short() {
		t.Skip("floods of some seconds each")
	}
	for _, b := range badRelays() {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel() // most of it is waiting
			good := newBadRelay(t, badRelay{name: "good", answer: serves})
			bad := newBadRelay(t, b)
			server := spawn(t, "--memory", "--log-level", "error", "--sync", "--sync-private", "--sync-window", "1s", "--event-burst", "2000",
				"--bootstrap", bad.url, "--bootstrap", good.url)
			owner := client.NewKey("bad", "owner")
			live := talkWith(t, &server.serving, client.Options{Settle: time.Minute}) // on a busy machine, too
			h := newHostile(t, server)
			h.owner, h.path = owner, h.client.RepoPath(owner.Pubkey, "demo")
			first := client.Announce(owner, client.AnnounceOpts{
				Identifier: "demo", Clone: []string{server.url + h.path}, Relays: []string{h.client.RelayURL(), bad.url, good.url}, CreatedAt: time.Now().Unix(),
			})
			issue := client.Issue(owner, client.RepoAddress(owner.Pubkey, "demo"), "an issue", "", time.Now().Unix())
			good.events = []*nostr.Event{issue}
			publish(t, live, first)
			publish(t, live, client.StateEvent(owner, "demo", [][2]string{{"refs/heads/main", h.tip}}, "refs/heads/main", time.Now().Unix()))
			o := h.client.Push(t.Context(), h.path, client.PushOpts{
				Commands: []client.Command{{Old: client.ZeroOID, New: h.tip, Ref: "refs/heads/main"}}, Pack: h.history.Pack([]string{h.tip}, nil),
			})
			if report, is := o.(client.PushReport); !is || !report.Accepted() {
				t.Fatalf("push: got %v", o)
			}
			begin, used := time.Now(), server.processor(t) // its connections were opened a moment ago
			await(t, "what the good relay has", func() bool { return len(servedOf(t, live, []string{issue.ID})) == 1 })
			took := time.Since(begin)
			<-time.After(max(0, badFor-took))
			used = server.processor(t) - used
			mem := server.memory(t)
			t.Logf("the issue after %v; in %v: %v of processor, %d MiB at most, %d connections, %d messages and %d KiB taken of the bad relay",
				took.Round(10*time.Millisecond), time.Since(begin).Round(100*time.Millisecond), used, mem.most, bad.connections.Load(), bad.said.Load(), bad.bytes.Load()>>10)
			if most := badBurst + int64(badEach*time.Since(begin).Seconds()); bad.bytes.Load()>>10 > most {
				t.Errorf("bytes: got %d KiB taken, want at most %d", bad.bytes.Load()>>10, most)
			}
			if most := time.Second + time.Since(begin)/4; used > most {
				t.Errorf("processor: got %v, want at most %v", used, most)
			}
			if mem.most > badMemory {
				t.Errorf("memory: got %d MiB, want at most %d", mem.most, badMemory)
			}
			events, o := live.Query(t.Context(), client.Filter{})
			if o != nil || len(events) != 3 {
				t.Errorf("served: got %d events (%v), want the announcement, its state and the issue", len(events), o)
			}
		})
	}
}

// processor is how much time of a processor a process has used.
func (p *process) processor(t *testing.T) time.Duration {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	var user, system int64
	_, _ = fmt.Sscan(fields[11], &user)
	_, _ = fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// A badRelay is what a relay does.
type badRelay struct {
	name   string
	answer func(c *badConn, verb, sub string, rest []json.RawMessage) // to each message; one after the other
	talk   func(c *badConn)                                           // from the first message on, until the connection ends
}

type badServer struct {
	badRelay

	url                      string
	events                   []*nostr.Event
	connections, said, bytes atomic.Int64
	signed                   sync.Once
	list                     []string // events, as JSON
}

type badConn struct {
	*badServer

	ctx    context.Context //nolint:containedctx // it is the life of the connection
	socket *websocket.Conn
	sub    atomic.Pointer[string] // the last one
	n      int
}

func newBadRelay(t *testing.T, b badRelay) *badServer {
	t.Helper()
	s := &badServer{badRelay: b}
	ended := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.connections.Add(1)
		socket, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer socket.CloseNow()
		socket.SetReadLimit(64 << 20)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		go func() {
			select {
			case <-ended:
				cancel()
			case <-ctx.Done():
			}
		}()
		c := &badConn{badServer: s, ctx: ctx, socket: socket}
		begun := false
		for {
			_, text, err := socket.Read(ctx)
			if err != nil {
				return
			}
			var parts []json.RawMessage
			var verb, sub string
			if json.Unmarshal(text, &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[0], &verb) != nil || json.Unmarshal(parts[1], &sub) != nil {
				continue
			}
			if verb == "REQ" || verb == "NEG-OPEN" {
				c.sub.Store(&sub)
			}
			if s.answer != nil {
				s.answer(c, verb, sub, parts[2:])
			}
			if s.talk != nil && !begun {
				begun = true
				go s.talk(c)
			}
		}
	}))
	t.Cleanup(func() { close(ended); web.CloseClientConnections(); web.Close() })
	s.url = "ws" + strings.TrimPrefix(web.URL, "http")
	return s
}

// says sends a frame, and reports whether it was taken.
func (c *badConn) says(format string, args ...any) bool {
	text := fmt.Sprintf(format, args...)
	if c.socket.Write(c.ctx, websocket.MessageText, []byte(text)) != nil {
		return false
	}
	c.said.Add(1)
	c.bytes.Add(int64(len(text)))
	return true
}

// next is an event that was signed before: an announcement of another service, each older than the one before.
func (c *badConn) next() string {
	c.signed.Do(func() {
		key := client.NewKey("bad", "relay")
		for i := range badSigned {
			c.list = append(c.list, string(client.EventJSON(client.Announce(key, client.AnnounceOpts{
				Identifier: fmt.Sprint("unknown-", i), Clone: []string{"https://elsewhere.example/x.git"}, Relays: []string{"wss://elsewhere.example"},
				CreatedAt: time.Now().Unix() - int64(i),
			}))))
		}
	})
	c.n++
	return c.list[c.n%len(c.list)]
}

// serves is a relay that is well, and knows no negentropy.
func serves(c *badConn, verb, sub string, rest []json.RawMessage) {
	if verb == "NEG-OPEN" {
		c.says(`["NEG-ERR",%q,"error: no"]`, sub)
		return
	}
	if verb != "REQ" {
		return
	}
	for _, raw := range rest {
		var f nostr.Filter
		if json.Unmarshal(raw, &f) != nil || f.LimitZero {
			continue
		}
		for _, ev := range c.events {
			if f.Matches(ev) {
				c.says(`["EVENT",%q,%s]`, sub, client.EventJSON(ev))
			}
		}
	}
	c.says(`["EOSE",%q]`, sub)
}

func badRelays() []badRelay {
	forever := func(text func(c *badConn, sub string) string) func(c *badConn) {
		return func(c *badConn) {
			for c.says("%s", text(c, *c.sub.Load())) {
			}
		}
	}
	declines := func(then func(c *badConn, sub string)) func(*badConn, string, string, []json.RawMessage) {
		return func(c *badConn, verb, sub string, _ []json.RawMessage) {
			switch verb {
			case "NEG-OPEN":
				c.says(`["NEG-ERR",%q,"error: no"]`, sub)
			case "REQ":
				then(c, sub)
			}
		}
	}
	nothing := declines(func(*badConn, string) {})
	return []badRelay{
		{name: "forges without end", answer: nothing, talk: forever(func(c *badConn, sub string) string {
			c.n++
			ev := &nostr.Event{ID: fmt.Sprintf("%064x", c.n), PubKey: strings.Repeat("ab", 32), Kind: 30617, Tags: nostr.Tags{{"d", "x"}}, Sig: strings.Repeat("ab", 64)}
			ev.ID = ev.GetID()
			return fmt.Sprintf(`["EVENT",%q,%s]`, sub, ev)
		})},
		{name: "pages without end", answer: declines(func(c *badConn, sub string) {
			for range 500 {
				if !c.says(`["EVENT",%q,%s]`, sub, c.next()) {
					return
				}
			}
			c.says(`["EOSE",%q]`, sub)
		})},
		{name: "one page without end", answer: nothing, talk: forever(func(c *badConn, sub string) string { return fmt.Sprintf(`["EVENT",%q,%s]`, sub, c.next()) })},
		{
			name: "events of repositories that nobody knows, unasked", answer: declines(func(c *badConn, sub string) { c.says(`["EOSE",%q]`, sub) }),
			talk: forever(func(c *badConn, _ string) string { return fmt.Sprintf(`["EVENT","l1",%s]`, c.next()) }),
		},
		{name: "never ends an answer", answer: nothing},
		{name: "closes everything", answer: declines(func(c *badConn, sub string) { c.says(`["CLOSED",%q,"error: no"]`, sub) })},
		{name: "notices without end", answer: nothing, talk: forever(func(*badConn, string) string { return `["NOTICE","` + strings.Repeat("x", 1000) + `"]` })},
		{name: "challenges without end", answer: nothing, talk: forever(func(c *badConn, _ string) string { c.n++; return fmt.Sprintf(`["AUTH","%d"]`, c.n) })},
		{name: "junk without end", answer: nothing, talk: forever(func(*badConn, string) string { return strings.Repeat("[", 60_000) })},
		{name: "giant frames", answer: nothing, talk: forever(func(*badConn, string) string { return `["NOTICE","` + strings.Repeat("x", 64<<20) + `"]` })},
		{name: "large frames", answer: nothing, talk: forever(func(*badConn, string) string { return `["NOTICE","` + strings.Repeat("x", 1<<20) + `"]` })},
		{name: "one frame that drips", answer: nothing, talk: func(c *badConn) {
			w, err := c.socket.Writer(c.ctx, websocket.MessageText)
			if err != nil {
				return
			}
			for tick := time.NewTicker(100 * time.Millisecond); ; {
				select {
				case <-tick.C:
					if _, err := w.Write([]byte("[")); err != nil {
						return
					}
				case <-c.ctx.Done():
					return
				}
			}
		}},
		{name: "compares without end", answer: func(c *badConn, verb, sub string, _ []json.RawMessage) {
			switch verb {
			case "NEG-OPEN", "NEG-MSG": // what it has from the beginning to the end has a fingerprint that nobody's has
				var print [16]byte
				_, _ = rand.Read(print[:])
				c.says(`["NEG-MSG",%q,%q]`, sub, "61000001"+hex.EncodeToString(print[:]))
			case "REQ":
				c.says(`["EOSE",%q]`, sub)
			}
		}},
		{name: "names what it does not have", answer: func(c *badConn, verb, sub string, _ []json.RawMessage) {
			switch verb {
			case "NEG-OPEN": // 10,000 ids from the beginning to the end
				ids := make([]byte, 10_000*32)
				_, _ = rand.Read(ids)
				c.says(`["NEG-MSG",%q,%q]`, sub, "61000002ce10"+hex.EncodeToString(ids))
			case "REQ":
				c.says(`["EOSE",%q]`, sub)
			}
		}},
	}
}
