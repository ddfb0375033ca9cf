package defect

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/reference/gitproto"
)

// A Null is a server that serves nothing: one habit, whatever it is asked. A suite that finds one of them conformant
// proves nothing.
type Null struct {
	Kind string
	What string

	late   time.Duration
	status int                                    // of every HTTP answer but the relay document; 0 hangs until the client leaves
	close  bool                                   // hang up on every connection
	event  func(id string) string                 // answer to EVENT, "" for none
	req    func(sub string) string                // answer to REQ, "" for none
	git    func(r *http.Request, b []byte) []byte // body of a git answer
	doc    bool                                   // serves a relay document
}

// NullLate is how long the late null server takes for each answer.
const NullLate = 10 * time.Second

// nullBodyMax bounds what a null server reads of a request or a frame.
const nullBodyMax = 1 << 20

// Nulls returns all null servers, sorted by kind.
func Nulls() []Null {
	accept := func(id string) string { return frame("OK", id, true, "") }
	eose := func(sub string) string { return frame("EOSE", sub) }
	return []Null{
		{Kind: "accept-all", What: "takes everything and keeps nothing", doc: true, status: 200, event: accept, req: eose, git: acceptGit},
		{Kind: "always-500", What: "answers 500 to every request", status: 500},
		{Kind: "always-empty", What: "answers with nothing", status: 200, req: eose},
		{Kind: "close-at-once", What: "hangs up on every connection", close: true},
		{
			Kind: "rate-limit-everything", What: "asks everybody to slow down", status: 429,
			event: func(id string) string { return frame("OK", id, false, "rate-limited: slow down") },
			req:   func(sub string) string { return frame("CLOSED", sub, "rate-limited: slow down") },
		},
		{
			Kind: "refuse-all", What: "refuses everything", doc: true, status: 403,
			event: func(id string) string { return frame("OK", id, false, "blocked: not here") },
			req:   func(sub string) string { return frame("CLOSED", sub, "blocked: not here") },
		},
		{Kind: "silent", What: "takes connections and never answers"},
		{
			Kind: "ten-seconds-late", What: "answers everything after ten seconds", late: NullLate,
			doc: true, status: 200, event: accept, req: eose, git: acceptGit,
		},
	}
}

// LookupNull returns the null server of that kind.
func LookupNull(kind string) (Null, bool) {
	all := Nulls()
	at := slices.IndexFunc(all, func(n Null) bool { return n.Kind == kind })
	if at < 0 {
		return Null{}, false
	}
	return all[at], true
}

// Handler serves the null server. Every wait ends with the request or with the context.
func (n Null) Handler(ctx context.Context, c clock.Clock) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.close {
			panic(http.ErrAbortHandler)
		}
		if strings.EqualFold(r.Header.Get("Upgrade"), "websocket") && n.status != 500 {
			n.relay(ctx, c, w, r)
			return
		}
		if !n.wait(ctx, r.Context(), c) {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
		switch {
		case n.doc && strings.Contains(r.Header.Get("Accept"), "application/nostr+json"):
			w.Header().Set("Content-Type", "application/nostr+json")
			_, _ = io.WriteString(w, `{"name":"null","supported_grasps":["GRASP-01"],"supported_nips":[1,11,34],"repo_acceptance_criteria":"none"}`)
		case n.git != nil && strings.Contains(r.URL.Path, ".git/"):
			body, _ := io.ReadAll(io.LimitReader(r.Body, nullBodyMax))
			_, _ = w.Write(n.git(r, body))
		default:
			w.WriteHeader(n.status)
		}
	})
}

// wait holds an answer back; false means that nobody waits for it any more.
func (n Null) wait(ctx, request context.Context, c clock.Clock) bool {
	if n.late == 0 && n.status != 0 {
		return true
	}
	var timer <-chan time.Time
	if n.late > 0 {
		timer = c.After(n.late)
	}
	select {
	case <-timer:
		return true
	case <-ctx.Done():
	case <-request.Done():
	}
	return false
}

// relay answers the frames of one WebSocket connection by habit.
func (n Null) relay(ctx context.Context, c clock.Clock, w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	conn.SetReadLimit(nullBodyMax)
	stop := context.AfterFunc(ctx, func() { _ = conn.CloseNow() })
	defer stop()
	for {
		_, data, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		answer := n.answer(data)
		if answer == "" {
			continue
		}
		if n.late > 0 && !n.wait(ctx, r.Context(), c) {
			return
		}
		if conn.Write(r.Context(), websocket.MessageText, []byte(answer)) != nil {
			return
		}
	}
}

func (n Null) answer(data []byte) string {
	var message []json.RawMessage
	if json.Unmarshal(data, &message) != nil || len(message) < 2 {
		return ""
	}
	var verb, sub string
	_ = json.Unmarshal(message[0], &verb)
	switch verb {
	case "EVENT":
		var ev struct {
			ID string `json:"id"`
		}
		_ = json.Unmarshal(message[1], &ev)
		if n.event != nil {
			return n.event(ev.ID)
		}
	case "REQ":
		_ = json.Unmarshal(message[1], &sub)
		if n.req != nil {
			return n.req(sub)
		}
	}
	return ""
}

func frame(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic("defect: invariant: " + err.Error())
	}
	return string(text)
}

// acceptGit advertises an empty repository and reports every command as done.
func acceptGit(r *http.Request, body []byte) []byte {
	var b bytes.Buffer
	if r.Method == http.MethodGet {
		service := r.URL.Query().Get("service")
		line := "# service=" + service + "\n"
		b.WriteString(pktLine(line) + "0000")
		b.WriteString(pktLine(strings.Repeat("0", 40)+" capabilities^{}\x00report-status delete-refs") + "0000")
		return b.Bytes()
	}
	list, err := gitproto.ReadCommands(bytes.NewReader(body))
	if err != nil {
		return []byte("0000")
	}
	b.WriteString(pktLine("unpack ok\n"))
	for _, c := range list.Commands {
		b.WriteString(pktLine("ok " + c.Ref + "\n"))
	}
	b.WriteString("0000")
	return b.Bytes()
}

func pktLine(text string) string {
	const hex = "0123456789abcdef"
	n := len(text) + 4
	return string([]byte{hex[n>>12&15], hex[n>>8&15], hex[n>>4&15], hex[n&15]}) + text
}
