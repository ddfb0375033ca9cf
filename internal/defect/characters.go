package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// characterDefects are mistakes by which texts do not come out as they came in: at once, or once the server has read what it kept.
func characterDefects() []Defect {
	zero := func(text string) string {
		before, _, _ := strings.Cut(text, "\x00")
		return before
	}
	composed := strings.NewReplacer("e\u0301", "\u00e9", "\u212b", "\u00c5").Replace
	returns := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace
	controls := func(text string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' && !strings.ContainsRune("\b\t\n\f\r", r) {
				return -1
			}
			return r
		}, text)
	}
	return []Defect{
		{Name: "texts-cut-at-a-zero", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			send, _ := e.(core.Send)
			m, is := send.Msg.(relay.EventFor)
			if !is {
				return e, true
			}
			return core.Send{Conn: send.Conn, Msg: relay.EventFor{Sub: m.Sub, Event: retold(m.Event, zero)}}, true
		})},
		atStart("texts-cut-at-a-zero-at-start", zero),
		atStart("letters-composed-at-start", composed),
		atStart("line-breaks-unified-at-start", returns),
		atStart("blanks-trimmed-at-start", strings.TrimSpace),
		atStart("control-characters-dropped-at-start", controls),
	}
}

// atStart has the texts of all that was stored come otherwise out of the disk than they went in.
func atStart(name string, change func(string) string) Defect {
	return Defect{Name: name, Filter: survivors(func(in core.Started) core.Started {
		in.Stored = slices.Clone(in.Stored)
		for n, ev := range in.Stored {
			in.Stored[n] = retold(ev, change)
		}
		return in
	})}
}

// retold is an event with other texts, and the id and signature that it had.
func retold(ev *nostr.Event, change func(string) string) *nostr.Event {
	other := *ev
	other.Content, other.Tags = change(ev.Content), make(nostr.Tags, len(ev.Tags))
	for i, t := range ev.Tags {
		for _, v := range t {
			other.Tags[i] = append(other.Tags[i], change(v))
		}
	}
	return &other
}
