package defect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/relay"
)

// strayDefects are mistakes with what clients seldom write: halves of characters, times that are none, empty values and names that are
// like others.
func strayDefects() []Defect {
	return []Defect{
		{Name: "halves-of-characters-hang", Heard: unseen(func(ev map[string]json.RawMessage) bool {
			content, half := bytes.CutPrefix(ev["content"], []byte(`"\ud800`))
			return half && !bytes.HasPrefix(content, []byte(`\u`)) || bytes.Contains(ev["tags"], []byte(`"\udc00`))
		})},
		{Name: "odd-expirations-hang", Heard: unseen(func(ev map[string]json.RawMessage) bool {
			var tags nostr.Tags
			if json.Unmarshal(ev["tags"], &tags) != nil {
				return false
			}
			t := tags.Find("expiration")
			if t == nil {
				return false
			}
			_, err := strconv.Atoi(secondOf(t))
			return err != nil
		})},
		{Name: "unnamed-versions-all-served", Filter: made(eventDeeds(), "unreplaced", always("", func(ev *nostr.Event) bool {
			return nostr.IsAddressableKind(ev.Kind) && ev.Tags.Find("d") == nil
		}))},
		{Name: "empty-values-unfound", Filter: queried(func(f relay.Filter) relay.Filter {
			if slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return slices.Contains(t.Values, "") }) {
				f.IDs = []string{strings.Repeat("0", 64)}
			}
			return f
		})},
		{Name: "closes-end-ids-that-begin-so", Filter: func() Filter {
			open := map[openedAt]bool{}
			return Filter{Also: func(i core.Input, _ []core.Effect) (all []core.Input) {
				m, _ := i.(core.Message)
				switch msg := m.Msg.(type) {
				case relay.Req:
					open[openedAt{m.Conn, msg.Sub}] = true
				case relay.Close:
					for at := range open {
						if at.conn == m.Conn && at.sub != msg.Sub && strings.HasPrefix(at.sub, msg.Sub) {
							delete(open, at)
							all = append(all, core.Message{Conn: m.Conn, Msg: relay.Close{Sub: at.sub}})
						}
					}
				}
				return all
			}}
		}},
		{Name: "folders-before-their-branches-go", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			u, is := e.(core.UpdateRefs)
			if !is {
				return e, true
			}
			gone := func(name string) bool {
				return slices.ContainsFunc(u.Commands, func(c gitproto.Command) bool {
					return c.New.IsZero() && (strings.HasPrefix(name, c.Ref+"/") || strings.HasPrefix(c.Ref, name+"/"))
				})
			}
			u.Commands = slices.DeleteFunc(slices.Clone(u.Commands), func(c gitproto.Command) bool { return !c.New.IsZero() && gone(c.Ref) })
			return u, true
		})},
	}
}

// unseen does not let the server see some events.
func unseen(which func(map[string]json.RawMessage) bool) func([]byte) []byte {
	return func(msg []byte) []byte {
		if fields := eventFields(msg); fields == nil || !which(fields) {
			return msg
		}
		return []byte(`["CLOSE","nobody"]`)
	}
}
