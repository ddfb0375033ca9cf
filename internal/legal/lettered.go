package legal

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/target"
)

// lettered are servers whose parts are not those that most are made of: ids made by the words of NIP-01, refs in a table.
func lettered() []Server {
	return []Server{
		{
			Name: "control-characters-by-the-letter",
			What: "makes ids with control characters as they are, but for those that NIP-01 has escapes for, so that the usual ids of such events do not match",
			Near: []string{"N01-EV-01", "N01-REQ-01", "N01-EV-02"},
			habits: func() []habit {
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					if m := read(msg); m.verb == "EVENT" && m.event != nil && strings.ContainsFunc(textOf(m.event), lettersOwn) {
						return [][]byte{write("OK", m.event.ID, false, "invalid: the id does not match")}, false
					}
					return nil, true
				}}}
			},
		},
		{
			Name: "branches-below-branches", What: "keeps refs in a table, where a branch may lie below another, and speaks the first version of git's protocol alone",
			Near: []string{"N34-ST-04", "G01-PUSH-31", "G01-GIT-14"},
			habits: func() []habit {
				t := table{states: map[place]*nostr.Event{}}
				return []habit{{hears: t.hears, answer: t.answer}}
			},
		},
	}
}

// lettersOwn reports whether a character is one of those that have no escape of their own in NIP-01.
func lettersOwn(r rune) bool { return r < ' ' && !strings.ContainsRune("\b\t\n\f\r", r) }

// textOf is all that a client writes in an event.
func textOf(ev *nostr.Event) string {
	var b strings.Builder
	b.WriteString(ev.Content)
	for _, tag := range ev.Tags {
		b.WriteString(strings.Join(tag, ""))
	}
	return b.String()
}

// A table has the refs that the server inside does not: those below a branch that its owner's last state has as well.
type table struct {
	mu     sync.Mutex
	states map[place]*nostr.Event // guarded by mu
}

func (t *table) hears(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m := read(msg); m.verb == "EVENT" && m.event != nil && m.event.Kind == kindState {
		at := placeOf(m.event)
		if old := t.states[at]; old == nil || old.CreatedAt < m.event.CreatedAt {
			t.states[at] = m.event
		}
	}
	return nil, true
}

// answer adds to an advertisement what lies below one of its branches at the same commit.
func (t *table) answer(_ *front, req *http.Request, next exchange) (*http.Response, error) {
	plain := req.Clone(req.Context())
	plain.Header.Del("Git-Protocol")
	resp, err := next(plain)
	at, is := gitPlace(req)
	if err != nil || !is || resp.StatusCode != http.StatusOK || !strings.Contains(target.RequestTarget(req), "/info/refs") {
		return resp, err
	}
	body, err := drain(resp)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	below := branchesBelow(t.states[at])
	t.mu.Unlock()
	lines, ended := bytes.CutSuffix(body, []byte("0000"))
	for _, name := range slices.Sorted(maps.Keys(below)) {
		if over := []byte(below[name].oid + " " + below[name].over); ended && bytes.Contains(lines, over) {
			lines = append(lines, pkt([]byte(below[name].oid+" "+name+"\n"))...)
		}
	}
	if ended {
		lines = append(lines, "0000"...)
	}
	refill(resp, lines)
	return resp, nil
}

// A lower branch is one that lies below another, which is at the same commit.
type lower struct{ oid, over string }

func branchesBelow(state *nostr.Event) map[string]lower {
	if state == nil {
		return nil
	}
	at, below := map[string]string{}, map[string]lower{}
	for _, tag := range state.Tags {
		if len(tag) > 1 && strings.HasPrefix(tag[0], "refs/heads/") {
			at[tag[0]] = tag[1]
		}
	}
	for name, oid := range at {
		for over := range at {
			if strings.HasPrefix(name, over+"/") && at[over] == oid {
				below[name] = lower{oid, over}
			}
		}
	}
	return below
}
