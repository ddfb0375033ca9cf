package client_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

func TestPathsGoOutVerbatim(t *testing.T) {
	var seen string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Method + " " + r.RequestURI
		w.WriteHeader(http.StatusNoContent)
	}))
	defer server.Close()
	c := clientOf(t, server.URL+"/base/", client.Options{})
	for _, path := range []string{"/", "/a/../b", "/%2e%2E/x%2fy//z", "/a%00b?q=%2F", "/x?"} {
		o := c.Get(t.Context(), path, nil)
		if answer, ok := o.(client.HTTPAnswer); !ok || answer.Status != http.StatusNoContent {
			t.Errorf("Get(%s): got %v, want 204", path, o)
		}
		if want := "GET /base" + path; seen != want {
			t.Errorf("request line: got %q, want %q", seen, want)
		}
	}
}

func TestHTTPAnswerTellsWhatWasSent(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Accept-Encoding"); got != "" {
			t.Errorf("Accept-Encoding: got %q, want none", got)
		}
		if _, err := io.Copy(w, r.Body); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	c := clientOf(t, server.URL, client.Options{})
	o := c.Do(t.Context(), http.MethodPost, "/", http.Header{"X-Test": {"1"}}, []byte(strings.Repeat("x", 100_000)))
	if answer, ok := o.(client.HTTPAnswer); !ok || answer.BytesSent != 100_000 || len(answer.Body) != 100_000 {
		t.Errorf("Do: got %v, want 100,000 bytes there and back", o)
	}
}

func TestHTTPSilence(t *testing.T) {
	hang := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			w.Header().Set("Content-Length", "10")
			w.WriteHeader(http.StatusOK)
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
		}
		<-hang
	}))
	defer server.Close()
	defer close(hang)
	c := clientOf(t, server.URL, impatient)
	for _, path := range []string{"/", "/body"} {
		o := c.Get(t.Context(), path, nil)
		if s, ok := o.(client.Silence); !ok || s.After < impatient.Settle {
			t.Errorf("Get(%s): got %v, want silence for at least %v", path, o, impatient.Settle)
		}
	}
}

func TestUnreachableIsATransportError(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	url := server.URL
	server.Close()
	c := clientOf(t, url, client.Options{})
	o := c.Get(t.Context(), "/", nil)
	if _, ok := o.(client.TransportError); !ok || !client.Inconclusive(o) {
		t.Errorf("Get: got %v, want a transport error", o)
	}
	if _, o := c.Relay(t.Context()); !client.Inconclusive(o) {
		t.Errorf("Relay: got %v, want a transport error", o)
	}
}

func TestURLs(t *testing.T) {
	c := clientOf(t, "https://grasp.example:8443/base/", client.Options{})
	key := client.NewKey("urls", "alice")
	if got, want := c.RelayURL(), "wss://grasp.example:8443/base"; got != want {
		t.Errorf("RelayURL: got %s, want %s", got, want)
	}
	if got, want := c.RepoPath(key.Pubkey, "a b/é.%"), "/"+key.Npub+"/a%20b%2F%C3%A9.%25.git"; got != want {
		t.Errorf("RepoPath: got %s, want %s", got, want)
	}
	if got, want := c.CloneURL(key.Pubkey, "x"), "https://grasp.example:8443/base/"+key.Npub+"/x.git"; got != want {
		t.Errorf("CloneURL: got %s, want %s", got, want)
	}
}

