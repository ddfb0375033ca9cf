package suite

import (
	"fmt"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

func relatedSteps() []step {
	const kind = `(an issue|a comment|a note|a patch|an event of kind \d+)`
	return []step{
		{
			text: `the {actor} publishes ` + kind + ` naming (the lighthouse|that event|the owner's repository) by (\w)`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event that refers by this tag",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishRelated(a[0], a[1], a[2], a[3])
			},
		},
		{
			text: `the {actor} publishes ` + kind + ` naming (an unknown repository|nothing)`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event that refers to nothing here",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishRelated(a[0], a[1], a[2], "")
			},
		},
		{
			text: `the {actor} publishes an event of kind {number}{name}{date} with content of {number} bytes`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event of this kind, which refers to the lighthouse if it has content",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishPlain(a[0], int(number(a[1])), a[2], w.dated(a[3]), int(number(a[4])))
			},
		},
		{
			text: `the {actor}'s (a comment|a note) naming that event by (\w) was accepted`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an event that refers to the last one was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishRelated(a[0], a[1], "that event", a[2]).then(w.accepted).then(w.isRoot)
			},
		},
		{
			text: `the {actor}'s event of kind {number} naming the lighthouse by (\w) was accepted`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an event of this kind that refers to the lighthouse was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishRelated(a[0], "an event of kind "+a[1], "the lighthouse", a[2]).then(w.accepted).then(w.isRoot)
			},
		},
		{
			text: `the {actor}'s (issue|patch) on the lighthouse was accepted`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue or a patch on the lighthouse was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishRoot(a[0], a[1])
			},
		},
		{
			text: `the {actor}'s issue names a note of the {actor} by (\w)`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an issue that names a note which was not sent was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.nameNote(a[0], a[1], a[2])
			},
		},
		{
			text: `the {actor} publishes that note`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends the note that was named",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.publish(w.event("note"))
			},
		},
		{
			text: `a request{name} by the {actor} to delete the {label} by id was never sent`,
			role: setUp,
			doc:  "a deletion request for the event exists and was sent to nobody",
			run: func(w *world, a []string, _ [][]string) outcome {
				tags := [][]string{{"e", w.event(a[2]).ID}}
				w.remember("event", a[0], client.Build(w.key(a[1]), client.KindDeletion, tags, w.run.purpose(), w.tick()))
				return outcome{}
			},
		},
		{
			text: `a note{name} by the {actor} was never sent`,
			role: setUp,
			doc:  "a note that refers to nothing exists, {named} in tables, and was sent to nobody",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.remember("note", a[0], client.Note(w.key(a[1]), w.markers(), w.run.purpose(), w.tick()))
				return outcome{}
			},
		},
		{
			text: `the {actor} sends the note{name}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends the note of this name",
			run: func(w *world, a []string, _ [][]string) outcome { return w.publish(w.event("note " + quote(a[1]))) },
		},
		{
			text: `the same event naming the lighthouse is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "an event of the same kind that refers to the lighthouse is accepted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				kinds := map[int][2]string{
					client.KindIssue: {"an issue", "a"}, client.KindComment: {"a comment", "A"}, client.KindNote: {"a note", "q"},
				}
				form := kinds[w.sent.last.Kind]
				return w.publishRelated("contributor", form[0], "the lighthouse", form[1]).then(w.accepted)
			},
		},
	}
}

// isRoot makes the last event the one that others refer to.
func (w *world) isRoot() outcome {
	w.sent.byLabel["root"] = w.sent.last
	return outcome{}
}

// kindOf is the kind of event that a step names.
func kindOf(form string) int {
	switch form {
	case "an issue", "issue":
		return client.KindIssue
	case "a comment":
		return client.KindComment
	case "patch", "a patch":
		return client.KindPatch
	case "a status":
		return kindStatusOpen
	case "a label":
		return kindLabel
	}
	if digits, is := strings.CutPrefix(form, "an event of kind "); is {
		return int(number(digits))
	}
	return client.KindNote
}

