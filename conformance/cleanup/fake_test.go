package cleanup_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A fake is a relay and a git host that has what it was given, and deletes as it was told to. Its time passes by our word alone.
type fake struct {
	document string
	events   map[string]*nostr.Event
	there    map[string]bool // repositories, by path
	requests []*nostr.Event  // deletion requests that came
	heeds    bool            // does as it is asked
	refusal  string          // refuses requests with these words
	limit    int             // "rate-limited:" for so many requests
	room     int             // "rate-limited:" for a key that names more than so many things that are not here, if not 0
	asked    int             // requests, also those that were refused
	named    map[string]int  // by key, what is remembered of such things
	silent   bool            // takes no connection
	members  []string        // the keys that it serves, if not everybody
	shut     string          // the path of which nobody has a token
	keeps    bool            // repositories stay when their announcement goes
	empty    bool            // there is nothing in them
	anywhere bool            // shows an empty repository at every path where there is none

	mu     sync.Mutex  // what follows and all above, while connections are open
	now    time.Time   // guarded by mu
	open   []*fakeConn // guarded by mu; in the order in which they came
	places int         // how many of them there may be, if not 0
	ends   bool        // the oldest for a new one, where there are more; else that gets none
	dialed int         // guarded by mu
	most   int         // guarded by mu; connections open at a time
}

func newFake() *fake {
	return &fake{
		document: `{"supported_nips":[1,9,11,40]}`, heeds: true, now: time.Unix(1_790_000_000, 0),
		events: make(map[string]*nostr.Event), there: make(map[string]bool), named: make(map[string]int),
	}
}

func (f *fake) Name() string                                       { return "fake" }
func (f *fake) ServiceURL() string                                 { return "http://127.0.0.1:7000" }
func (f *fake) Advance(ctx context.Context, d time.Duration) error { return f.Sleep(ctx, d) }

func (f *fake) Now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now
}

func (f *fake) Sleep(_ context.Context, d time.Duration) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = f.now.Add(d)
	return nil
}

func (f *fake) RoundTrip(req *http.Request) (*http.Response, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.silent {
		return nil, target.ErrIdle
	}
	path, _, _ := strings.Cut(target.RequestTarget(req), "?")
	repository := strings.TrimSuffix(path, "/info/refs")
	status, body, kind := http.StatusNotFound, "", "text/plain"
	switch {
	case path == "/":
		status, body = http.StatusOK, f.document
	case !f.admits(req), f.shut != "" && repository == f.shut:
		status = http.StatusUnauthorized
	case f.there[repository] && f.empty || f.anywhere && !f.there[repository]:
		const line = "0000000000000000000000000000000000000000 capabilities^{}\x00 agent=fake\n"
		status, kind = http.StatusOK, "application/x-git-upload-pack-advertisement"
		body = "001e# service=git-upload-pack\n0000" + fmt.Sprintf("%04x%s0000", len(line)+4, line)
	case f.there[repository]:
		const oid = "1111111111111111111111111111111111111111"
		line := oid + " refs/heads/main\x00 agent=fake\n"
		status, kind = http.StatusOK, "application/x-git-upload-pack-advertisement"
		body = "001e# service=git-upload-pack\n0000" + fmt.Sprintf("%04x%s0000", len(line)+4, line)
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewBufferString(body)), Request: req}, nil
}

func (f *fake) Dial(context.Context) (target.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dialed++
	if f.silent {
		return nil, target.ErrUnreachable
	}
	if f.places > 0 && len(f.open) == f.places {
		if !f.ends {
			return nil, target.ErrUnreachable
		}
		f.open[0].over = true
		f.open = f.open[1:]
	}
	c := &fakeConn{fake: f}
	f.open = append(f.open, c)
	f.most = max(f.most, len(f.open))
	if len(f.members) > 0 {
		c.say("AUTH", "a challenge")
	}
	return c, nil
}

// admits reports whether a request has the token of a member for the repository that it is about.
func (f *fake) admits(req *http.Request) bool {
	if len(f.members) == 0 {
		return true
	}
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(req.Header.Get("Authorization"), "Nostr "))
	var ev nostr.Event
	if err != nil || json.Unmarshal(raw, &ev) != nil {
		return false
	}
	u := ev.Tags.Find("u")
	return ev.Kind == client.KindHTTPAuth && slices.Contains(f.members, ev.PubKey) && len(u) == 2 && strings.HasPrefix(f.ServiceURL()+target.RequestTarget(req), u[1]+"/")
}

