package client_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/client"
)

// A doorkeeper is a relay for one member, and a git endpoint that wants a token. It challenges on connecting, or with the first refusal;
// and it may take anybody's proof, and turn away what is asked behind that.
func doorkeeper(t *testing.T, member string, late, credulous bool) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			if !strings.HasPrefix(r.Header.Get("Authorization"), "Nostr ") {
				w.WriteHeader(http.StatusUnauthorized)
			}
			return
		}
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		send := func(text string) { _ = ws.Write(r.Context(), websocket.MessageText, []byte(text)) }
		if !late {
			send(`["NOTICE","hello"]`)
			send(frame("AUTH", "c"))
		}
		inside, known := false, false
		for {
			_, raw, err := ws.Read(r.Context())
			if err != nil {
				return
			}
			var msg []json.RawMessage
			if json.Unmarshal(raw, &msg) != nil || len(msg) < 2 {
				continue
			}
			switch {
			case label(msg) == "AUTH":
				inside, known = strings.Contains(string(msg[1]), member), true
				if inside || credulous {
					send(frame("OK", eventID(msg[1]), true, ""))
				} else {
					send(frame("OK", eventID(msg[1]), false, "restricted: no"))
				}
			case label(msg) == "REQ" && inside:
				send(frame("EOSE", text(msg[1])))
			case label(msg) == "REQ":
				if credulous && known {
					send(frame("CLOSED", text(msg[1]), "restricted: no"))
					continue
				}
				send(frame("CLOSED", text(msg[1]), "auth-required: who?"))
				if late {
					send(frame("AUTH", "c"))
				}
			}
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// A member is let in at every connection, before anybody has it, whenever the challenge comes; nobody else is.
func TestDoor(t *testing.T) {
	member, stranger := client.NewKey("door", "member"), client.NewKey("door", "stranger")
	for name, is := range map[string]struct{ late, credulous bool }{"on connecting": {}, "with a refusal": {late: true}, "any proof is taken": {credulous: true}} {
		t.Run(name, func(t *testing.T) {
			url := doorkeeper(t, member.Pubkey, is.late, is.credulous).URL
			outside := clientOf(t, url, client.Options{})
			somewhere := outside.RepoPath(member.Pubkey, "x")
			door, why := outside.FindDoor(t.Context(), somewhere)
			if door == nil || !door.Relay || !door.Git || door.Late != is.late || !strings.Contains(why, "auth-required") {
				t.Fatalf("got %+v, %q", door, why)
			}
			door.Key = stranger
			if why := outside.Knock(t.Context(), door, somewhere); !strings.Contains(why, "restricted") {
				t.Errorf("a stranger: got %q", why)
			}
			if r, o := clientOf(t, url, client.Options{Door: door}).Relay(t.Context()); is.credulous {
				r.Close()
			} else if !client.Inconclusive(o) {
				t.Errorf("a stranger: got %v, want what proves nothing", o)
			}
			door.Key = member
			if why := outside.Knock(t.Context(), door, somewhere); why != "" {
				t.Errorf("a member: got %q", why)
			}
			inside := clientOf(t, url, client.Options{Door: door})
			if _, o := connect(t.Context(), t, inside).Query(t.Context(), client.Filter{}); o != nil {
				t.Errorf("a member's query: got %v", o)
			}
			for path, want := range map[string]int{somewhere + "/info/refs": 200, "/": 426} {
				if answer, _ := inside.Get(t.Context(), path, nil).(client.HTTPAnswer); answer.Status != want {
					t.Errorf("%s: got %v, want %d", path, answer, want)
				}
			}
			if answer, _ := inside.Do(t.Context(), http.MethodOptions, somewhere, nil, nil).(client.HTTPAnswer); answer.Status != http.StatusUnauthorized {
				t.Errorf("a preflight has credentials: got %v", answer)
			}
		})
	}
}

// Where everybody is let in there is no door.
func TestNoDoor(t *testing.T) {
	c := scripted(t, client.Options{}, func(send func(string), msg []json.RawMessage) bool {
		if label(msg) == "REQ" {
			send(frame("EOSE", text(msg[1])))
		}
		return true
	})
	if door, why := c.FindDoor(t.Context(), "/x"); door != nil || why != "" {
		t.Errorf("got %+v, %q", door, why)
	}
}

// A token names the repository, whatever of it is asked for and however that is written.
func TestTokenNamesTheRepository(t *testing.T) {
	for path, want := range map[string]string{
		"/npub1x/demo.git": "/npub1x/demo.git",
		"/npub1x/demo.git/info/refs?service=git-upload-pack":      "/npub1x/demo.git",
		"/npub1x/d%65mo%2f.git/git-receive-pack":                  "/npub1x/demo%2F.git",
		"/npub1x/demo":                                            "/npub1x/demo.git",
		"/prs/npub1x/demo.git/info/refs?service=git-receive-pack": "/prs/npub1x/demo.git",
		"/nowhere":       "/nowhere",
		"/npub1x/%zz":    "/npub1x/%zz",
		"/npub1x/?a=b.c": "/npub1x/",
	} {
		if got := client.RootOf(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
