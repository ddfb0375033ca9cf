package client_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// Where the relay says how many subscriptions it takes, one more is not asked for, and a query goes over another connection.
func TestStatedSubscriptionsAreKept(t *testing.T) {
	var asked atomic.Int64
	c := scripted(t, client.Options{Subscriptions: 1}, func(send func(string), msg []json.RawMessage) bool {
		if label(msg) == "REQ" {
			asked.Add(1)
			send(`["EOSE",` + string(msg[1]) + `]`)
		}
		return true
	})
	r := connect(t.Context(), t, c)
	if _, o := r.Subscribe(t.Context(), "one", client.Filter{}); o != nil {
		t.Fatalf("got %v, want the first subscription", o)
	}
	if _, o := r.Subscribe(t.Context(), "one", client.Filter{}); o != nil {
		t.Errorf("got %v, want the first subscription anew", o)
	}
	if _, o := r.Subscribe(t.Context(), "two", client.Filter{}); o != (client.NoRoom{Most: 1}) {
		t.Errorf("got %v, want no room", o)
	}
	if _, o := r.Query(t.Context(), client.Filter{}); o != nil || asked.Load() != 3 {
		t.Errorf("got %v behind %d queries, want an answer behind 3", o, asked.Load())
	}
	if o := r.Unsubscribe(t.Context(), "one"); o != nil {
		t.Fatal(o)
	}
	if _, o := r.Subscribe(t.Context(), "two", client.Filter{}); o != nil {
		t.Errorf("got %v, want room once the first one is closed", o)
	}
}

// A 403 is what a request got, unless the document that was shown before gets it as well: then the pace is too high.
func TestEverythingForbiddenIsAPace(t *testing.T) {
	var asked, pages atomic.Int64
	var all atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			asked.Add(1)
		case r.URL.Path == "/page" && pages.Add(1) > 2:
			all.Store(false)
		}
		if all.Load() || r.URL.Path == "/forbidden" {
			w.WriteHeader(http.StatusForbidden)
		}
	}))
	t.Cleanup(server.Close)
	c := clientOf(t, server.URL, client.Options{})
	status := func(path string) int {
		answer, is := c.Get(t.Context(), path, http.Header{"Accept": {"application/nostr+json"}}).(client.HTTPAnswer)
		if !is {
			return 0
		}
		return answer.Status
	}
	if got := status("/forbidden"); got != http.StatusForbidden || asked.Load() != 0 {
		t.Errorf("before the document was shown: got %d, and it was asked for %d times", got, asked.Load())
	}
	if got := status("/"); got != http.StatusOK {
		t.Fatalf("got %d", got)
	}
	if got := status("/forbidden"); got != http.StatusForbidden || asked.Load() != 2 {
		t.Errorf("got %d, and the document was asked for %d times, want 403 and 2", got, asked.Load())
	}
	all.Store(true)
	if got := status("/page"); got != http.StatusOK {
		t.Errorf("got %d, want the answer that comes later", got)
	}
}

// Nothing is claimed of git's services that they are known not to offer.
func TestUnofferedIsNotClaimed(t *testing.T) {
	const path, oid = "/npub1/x.git", "1111111111111111111111111111111111111111"
	var bodies []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "application/x-git-receive-pack-advertisement")
			_, _ = w.Write([]byte("001f# service=git-receive-pack\n0000"))
			line := oid + " refs/heads/main\x00report-status delete-refs\n"
			_, _ = w.Write(append(client.WireLine(line), "0000"...))
			return
		}
		raw := make([]byte, 200)
		n, _ := r.Body.Read(raw)
		bodies = append(bodies, string(raw[:n]))
	}))
	t.Cleanup(server.Close)
	c := clientOf(t, server.URL, client.Options{})
	push := client.PushOpts{Commands: []client.Command{{Old: client.ZeroOID, New: oid, Ref: "refs/heads/x"}}}
	c.Push(t.Context(), path, push)
	if o := c.Advertise(t.Context(), path, client.ReceivePack, 0); o == nil {
		t.Fatal("no advertisement")
	}
	c.Push(t.Context(), path, push)
	want := []string{client.CapsDefault, "report-status"}
	for i, body := range bodies {
		if end := "\x00 " + want[i] + "0000"; len(body) < len(end) || body[len(body)-len(end):] != end {
			t.Errorf("push %d: got %q, want it to claim %q", i, body, want[i])
		}
	}
	if len(bodies) != len(want) {
		t.Errorf("got %d pushes, want %d", len(bodies), len(want))
	}
}

// Where the relay says how many filters it takes in a query, one that has more is not asked.
func TestStatedFiltersAreKept(t *testing.T) {
	var asked atomic.Int64
	c := scripted(t, client.Options{Filters: 1}, func(send func(string), msg []json.RawMessage) bool {
		switch label(msg) {
		case "REQ":
			asked.Add(1) // before the client hears of it
			send(`["EOSE",` + string(msg[1]) + `]`)
		case "COUNT":
			asked.Add(1)
			send(`["COUNT",` + string(msg[1]) + `,{"count":0}]`)
		}
		return true
	})
	r := connect(t.Context(), t, c)
	two, many := []client.Filter{{Kinds: []int{1}}, {Kinds: []int{2}}}, client.TooManyFilters{Most: 1}
	if _, o := r.Query(t.Context(), two...); o != many {
		t.Errorf("query: got %v, want %v", o, many)
	}
	if _, o := r.Count(t.Context(), two...); o != many {
		t.Errorf("count: got %v, want %v", o, many)
	}
	if _, o := r.Query(t.Context(), two[:1]...); o != nil {
		t.Errorf("query: got %v, want an answer", o)
	}
	if _, o := r.Count(t.Context(), two[:1]...); o != nil || asked.Load() != 2 {
		t.Errorf("count: got %v behind %d questions, want an answer behind 2", o, asked.Load())
	}
}
