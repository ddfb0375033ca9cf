package defect

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/relay"
)

// typedDefects are mistakes of servers whose language has numbers of few bits, texts that end where a character is cut, and keys that are
// written one part behind the other, and of those that have null for an empty text.
func typedDefects() []Defect {
	return []Defect{
		{Name: "no-text-said-as-null", Frame: func(frame []byte) []byte {
			return emptyText.ReplaceAll(frame, []byte(`$1,null]`))
		}},
		{Name: "empty-contents-served-as-null", Frame: func(frame []byte) []byte {
			if !bytes.HasPrefix(frame, []byte(`["EVENT"`)) {
				return frame
			}
			return bytes.Replace(frame, []byte(`"content":""`), []byte(`"content":null`), 1)
		}},
		{Name: "limits-in-16-bits", Heard: limitedTo(16)},
		{Name: "limits-in-32-bits", Heard: limitedTo(32)},
		{Name: "cut-characters-hang", Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				const logged = 80
				_, ev := published(i)
				return i, ev == nil || len(ev.Content) <= logged || utf8.RuneStart(ev.Content[logged])
			}}
		}},
		{Name: "names-and-values-of-tags-joined", Filter: joinedTags},
		{Name: "digits-in-tags-taken-for-texts", Heard: func(msg []byte) []byte {
			return numberInTag.ReplaceAll(msg, []byte(`["t","$1"]`))
		}},
		{Name: "ephemeral-events-sent-to-nobody", Filter: func() Filter {
			return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
				var kept []core.Effect
				for _, e := range effects {
					s, _ := e.(core.Send)
					if m, is := s.Msg.(relay.EventFor); is && eventstore.IsEphemeral(m.Event.Kind) {
						continue
					}
					kept = append(kept, e)
				}
				return kept
			}}
		}},
		{Name: "compression-agreed-to-and-unread", Front: func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Sec-WebSocket-Extensions") != "" {
					w = assenting{w}
				}
				next.ServeHTTP(w, r)
			})
		}},
		{Name: "offers-of-compression-refused", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			offered := r.Header.Get("Sec-WebSocket-Extensions") != ""
			if offered {
				http.Error(w, "unknown extension", http.StatusBadRequest)
			}
			return offered
		})},
	}
}

// emptyText is an acknowledgement that says nothing further.
var emptyText = regexp.MustCompile(`^(\["OK","[0-9a-f]{64}",true),""\]$`)

var numberInTag = regexp.MustCompile(`\["t",([0-9]+)\]`)

var limitOfFilter = regexp.MustCompile(`"limit":[0-9]+`)

// limitedTo keeps of a limit so many bits.
func limitedTo(bits int) func([]byte) []byte {
	return func(msg []byte) []byte {
		return limitOfFilter.ReplaceAllFunc(msg, func(field []byte) []byte {
			n, err := strconv.ParseUint(string(field[len(`"limit":`):]), 10, 64)
			if err != nil {
				return field
			}
			return fmt.Appendf(nil, `"limit":%d`, n&(1<<bits-1))
		})
	}
}

// joinedTags finds by a tag also the events that have its letter and value behind one another in a tag of a longer name.
func joinedTags() Filter {
	var all []*nostr.Event
	joins := func(ev *nostr.Event, t relay.TagFilter) bool {
		for _, tag := range ev.Tags {
			for _, v := range t.Values {
				if len(tag) > 1 && len(tag[0]) > 1 && tag[0]+tag[1] == string(t.Letter)+v {
					return true
				}
			}
		}
		return false
	}
	return in(func(m core.Message) core.Message {
		if _, ev := published(m); ev != nil {
			all = append(all, ev)
		}
		q, asks := m.Msg.(relay.Req)
		if !asks {
			return m
		}
		var ids []string
		for _, f := range q.Filters {
			for _, ev := range all {
				if len(f.Tags) == 1 && joins(ev, f.Tags[0]) {
					ids = append(ids, ev.ID)
				}
			}
		}
		if ids != nil {
			q.Filters = append(q.Filters[:len(q.Filters):len(q.Filters)], relay.Filter{IDs: ids})
			m.Msg = q
		}
		return m
	})()
}

// An assenting answer agrees to what is offered.
type assenting struct{ http.ResponseWriter }

// Unwrap is for http.ResponseController.
func (a assenting) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a assenting) WriteHeader(status int) {
	if status == http.StatusSwitchingProtocols {
		a.Header().Set("Sec-WebSocket-Extensions", "permessage-deflate")
	}
	a.ResponseWriter.WriteHeader(status)
}

// Hijack implements http.Hijacker.
func (a assenting) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(a.ResponseWriter).Hijack() //nolint:wrapcheck // it is that of the connection
}
