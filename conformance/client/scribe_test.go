package client_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
)

// A listener keeps what it is told, or refuses to.
type listener struct {
	full    error
	events  []ledger.Event
	pushes  []ledger.Push
	answers []string
}

func (l *listener) Event(e ledger.Event) error {
	l.events = append(l.events, e)
	return l.full
}

func (l *listener) Push(p ledger.Push) error {
	l.pushes = append(l.pushes, p)
	return l.full
}

func (l *listener) Answer(id string, taken bool) {
	if taken {
		l.answers = append(l.answers, id)
	}
}

// Whatever a relay may take for an event is told before it is sent, in whatever way that is done.
func TestScribeHearsOfEvents(t *testing.T) {
	key := client.NewKey("scribe", "alice")
	ev := client.Announce(key, client.AnnounceOpts{Identifier: "demo x", CreatedAt: 7})
	raw := string(client.EventJSON(ev))
	const odd = `"id"`
	tests := []struct {
		name string
		send func(r *client.Relay)
		want string // id
	}{
		{"published", func(r *client.Relay) { r.Publish(t.Context(), ev) }, ev.ID},
		{"published once", func(r *client.Relay) { r.PublishOnce(t.Context(), ev) }, ev.ID},
		{"malformed", func(r *client.Relay) { r.PublishMalformed(t.Context(), []byte(raw), ev.ID) }, ev.ID},
		{"a whole frame", func(r *client.Relay) { r.PublishFrame(t.Context(), []byte(`["EVENT",`+raw+`]`), ev.ID) }, ev.ID},
		{"raw, with spaces", func(r *client.Relay) { r.SendRaw(t.Context(), []byte(` [ "EVENT" , `+raw+` ] `)) }, ev.ID},
		{"a verb in small letters", func(r *client.Relay) { r.SendRaw(t.Context(), []byte(`["event",`+raw+`]`)) }, ev.ID},
		{"of another form", func(r *client.Relay) {
			r.SendRaw(t.Context(), []byte(`["EVENT",`+strings.Replace(raw, `"kind":30617`, `"kind":"30617"`, 1)+`]`))
		}, ev.ID},
		{"no JSON", func(r *client.Relay) { r.SendRaw(t.Context(), []byte(`["EVENT",`+raw+`],`)) }, ev.ID},
		{"an escaped member", func(r *client.Relay) {
			r.SendRaw(t.Context(), []byte(`["EVENT",`+strings.Replace(raw, odd, `"\u0069d"`, 1)+`]`))
		}, ev.ID},
		{"a question about it", func(r *client.Relay) { r.SendRaw(t.Context(), []byte(`["REQ","EVENT",{"ids":["`+ev.ID+`"]}]`)) }, ""},
		{"an authentication", func(r *client.Relay) { r.Authenticate(t.Context(), []byte(raw), ev.ID) }, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			heard := &listener{}
			c := scripted(t, client.Options{Scribe: heard, Settle: impatient.Settle, Quiet: impatient.Quiet}, func(send func(string), _ []json.RawMessage) bool {
				send(frame("OK", ev.ID, true, ""))
				return true
			})
			test.send(connect(t.Context(), t, c))
			got := ""
			if len(heard.events) > 0 {
				got = heard.events[0].ID
			}
			if got != test.want || len(heard.events) > 1 {
				t.Errorf("got %+v, want %q", heard.events, test.want)
			}
		})
	}
	heard := &listener{}
	c := scripted(t, client.Options{Scribe: heard}, func(send func(string), _ []json.RawMessage) bool {
		send(frame("OK", ev.ID, true, ""))
		return true
	})
	connect(t.Context(), t, c).Publish(t.Context(), ev)
	want := ledger.Event{
		ID: ev.ID, Kind: 30617, Pubkey: key.Pubkey, CreatedAt: 7, Identifier: "demo x", Address: "30617:" + key.Pubkey + ":demo x",
		Repository: c.CloneURL(key.Pubkey, "demo x"), Bytes: len(`["EVENT",` + raw + `]`),
	}
	if diff := cmp.Diff([]ledger.Event{want}, heard.events); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
	if len(heard.answers) != 1 || heard.answers[0] != ev.ID {
		t.Errorf("answers: got %q, want that for %s", heard.answers, ev.ID)
	}
}