// Kinds that some steps speak of: a status (NIP-34) and a label (NIP-32).
const (
	kindStatusOpen = 1630
	kindLabel      = 1985
)

// publishRelated publishes an event that refers to something, or to nothing, by the tag given.
func (w *world) publishRelated(actor, form, what, tag string) outcome {
	return w.needLighthouse().then(func() outcome {
		kind := kindOf(form)
		var tags [][]string
		switch what {
		case "the lighthouse":
			tags = reference(kind, tag, w.run.lighthouse.address, "30617", w.run.lighthouse.key.Pubkey)
		case "the owner's repository":
			owner := w.key("owner").Pubkey
			tags = reference(kind, tag, client.RepoAddress(owner, w.identifier), "30617", owner)
		case "that event":
			root := w.event("root")
			tags = reference(kind, tag, root.ID, fmt.Sprint(root.Kind), root.PubKey)
		case "an unknown repository":
			owner := w.key("stranger").Pubkey
			tags = reference(kind, "A", client.RepoAddress(owner, w.identifier+"-unknown"), "30617", owner)
			if kind == client.KindIssue {
				tags = reference(kind, "a", client.RepoAddress(owner, w.identifier+"-unknown"), "30617", owner)
			}
		}
		ev := client.Build(w.key(actor), kind, append(tags, w.markers()...), w.run.purpose(), w.tick())
		w.remember("event", "", ev)
		return w.publish(ev)
	})
}

// publishPlain publishes an event that refers to the lighthouse if it has content, and else to nothing.
func (w *world) publishPlain(actor string, kind int, name string, date int64, size int) outcome {
	return w.needLighthouse().then(func() outcome {
		tags := w.markers()
		if size > 0 {
			tags = append([][]string{{"a", w.run.lighthouse.address}}, tags...)
		}
		ev := client.Build(w.key(actor), kind, tags, strings.Repeat("x", size), date)
		w.remember("event", name, ev)
		return w.publish(ev)
	})
}

// reference are the tags that refer to an event or an address. A comment by an upper-case tag has
// root and parent, as NIP-22 wants it, one by a lower-case tag its parent alone; whatever else has the one tag.
func reference(kind int, tag, value, rootKind, author string) [][]string {
	if kind != client.KindComment {
		return [][]string{{tag, value}}
	}
	lower := strings.ToLower(tag)
	if lower == tag {
		return [][]string{{tag, value}, {"k", rootKind}, {"p", author}}
	}
	return [][]string{
		{tag, value},
		{"K", rootKind},
		{"P", author},
		{lower, value},
		{"k", rootKind},
		{"p", author},
	}
}

// publishRoot publishes an issue or a patch that others refer to.
func (w *world) publishRoot(actor, form string) outcome {
	return w.needLighthouse().then(func() outcome {
		tags := append([][]string{{"a", w.run.lighthouse.address}}, w.markers()...)
		ev := client.Build(w.key(actor), kindOf(form), tags, w.run.purpose(), w.tick())
		w.remember("root", "", ev)
		return w.publish(ev).then(w.accepted).asSetup()
	})
}

// nameNote publishes an issue that refers to a note which was not sent yet.
func (w *world) nameNote(actor, author, tag string) outcome {
	return w.needLighthouse().then(func() outcome {
		note := client.Note(w.key(author), w.markers(), w.run.purpose(), w.tick())
		tags := append([][]string{{"a", w.run.lighthouse.address}, {tag, note.ID}}, w.markers()...)
		issue := client.Build(w.key(actor), client.KindIssue, tags, w.run.purpose(), w.tick())
		w.remember("issue", "", issue)
		w.remember("note", "", note)
		w.sent.last = issue
		return w.publish(issue).then(w.accepted).asSetup()
	})
}

// address is the filter for all versions of an addressable event.
func address(ev *nostr.Event) client.Filter {
	return client.Filter{
		Kinds: []int{ev.Kind}, Authors: []string{ev.PubKey},
		Tags: map[string][]string{"d": {ev.Tags.GetD()}},
	}
}
