package defect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// brokenDigits are the digits of a signature, with a line break behind them.
var brokenDigits = regexp.MustCompile(`("sig":"[0-9a-f]{128})\\n"`)

// asWrittenDefects are mistakes of languages that keep the types of what they read, and of their ways to read digits and texts.
func asWrittenDefects() []Defect {
	return []Defect{
		hashedAsWritten(),
		{Name: "tag-values-end-at-a-nul", Filter: foundToo(func(ev *nostr.Event) *nostr.Event { return ev }, eachTagFilter(func(f relay.TagFilter) relay.TagFilter {
			f.Values = slices.Clone(f.Values)
			for i, v := range f.Values {
				f.Values[i], _, _ = strings.Cut(v, "\x00")
			}
			return f
		}))},
		{Name: "line-breaks-behind-signatures-taken", Heard: func(msg []byte) []byte { return brokenDigits.ReplaceAll(msg, []byte(`$1"`)) }},
	}
}

// hashedAsWritten acknowledges events whose kind or time is true, where the id is the hash of the very text.
func hashedAsWritten() Defect {
	var mu sync.Mutex
	right := map[string]bool{}
	return Defect{
		Name: "true-taken-for-a-number",
		Heard: func(msg []byte) []byte {
			if id := idAsWritten(msg); id != "" {
				mu.Lock()
				defer mu.Unlock()
				right[id] = true
			}
			return msg
		},
		Filter: ok(func(i core.Input, m relay.OK) relay.OK {
			msg, _ := i.(core.Message)
			_, odd := msg.Msg.(relay.Malformed)
			mu.Lock()
			defer mu.Unlock()
			if odd && !m.Accepted && right[m.ID] {
				m.Accepted, m.Text = true, ""
			}
			return m
		}),
	}
}

// idAsWritten is the id of an event that has true for a number, if it is the hash of how its fields are written.
func idAsWritten(msg []byte) string {
	var parts []json.RawMessage
	var id string
	if json.Unmarshal(msg, &parts) != nil || len(parts) != 2 || string(parts[0]) != `"EVENT"` {
		return ""
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(parts[1], &fields) != nil || json.Unmarshal(fields["id"], &id) != nil {
		return ""
	}
	if string(fields["kind"]) != "true" && string(fields["created_at"]) != "true" {
		return ""
	}
	text := [][]byte{[]byte("0"), fields["pubkey"], fields["created_at"], fields["kind"], fields["tags"], fields["content"]}
	sum := sha256.Sum256(bytes.Join([][]byte{[]byte("["), bytes.Join(text, []byte(",")), []byte("]")}, nil))
	if hex.EncodeToString(sum[:]) != id {
		return ""
	}
	return id
}