// A push is told with its repository before it begins, and what cannot be listed is not sent.
func TestScribeHearsOfPushes(t *testing.T) {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusForbidden)
	}))
	defer server.Close()
	heard := &listener{}
	c := clientOf(t, server.URL, client.Options{Scribe: heard})
	c.Get(t.Context(), "/npub1x/a.git/info/refs?service=git-receive-pack", nil)
	c.Do(t.Context(), http.MethodPost, "/npub1x/a.git/git-upload-pack", nil, []byte("0000"))
	c.Push(t.Context(), "/npub1x/a.git.git", client.PushOpts{RawBody: []byte("0000")})
	c.Do(t.Context(), http.MethodPut, "/npub1x/b%2Ec.git/objects/x", nil, []byte("x"))
	want := []ledger.Push{{Repository: server.URL + "/npub1x/a.git.git", Bytes: 4}, {Repository: server.URL + "/npub1x/b%2Ec.git", Bytes: 1}}
	if diff := cmp.Diff(want, heard.pushes); diff != "" {
		t.Errorf("pushes (-want +got):\n%s", diff)
	}
	if asked != 4 {
		t.Errorf("requests: got %d, want 4", asked)
	}
	heard.full = errors.New("no space left")
	if o, is := c.Push(t.Context(), "/npub1x/a.git", client.PushOpts{RawBody: []byte("0000")}).(client.TransportError); !is || o.Phase != "ledger" || asked != 4 {
		t.Errorf("an unlisted push: got %v, %d requests", o, asked)
	}
	sent := 0
	r := connect(t.Context(), t, scripted(t, client.Options{Scribe: heard}, func(func(string), []json.RawMessage) bool { sent++; return true }))
	if o := r.Publish(t.Context(), client.Note(client.NewKey("scribe", "a"), nil, "", 1)); !client.Inconclusive(o) || sent > 0 {
		t.Errorf("an unlisted event: got %v, %d messages", o, sent)
	}
}

// An event on a bare connection is told before it is sent, and its OK when it comes; what the scribe cannot list must not be sent.
func TestScribeHearsOfBareEvents(t *testing.T) {
	ev := client.Announce(client.NewKey("scribe", "alice"), client.AnnounceOpts{Identifier: "bare", CreatedAt: 7})
	scribe := &listener{}
	c := client.New(&full{most: 1}, client.Options{Scribe: scribe})
	if o := c.ListBare(ev); o != nil || len(scribe.events) != 1 || scribe.events[0].ID != ev.ID || scribe.events[0].Lent {
		t.Errorf("got %v and %v told, want the event, which nobody lends", o, scribe.events)
	}
	for text, want := range map[string]client.Observation{
		`["OK","` + ev.ID + `",true,""]`:                        client.OKFrame{ID: ev.ID, Accepted: true},
		`["OK","` + ev.ID + `",false,"invalid: no"]`:            client.OKFrame{ID: ev.ID, Prefix: "invalid", Text: "no"},
		`["OK","` + ev.ID + `",false,"rate-limited: too fast"]`: client.RateLimited{Text: "too fast"},
		`["OK","` + strings.Repeat("0", 64) + `",true,""]`:      nil,
		`["NOTICE","hello"]`:                                    nil,
		`["OK"`:                                                 nil,
	} {
		if diff := cmp.Diff(want, c.BareOK([]byte(text), ev)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
	if !cmp.Equal(scribe.answers, []string{ev.ID}) {
		t.Errorf("got the answers to %v", scribe.answers)
	}
	scribe.full = errors.New("the disk is full")
	if o := c.ListBare(ev); o == nil {
		t.Error("what cannot be listed may be sent")
	}
}