func TestPoll(t *testing.T) {
	world := &stillWorld{now: time.Unix(1_700_000_000, 0)}
	c := client.New(world, client.Options{})
	start, steps := world.now, 0
	done, o := c.Poll(t.Context(), 30*time.Minute, func() (bool, client.Observation) {
		steps++
		return false, client.NoticeFrame{Text: "not yet"}
	})
	if done || o != client.Observation(client.NoticeFrame{Text: "not yet"}) {
		t.Errorf("Poll in vain: got %t, %v, want the last observation", done, o)
	}
	if passed := world.now.Sub(start); passed != 30*time.Minute || steps < 10 || steps > 200 {
		t.Errorf("Poll in vain: got %d steps in %v, want some dozens in 30m", steps, passed)
	}
	if done, _ := c.Poll(t.Context(), time.Hour, func() (bool, client.Observation) { return world.now.Sub(start) > 31*time.Minute, nil }); !done {
		t.Error("Poll: got false, want true")
	}
	world.err = errors.New("broken clock")
	if done, o := c.Poll(t.Context(), time.Hour, func() (bool, client.Observation) { return false, nil }); done || !client.Inconclusive(o) {
		t.Errorf("Poll with a broken clock: got %t, %v, want a transport error", done, o)
	}
}

// Who waits for what has no bound lets others come meanwhile; who waits for a bound does not.
func TestLongPollsRest(t *testing.T) {
	for within, rests := range map[time.Duration]bool{10 * time.Second: false, 15 * time.Second: true, time.Minute: true} {
		rested := 0
		c := client.New(&stillWorld{now: time.Unix(1_700_000_000, 0)}, client.Options{Rest: func(wait func()) { rested++; wait() }})
		c.Poll(t.Context(), within, func() (bool, client.Observation) { return false, nil })
		if rested > 0 != rests {
			t.Errorf("Poll within %v: rested %d times, want rests %t", within, rested, rests)
		}
	}
}

// What comes soon after a short bound is late where time is not ours, and not done where it is.
func TestPollTellsLateness(t *testing.T) {
	world := &stillWorld{now: time.Unix(1_700_000_000, 0)}
	free := &movedWorld{stillWorld{now: world.now}}
	for _, test := range []struct {
		on           target.Target
		comes, bound time.Duration
		done, late   bool
	}{
		{world, 5 * time.Second, 5 * time.Second, true, false},
		{world, 6 * time.Second, 5 * time.Second, false, true},
		{world, 11 * time.Second, 5 * time.Second, false, false},
		{world, 31 * time.Minute, 30 * time.Minute, false, false},
		{free, 6 * time.Second, 5 * time.Second, false, false},
	} {
		start := test.on.Now()
		done, o := client.New(test.on, client.Options{}).Poll(t.Context(), test.bound, func() (bool, client.Observation) {
			return test.on.Now().Sub(start) >= test.comes, nil
		})
		_, late := o.(client.Late)
		if done != test.done || late != test.late || late != client.Inconclusive(o) && o != nil {
			t.Errorf("after %v of %v: got %t, %v, want done %t, late %t", test.comes, test.bound, done, o, test.done, test.late)
		}
	}
}

func TestPollIsNotLongerThanTheTargetIsPatient(t *testing.T) {
	c := clientOf(t, "http://127.0.0.1:1", client.Options{})
	steps := 0
	done, o := c.Poll(t.Context(), 30*time.Minute, func() (bool, client.Observation) { steps++; return false, nil })
	if done || !client.Inconclusive(o) || steps != 1 {
		t.Errorf("Poll for 30m, budget 10s: got %t, %v after %d steps, want a transport error after 1", done, o, steps)
	}
}

func TestKnownIdlenessIsSilence(t *testing.T) {
	c := client.New(&stillWorld{now: time.Unix(1_700_000_000, 0)}, client.Options{})
	_, relay := c.Relay(t.Context())
	for name, o := range map[string]client.Observation{
		"Relay":     relay,
		"Get":       c.Get(t.Context(), "/", nil),
		"Advertise": c.Advertise(t.Context(), "/x.git", client.UploadPack, 2),
		"Push":      c.Push(t.Context(), "/x.git", client.PushOpts{}),
	} {
		_, refused := client.Refusal(o)
		if _, silent := o.(client.Silence); !silent || refused || !client.Inconclusive(o) {
			t.Errorf("%s of a target that is idle: got %v, want silence", name, o)
		}
	}
}
