package suite_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"sync"
	"testing/fstest"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// A fake is a scripted target: no server, no clock but its own. Nothing comes without being asked for, so
// idle is known at once.
type fake struct {
	dial error
	// frame answers one relay message; nil stays silent.
	frame func(label string, args []json.RawMessage) []string
	// drops says which relay messages end the connection; nil ends none.
	drops func(msg string) bool
	// exchange answers one HTTP request; an error is a dead exchange.
	exchange func(req *http.Request) (status int, header http.Header, body string, err error)

	mu    sync.Mutex
	now   time.Time // guarded by mu
	dials int       // guarded by mu
	sent  int       // guarded by mu; relay messages received
}

func newFake() *fake {
	return &fake{
		now: time.Unix(1_790_000_000, 0),
		exchange: func(*http.Request) (int, http.Header, string, error) {
			return 0, nil, "", target.ErrIdle
		},
	}
}

func (f *fake) Name() string       { return "fake" }
func (f *fake) ServiceURL() string { return "http://127.0.0.1:7000" }
func (f *fake) World() string      { return "sim" }

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
	if req.Body != nil {
		if _, err := io.Copy(io.Discard, req.Body); err != nil {
			return nil, err
		}
	}
	status, header, body, err := f.exchange(req)
	if err != nil {
		return nil, err
	}
	if header == nil {
		header = make(http.Header)
	}
	return &http.Response{
		StatusCode: status, Header: header, Body: io.NopCloser(bytes.NewBufferString(body)), Request: req,
	}, nil
}

func (f *fake) Dial(context.Context) (target.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dials++
	if f.dial != nil {
		return nil, f.dial
	}
	return &fakeConn{fake: f}, nil
}

type fakeConn struct {
	fake    *fake
	queue   []string
	dropped bool
}

func (c *fakeConn) Send(_ context.Context, msg []byte) error {
	c.fake.mu.Lock()
	c.fake.sent++
	c.fake.mu.Unlock()
	var message []json.RawMessage
	var label string
	if json.Unmarshal(msg, &message) != nil || len(message) == 0 || json.Unmarshal(message[0], &label) != nil {
		return nil
	}
	if c.fake.drops != nil && c.fake.drops(string(msg)) {
		c.dropped = true
	}
	if c.fake.frame != nil && !c.dropped {
		c.queue = append(c.queue, c.fake.frame(label, message[1:])...)
	}
	return nil
}

func (c *fakeConn) Recv(context.Context) ([]byte, error) {
	if c.dropped {
		return nil, target.ErrClosed
	}
	if len(c.queue) == 0 {
		return nil, target.ErrIdle
	}
	msg := c.queue[0]
	c.queue = c.queue[1:]
	return []byte(msg), nil
}

func (c *fakeConn) Close() error { return nil }

// eventID is the id of an event as it was sent.
func eventID(raw json.RawMessage) string {
	var ev struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(raw, &ev) != nil {
		return ""
	}
	return ev.ID
}

// answerAll makes a relay that answers every EVENT alike and every REQ with EOSE.
func answerAll(accept bool, text string) func(string, []json.RawMessage) []string {
	return func(label string, args []json.RawMessage) []string {
		switch label {
		case "EVENT":
			return []string{fmt.Sprintf(`["OK",%q,%t,%q]`, eventID(args[0]), accept, text)}
		case "REQ":
			return []string{fmt.Sprintf(`["EOSE",%s]`, args[0])}
		}
		return nil
	}
}

// status answers every HTTP request alike.
func status(code int, body string) func(*http.Request) (int, http.Header, string, error) {
	return func(*http.Request) (int, http.Header, string, error) { return code, nil, body, nil }
}

// featureOf is a file system of one feature.
func featureOf(scenarios string) fs.FS {
	return fstest.MapFS{"x.feature": {Data: []byte("Feature: x\n" + scenarios)}}
}
