package suite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// A color is an event of the features about filters: a row of a table.
type color struct{ name, actor, kind, topic, shade, date string }

// signColors signs the events of a table, with the columns of color and perhaps further tags (JSON), and sends none. Each refers to the lighthouse and
// has a topic (t) and a shade (l), or several of them; of a comment these are the names of its root and its parent. The topic of an addressable event is its
// identifier, too.
func (w *world) signColors(table [][]string) outcome {
	return w.needLighthouse().then(func() outcome {
		for _, row := range table[1:] {
			c := color{row[0], row[1], row[2], row[3], row[4], row[5]}
			kind := int(number(c.kind))
			tags := append([][]string{{"a", w.run.lighthouse.address}}, append(w.tagsOf("t", c.topic), w.tagsOf("l", c.shade)...)...)
			tags = append(tags, w.looksLike("t", "yellow"))
			if nostr.IsAddressableKind(kind) {
				tags = append(tags, []string{"d", w.topic(c.topic)})
			}
			if kind == client.KindComment {
				root, parent := w.event("issue "+quote(c.topic)), w.event("issue "+quote(c.shade))
				tags = [][]string{
					{"E", root.ID, "", root.PubKey},
					{"K", fmt.Sprint(root.Kind)},
					{"P", root.PubKey},
					{"e", parent.ID, "", parent.PubKey},
					{"k", fmt.Sprint(parent.Kind)},
					{"p", parent.PubKey},
				}
			}
			var own [][]string
			if len(row) > 6 && row[6] != "" {
				if err := json.Unmarshal([]byte(row[6]), &own); err != nil {
					return harnessError("tags %s: %v", row[6], err)
				}
			}
			tags = append(tags, own...)
			ev := client.Build(w.key(c.actor), kind, append(tags, w.markers()...), c.name+": "+w.run.purpose(), w.dated(c.date))
			w.remember("issue", c.name, ev)
			w.sent.posted = append(w.sent.posted, ev)
		}
		return outcome{}
	})
}

// tagsOf are the tags of a name with the values of a cell, which "+" separates.
func (w *world) tagsOf(name, cell string) (tags [][]string) {
	for v := range strings.SplitSeq(cell, "+") {
		tags = append(tags, []string{name, w.topic(v)})
	}
	return tags
}

// looksLike is a tag of another name and value that is written with the same letters, one behind the other.
func (w *world) looksLike(name, topic string) []string {
	value := w.topic(topic)
	return []string{name + value[:1], value[1:]}
}

// sendSigned publishes what was signed; each has to be accepted.
func (w *world) sendSigned() outcome {
	for _, ev := range w.sent.posted {
		if out := w.publish(ev).then(w.accepted); !out.held() {
			return out
		}
	}
	return outcome{}
}

// filtersOf reads filters as tables write them: "ids red or green, t red; authors contributor, since green" are two
// filters, of which the first has two members. Names are those of events, actors and topics, and what has an equals sign before it is a value as it is; a time is that of an event, or beyond
// what 32 bits hold.
func (w *world) filtersOf(text string) []client.Filter {
	var filters []client.Filter
	for _, one := range strings.Split(text, ";") {
		f := client.Filter{}
		for _, member := range strings.Split(one, ",") {
			w.addMember(&f, strings.Fields(member))
		}
		filters = append(filters, f)
	}
	return filters
}

// beyond32 is a time that 32 bits do not hold, in the year 2128.
const beyond32 = 5_000_000_000

func (w *world) addMember(f *client.Filter, words []string) {
	key, values := words[0], slices.DeleteFunc(slices.Clone(words[1:]), func(v string) bool { return v == "or" })
	at := func() *int64 {
		if values[0] == "beyond" {
			late := int64(beyond32)
			return &late
		}
		date := int64(w.event("issue " + quote(values[0])).CreatedAt)
		return &date
	}
	switch key {
	case "since":
		f.Since = at()
		return
	case "until":
		f.Until = at()
		return
	case "limit":
		n := int(number(values[0]))
		f.Limit = &n
		return
	}
	for _, v := range values {
		switch key {
		case "ids":
			f.IDs = append(f.IDs, w.event("issue "+quote(v)).ID)
		case "authors":
			f.Authors = append(f.Authors, w.key(v).Pubkey)
		case "kinds":
			f.Kinds = append(f.Kinds, int(number(v)))
		default:
			w.addTag(f, key, v)
		}
	}
}

// addTag adds a value to a tag filter: that of an event for letters of references, a key for those of people, a kind, or else a topic.
func (w *world) addTag(f *client.Filter, letter, v string) {
	if f.Tags == nil {
		f.Tags = make(map[string][]string)
	}
	value := w.topic(v)
	if literal, is := strings.CutPrefix(v, "="); is {
		f.Tags[letter] = append(f.Tags[letter], literal)
		return
	}
	switch letter {
	case "e", "E":
		value = w.event("issue " + quote(v)).ID
	case "p", "P":
		value = w.key(v).Pubkey
	case "k", "K":
		value = v
	}
	f.Tags[letter] = append(f.Tags[letter], value)
}

// matches reports whether one of some filters selects an event.
func matches(filters []client.Filter, ev *nostr.Event) bool {
	return slices.ContainsFunc(filters, func(f client.Filter) bool {
		in := func(list []string, v string) bool { return list == nil || slices.Contains(list, v) }
		if !in(f.IDs, ev.ID) || !in(f.Authors, ev.PubKey) || (f.Kinds != nil && !slices.Contains(f.Kinds, ev.Kind)) {
			return false
		}
		for letter, values := range f.Tags {
			if !slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
				return len(t) > 1 && t[0] == letter && slices.Contains(values, t[1])
			}) {
				return false
			}
		}
		at := int64(ev.CreatedAt)
		return (f.Since == nil || at >= *f.Since) && (f.Until == nil || at <= *f.Until)
	})
}

// fits judges what filters brought: of the events of the check exactly those named, and nothing that does not match. Once for each
// filter that selects it is once: that it comes once in all is a SHOULD of its own.
func (w *world) fits(what string, filters []client.Filter, got []*nostr.Event, want []string) outcome {
	expected := w.issuesCalled(want)
	for _, ev := range w.sent.posted {
		if matches(filters, ev) != holds(expected, ev) {
			return harnessError("the row of %s and its events do not agree on %s", what, describe(ev))
		}
	}
	var own []*nostr.Event
	copies := make(map[string]int) // by id
	for _, ev := range got {
		if !matches(filters, ev) {
			return violated("%s holds %s, which does not match", what, describe(ev))
		}
		copies[ev.ID]++
		again := copies[ev.ID] > 1 && copies[ev.ID] <= selecting(filters, ev)
		if holds(w.sent.posted, ev) && !again {
			own = append(own, ev)
		}
	}
	return w.exactly(what, own, want)
}

// selecting is how many of some filters select an event.
func selecting(filters []client.Filter, ev *nostr.Event) (n int) {
	for _, f := range filters {
		if matches([]client.Filter{f}, ev) {
			n++
		}
	}
	return n
}
