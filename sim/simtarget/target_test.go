package simtarget_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/simtarget"
)

// person is somebody with one connection to a simulated server.
type person struct {
	t      *testing.T
	target *simtarget.Target
	conn   target.Conn
	identity.Identity
}

func meet(t *testing.T, server *simtarget.Target, name string) *person {
	t.Helper()
	conn, err := server.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &person{t, server, conn, identity.New(1, name)}
}

func (p *person) send(frame string) {
	p.t.Helper()
	if err := p.conn.Send(p.t.Context(), []byte(frame)); err != nil {
		p.t.Fatal(err)
	}
}

// recv returns the verb and the raw message, "" when the connection is idle.
func (p *person) recv() (verb, raw string) {
	p.t.Helper()
	msg, err := p.conn.Recv(p.t.Context())
	if errors.Is(err, target.ErrIdle) {
		return "", ""
	}
	if err != nil {
		p.t.Fatal(err)
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(msg, &parts); err != nil {
		p.t.Fatalf("%s: %v", msg, err)
	}
	if err := json.Unmarshal(parts[0], &verb); err != nil {
		p.t.Fatal(err)
	}
	return verb, string(msg)
}

// publish signs and sends an event of this instant.
func (p *person) publish(kind int, tags nostr.Tags) *nostr.Event {
	p.t.Helper()
	ev := &nostr.Event{Kind: kind, CreatedAt: nostr.Timestamp(p.target.Now().Unix()), Tags: tags}
	if err := p.Sign(ev); err != nil {
		p.t.Fatal(err)
	}
	p.send(fmt.Sprintf(`["EVENT",%s]`, ev))
	return ev
}

func (p *person) expect(verb, part string) {
	p.t.Helper()
	got, raw := p.recv()
	if got != verb || !strings.Contains(raw, part) {
		p.t.Fatalf("got %q, want %s with %q", raw, verb, part)
	}
}

func (p *person) id() repo.ID { return repo.ID{Owner: repo.PubKey(p.PubKey), Identifier: "demo"} }

func (p *person) announce() *nostr.Event {
	p.t.Helper()
	url := p.target.ServiceURL()
	ev := p.publish(30617, nostr.Tags{
		{"d", "demo"}, {"clone", url + p.id().Path()}, {"relays", "ws" + strings.TrimPrefix(url, "http")},
	})
	p.expect("OK", `true,"purgatory:`)
	return ev
}

func (p *person) http(method, path, contentType string, body []byte) (status int, answer string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.target.ServiceURL()+path, bytes.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := p.target.RoundTrip(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func (p *person) refs() (status int, answer string) {
	p.t.Helper()
	return p.http(http.MethodGet, p.id().Path()+"/info/refs?service=git-upload-pack", "", nil)
}

// push pushes a new commit to main of an empty repository and returns its id and the answer.
func (p *person) push() (repo.OID, string) {
	p.t.Helper()
	commit, objects := firstCommit()
	var body bytes.Buffer
	line := fmt.Sprintf("%s %s refs/heads/main\x00 report-status", repo.ZeroOID, commit)
	fmt.Fprintf(&body, "%04x%s0000", len(line)+4, line)
	if err := gitstore.WritePack(&body, objects); err != nil {
		p.t.Fatal(err)
	}
	status, answer := p.http("POST", p.id().Path()+"/git-receive-pack", "application/x-git-receive-pack-request", body.Bytes())
	if status != 200 {
		p.t.Fatalf("push: got status %d %q, want 200", status, answer)
	}
	return commit, answer
}

func firstCommit() (repo.OID, []gitstore.Object) {
	blob := gitstore.NewBlob([]byte("hello\n"))
	tree := gitstore.NewTree(gitstore.Entry{Name: "hello", OID: blob.OID()})
	commit := gitstore.NewCommit(tree.OID(), nil, 1, "first\n")
	return commit.OID(), []gitstore.Object{blob, tree, commit}
}

func TestPushReleasesWhatIsHeld(t *testing.T) {
	server := simtarget.New(simtarget.Options{})
	owner, watcher := meet(t, server, "owner"), meet(t, server, "watcher")
	watcher.send(`["REQ","live",{"kinds":[30617,30618]}]`)
	watcher.expect("EOSE", "live")
	announcement := owner.announce()
	commit, _ := firstCommit()
	if _, answer := owner.push(); !strings.Contains(answer, "ng refs/heads/main") {
		t.Errorf("push without a state: got %q, want ng", answer)
	}
	state := owner.publish(30618, nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(commit)}, {"HEAD", "ref: refs/heads/main"}})
	owner.expect("OK", `true,"purgatory:`)
	if verb, raw := watcher.recv(); verb != "" {
		t.Errorf("before the push: got %s, want nothing", raw)
	}
	if _, answer := owner.push(); !strings.Contains(answer, "ok refs/heads/main") {
		t.Fatalf("push: got %q, want ok", answer)
	}
	watcher.expect("EVENT", announcement.ID)
	watcher.expect("EVENT", state.ID)
	if status, answer := owner.refs(); status != 200 || !strings.Contains(answer, string(commit)+" refs/heads/main") {
		t.Errorf("refs: got %d %q, want main at %s", status, answer, commit)
	}
	if v := server.Violations(); len(v) > 0 {
		t.Errorf("got violations %v, want none", v)
	}
}

func TestDeadlinesAreExact(t *testing.T) {
	server := simtarget.New(simtarget.Options{})
	owner := meet(t, server, "owner")
	owner.announce()
	begun := server.Now()
	if err := server.Sleep(t.Context(), core.PurgatoryLife-1); err != nil {
		t.Fatal(err)
	}
	if status, _ := owner.refs(); status != 200 {
		t.Errorf("a nanosecond before the deadline: got %d, want 200", status)
	}
	if err := server.Sleep(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if status, _ := owner.refs(); status != 404 {
		t.Errorf("at the deadline: got %d, want 404", status)
	}
	if got := server.Now().Sub(begun); got != core.PurgatoryLife {
		t.Errorf("clock: got %v later, want %v", got, core.PurgatoryLife)
	}
}

func TestStartsAtTheFixedInstant(t *testing.T) {
	got := simtarget.New(simtarget.Options{}).Now()
	if want := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRestartAndKillKeepWhatWasAcknowledged(t *testing.T) {
	for name, end := range map[string]func(*simtarget.Target) error{
		"restart": func(s *simtarget.Target) error { return s.Restart(t.Context()) },
		"kill":    func(s *simtarget.Target) error { return s.Kill(t.Context()) },
	} {
		t.Run(name, func(t *testing.T) {
			server := simtarget.New(simtarget.Options{})
			owner := meet(t, server, "owner")
			owner.announce()
			commit, _ := firstCommit()
			owner.publish(30618, nostr.Tags{{"d", "demo"}, {"refs/heads/main", string(commit)}})
			owner.expect("OK", `true,"purgatory:`)
			if err := end(server); err != nil {
				t.Fatal(err)
			}
			if _, err := owner.conn.Recv(t.Context()); !errors.Is(err, target.ErrClosed) {
				t.Errorf("old connection: got %v, want ErrClosed", err)
			}
			if err := owner.conn.Send(t.Context(), []byte("x")); !errors.Is(err, target.ErrClosed) {
				t.Errorf("old connection: got %v, want ErrClosed", err)
			}
			again := meet(t, server, "owner")
			again.push()
			if err := end(server); err != nil {
				t.Fatal(err)
			}
			again = meet(t, server, "owner")
			again.send(`["REQ","all",{"kinds":[30617,30618]}]`)
			for _, verb := range []string{"EVENT", "EVENT", "EOSE"} {
				again.expect(verb, "")
			}
			if v := server.Violations(); len(v) > 0 {
				t.Errorf("got violations %v, want none", v)
			}
		})
	}
}

func TestRawPathsAreNotCleaned(t *testing.T) {
	server := simtarget.New(simtarget.Options{})
	owner := meet(t, server, "owner")
	owner.announce()
	for _, c := range []struct {
		opaque string
		want   int
	}{
		{owner.id().Path() + "/info/refs", 200},
		{"/x/.." + owner.id().Path() + "/info/refs", 404},
		{"/" + owner.Npub + "/..%2f..%2fdemo.git/info/refs", 400},
		{"/" + owner.Npub + "/%zz.git/info/refs", 400},
	} {
		req := &http.Request{Method: http.MethodGet, Header: http.Header{}, URL: &url.URL{
			Scheme: "http", Host: "grasp.example", Opaque: "//grasp.example" + c.opaque, RawQuery: "service=git-upload-pack",
		}}
		resp, err := server.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.want || resp.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: got %d with CORS %q, want %d with *", c.opaque, resp.StatusCode, resp.Header.Get("Access-Control-Allow-Origin"), c.want)
		}
	}
}

func TestWrongSignaturesAndJunkAreRefused(t *testing.T) {
	server := simtarget.New(simtarget.Options{})
	owner := meet(t, server, "owner")
	ev := &nostr.Event{Kind: 30617, CreatedAt: 1, Tags: nostr.Tags{{"d", "demo"}}}
	if err := owner.Sign(ev); err != nil {
		t.Fatal(err)
	}
	ev.Sig = strings.Repeat("00", 64)
	owner.send(fmt.Sprintf(`["EVENT",%s]`, ev))
	owner.expect("OK", "false,\"invalid:")
	owner.send("{")
	owner.expect("NOTICE", "")
	owner.send(strings.Repeat("x", 1<<20))
	if _, err := owner.conn.Recv(t.Context()); !errors.Is(err, target.ErrClosed) {
		t.Errorf("after a frame over the limit: got %v, want ErrClosed", err)
	}
	meet(t, server, "owner").announce()
}

// A core that does not answer a push leaves its client with nothing to wait for.
func TestUnansweredPushIsIdle(t *testing.T) {
	server := simtarget.New(simtarget.Options{Wrap: func(m core.Machine) core.Machine { return &deaf{m} }})
	owner := meet(t, server, "owner")
	owner.announce()
	line := fmt.Sprintf("%s %s refs/heads/main\x00 report-status", repo.ZeroOID, strings.Repeat("1", 40))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.ServiceURL()+owner.id().Path()+"/git-receive-pack",
		strings.NewReader(fmt.Sprintf("%04x%s0000", len(line)+4, line)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-git-receive-pack-request")
	//nolint:bodyclose // there is no response beside an error
	if _, err := server.RoundTrip(req); !errors.Is(err, target.ErrIdle) {
		t.Errorf("got %v, want ErrIdle", err)
	}
}

type deaf struct{ core.Machine }

func (d *deaf) Step(now instant.Instant, in core.Input, out *core.Effects) {
	if _, push := in.(core.PushAsked); !push {
		d.Machine.Step(now, in, out)
	}
}

func TestManyGoroutinesMayUseOneTarget(t *testing.T) {
	server := simtarget.New(simtarget.Options{})
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			p := meet(t, server, fmt.Sprintf("owner%d", i))
			p.announce()
			p.refs()
			if err := p.conn.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}