type fakeConn struct {
	fake   *fake
	queue  []string
	inside bool // a member has shown itself
	over   bool // the server has ended it
}

func (c *fakeConn) Close() error {
	c.fake.mu.Lock()
	defer c.fake.mu.Unlock()
	c.fake.open = slices.DeleteFunc(c.fake.open, func(other *fakeConn) bool { return other == c })
	return nil
}

func (c *fakeConn) Recv(context.Context) ([]byte, error) {
	c.fake.mu.Lock()
	defer c.fake.mu.Unlock()
	if c.over {
		return nil, io.EOF
	}
	if len(c.queue) == 0 {
		return nil, target.ErrIdle
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	return []byte(next), nil
}

func (c *fakeConn) say(parts ...any) {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err)
	}
	c.queue = append(c.queue, string(text))
}

func (c *fakeConn) Send(_ context.Context, msg []byte) error {
	c.fake.mu.Lock()
	defer c.fake.mu.Unlock()
	if c.over {
		return io.ErrClosedPipe
	}
	var parts []json.RawMessage
	var label, sub string
	if json.Unmarshal(msg, &parts) != nil || json.Unmarshal(parts[0], &label) != nil {
		panic("not a message")
	}
	switch label {
	case "REQ":
		var filter struct {
			IDs []string `json:"ids"`
		}
		if json.Unmarshal(parts[1], &sub) != nil || json.Unmarshal(parts[2], &filter) != nil {
			panic("not a question")
		}
		if len(c.fake.members) > 0 && !c.inside {
			c.say("CLOSED", sub, "auth-required: members only")
			return nil
		}
		for _, id := range filter.IDs {
			if !nostr.IsValid32ByteHex(id) {
				c.say("CLOSED", sub, "invalid: no id: "+id)
				return nil
			}
			if ev := c.fake.events[id]; ev != nil {
				c.say("EVENT", sub, ev)
			}
		}
		c.say("EOSE", sub)
	case "AUTH":
		var ev nostr.Event
		if json.Unmarshal(parts[1], &ev) != nil {
			panic("not an event")
		}
		c.inside = slices.Contains(c.fake.members, ev.PubKey)
		c.say("OK", ev.ID, c.inside, "restricted: members only")
	case "EVENT":
		var ev nostr.Event
		if json.Unmarshal(parts[1], &ev) != nil {
			panic("not an event")
		}
		c.fake.asked++
		switch {
		case !c.fake.remembers(&ev):
			c.say("OK", ev.ID, false, "rate-limited: too many deletions are remembered")
		case len(c.fake.members) > 0 && !c.inside:
			c.say("OK", ev.ID, false, "auth-required: members only")
		case c.fake.limit > 0:
			c.fake.limit--
			c.say("OK", ev.ID, false, "rate-limited: slow down")
		case c.fake.refusal != "":
			c.say("OK", ev.ID, false, c.fake.refusal)
		default:
			c.fake.requests = append(c.fake.requests, &ev)
			if c.fake.heeds {
				c.fake.remove(&ev)
			}
			c.say("OK", ev.ID, true, "")
		}
	}
	return nil
}

// remove does what a request asks for.
func (f *fake) remove(request *nostr.Event) {
	for id, ev := range f.events {
		address := fmt.Sprintf("%d:%s:%s", ev.Kind, ev.PubKey, ev.Tags.GetD())
		named := slices.ContainsFunc(request.Tags, func(tag nostr.Tag) bool {
			return tag[0] == "e" && tag[1] == id || tag[0] == "a" && tag[1] == address && ev.CreatedAt <= request.CreatedAt
		})
		if named && ev.PubKey == request.PubKey {
			delete(f.events, id)
			if npub, err := nip19.EncodePublicKey(ev.PubKey); err == nil && !f.keeps {
				delete(f.there, "/"+npub+"/"+ev.Tags.GetD()+".git")
			}
		}
	}
}

// remembers reports whether what a request names is remembered, or done away with at once.
func (f *fake) remembers(request *nostr.Event) bool {
	here, more := 0, 0
	for _, tag := range request.Tags {
		switch {
		case tag[0] == "e" && f.events[tag[1]] != nil:
			here++
		case tag[0] == "e" || tag[0] == "a":
			more++
		}
	}
	if f.room == 0 || f.named[request.PubKey]+here+more <= f.room {
		f.named[request.PubKey] += here + more
		return true
	}
	return here > 0
}
