package defect

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// words are what the objects of a script language have before anything is put into them: a table that is kept in such an
// object has entries by these names, and loses some that get one.
var words = []string{"__proto__", "constructor", "toString", "valueOf"}

// wordsDefects are mistakes with names that are words of a program, with texts that are not ASCII or no text, and with what is nothing to a
// program: 0, and all but the first.
func wordsDefects() []Defect {
	return []Defect{
		{Name: "subscriptions-called-by-words-hear-nothing", Filter: out(func(i core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			live, is := send.Msg.(relay.EventFor)
			m, _ := i.(core.Message)
			_, asked := m.Msg.(relay.Req)
			return e, !is || asked || !slices.Contains(words, live.Sub)
		})},
		{Name: "values-that-are-words-unfound", Filter: req(func(f relay.Filter) relay.Filter {
			for _, t := range f.Tags {
				if slices.ContainsFunc(t.Values, func(v string) bool { return slices.Contains(words, v) }) {
					f.IDs = []string{strings.Repeat("0", 64)}
				}
			}
			return f
		})},
		{Name: "tags-that-are-words-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "t" && t[1] == words[1] })
		})},
		{Name: "pushes-to-words-fail", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			return pushed(r) && slices.ContainsFunc(words, func(word string) bool { return strings.Contains(r.URL.Path, "/"+word+".git/") }) && fails(w)
		})},
		{Name: "branches-called-by-words-lost", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			before := len(ev.Tags)
			ev.Tags = slices.DeleteFunc(ev.Tags, func(t nostr.Tag) bool {
				return ev.Kind == policy.KindState && len(t) > 0 && slices.Contains(words, strings.TrimPrefix(t[0], "refs/heads/"))
			})
			return len(ev.Tags) < before
		})},
		{Name: "unreadable-paths-fail", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			return !utf8.ValidString(r.URL.Path) && fails(w)
		})},
		{Name: "tags-behind-tags-unescaped-on-pages", Answer: onPages(strings.NewReplacer("&gt;&lt;", "&gt;<").Replace)},
		{Name: "kind-zero-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == 0 })},
		{Name: "refusals-with-letters-misframed", Front: replies(func(r *http.Request, sent []byte, a *reply) {
			commands, _, _ := bytes.Cut(sent, []byte{0})
			if pushed(r) && a.refused() && slices.ContainsFunc(commands, func(b byte) bool { return b >= 0x80 }) {
				shortened(a.body.Bytes())
			}
		})},
	}
}

// shortened makes the first report of a refused ref three bytes longer than its packet says.
func shortened(report []byte) {
	at := bytes.Index(report, []byte("ng refs/")) - 4
	if at < 0 {
		return
	}
	if size, err := strconv.ParseUint(string(report[at:at+4]), 16, 16); err == nil {
		copy(report[at:], fmt.Sprintf("%04x", size-3))
	}
}
