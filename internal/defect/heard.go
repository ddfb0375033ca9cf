package defect

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// heardDefects are mistakes with messages as clients write them, before anything has read them.
func heardDefects() []Defect {
	return []Defect{
		{Name: "unknown-fields-of-text-only", Heard: unreadable(func(value string) bool { return value[0] != '"' })},
		{Name: "escapes-in-unknown-fields-misread", Heard: unreadable(func(value string) bool {
			return value[0] == '"' && strings.Contains(value, `\"`)
		})},
		longMessagesKill(),
		{Name: "messages-of-half-the-stated-length-unread", Heard: func(msg []byte) []byte {
			if len(msg) > relay.MessageBytesMax/2 {
				return []byte(`"too long"`)
			}
			return msg
		}},
		messagesEndConnections(),
	}
}

// messagesEndConnections ends the connection on which a message comes that is longer than half of what the document allows.
func messagesEndConnections() Defect {
	const tooLong = "too long to be read"
	return Defect{
		Name: "messages-of-half-the-stated-length-end-connections",
		Heard: func(msg []byte) []byte {
			if len(msg) > relay.MessageBytesMax/2 {
				return []byte(`["CLOSE","` + tooLong + `"]`)
			}
			return msg
		},
		Filter: func() Filter {
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				m, _ := i.(core.Message)
				if c, is := m.Msg.(relay.Close); is && c.Sub == tooLong {
					return []core.Effect{core.CloseConn{Conn: m.Conn}}
				}
				return effects
			}}
		},
	}
}

// unreadable lets the server see nothing but the id of an event that has an unknown field of such a value.
func unreadable(odd func(value string) bool) func([]byte) []byte {
	known := []string{"id", "pubkey", "created_at", "kind", "tags", "content", "sig"}
	return func(msg []byte) []byte {
		fields := eventFields(msg)
		for name, value := range fields {
			if !slices.Contains(known, name) && odd(string(value)) {
				return []byte(`["EVENT",{"id":` + string(fields["id"]) + `}]`)
			}
		}
		return msg
	}
}

// eventFields are the fields of the event of a message as they are written; there are none if it has none.
func eventFields(msg []byte) (fields map[string]json.RawMessage) {
	var parts []json.RawMessage
	if json.Unmarshal(msg, &parts) != nil || len(parts) != 2 || string(parts[0]) != `"EVENT"` || json.Unmarshal(parts[1], &fields) != nil {
		return nil
	}
	return fields
}

// longMessagesKill answers nobody any more once a message of a megabyte has come.
func longMessagesKill() Defect {
	var dead atomic.Bool
	d := dying("long-messages-kill", func(core.Input) bool { return dead.Load() }, func(*http.Request) bool { return dead.Load() })
	d.Heard = func(msg []byte) []byte {
		const long = 1 << 20
		if len(msg) >= long {
			dead.Store(true)
		}
		return msg
	}
	return d
}
