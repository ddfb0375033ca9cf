package suite

import (
	"encoding/json"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

func tagsSteps() []step {
	return []step{
		{
			text: `the {actor} publishes an event of kind {number}{name}{date} with the tags:`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event with exactly these tags, a JSON array each, with the words in braces filled in",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishTagged(a[0], int(number(a[1])), a[2], w.dated(a[3]), table)
			},
		},
		{
			text: `the event is found by its tags of one letter alone`,
			role: assertion, sees: servedEvents, within: spec.ReleaseWithin,
			doc: "a query by its second and each tag of one letter brings the event, and none by the first letter of a longer name does",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.served(w.sent.last).then(w.foundByLetters)
			},
		},
		{
			text: `all issues that name the lighthouse by a malformed coordinate are refused`,
			role: assertion, sees: answers, refuses: true, absent: true,
			doc: "publishes an issue for each malformed coordinate that a lenient reader might take for the lighthouse's, or for the stranger's profile that names it; each is refused",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.needLighthouse().then(func() outcome {
					l, profile := w.run.lighthouse, w.key("stranger")
					ev := client.Build(profile, 0, append([][]string{{"a", l.address}}, w.markers()...), w.run.purpose(), w.tick())
					return w.publish(ev).then(w.answeredAtAll).asSetup().then(func() outcome {
						return w.malformedCoordinates(client.KindIssue, l.key, l.identifier, []string{"a", "A", "q", "e", "E"},
							"x:"+profile.Pubkey+":", ":"+profile.Pubkey+":")
					})
				})
			},
		},
		{
			text: `all pull requests that name the owner's repository by a malformed coordinate are refused`,
			role: assertion, sees: answers, refuses: true, absent: true,
			doc: "publishes a pull request for each malformed coordinate that a lenient reader might take for the repository's, and for its namesake that nobody has announced; each is refused",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.malformedCoordinates(client.KindPullRequest, w.key("owner"), w.identifier, []string{"a"})
			},
		},
	}
}

// publishTagged publishes an event with tags that a step gives as JSON.
func (w *world) publishTagged(actor string, kind int, name string, date int64, table [][]string) outcome {
	return w.needLighthouse().then(func() outcome {
		key := w.key(actor)
		fill := w.filler(key)
		var tags [][]string
		for _, row := range table {
			var tag []string
			text := w.lighthouseWords().Replace(fill.Replace(w.eventNames(strings.Join(row, "|"))))
			if err := json.Unmarshal([]byte(text), &tag); err != nil {
				return harnessError("tag %s: %v", text, err)
			}
			tags = append(tags, tag)
		}
		ev := client.Build(key, kind, append(tags, w.markers()...), w.run.purpose(), date)
		w.remember("event", name, ev)
		return w.publish(ev)
	})
}

// lighthouseWords replaces the words in braces that stand for the lighthouse and for commits.
func (w *world) lighthouseWords() *strings.Replacer {
	l := w.run.lighthouse
	pairs := []string{
		"{lighthouse}", l.address,
		"{first}", w.git.history.oid("first"), "{second}", w.git.history.oid("second"), "{side}", w.git.history.oid("side"),
		"{own clone}", w.client.CloneURL(w.key("owner").Pubkey, w.identifier), "{own relay}", w.client.RelayURL(),
	}
	if ev := w.sent.byLabel["event"]; ev != nil {
		pairs = append(pairs, "{d}", ev.Tags.GetD())
	}
	if ev := w.sent.byLabel["root"]; ev != nil {
		pairs = append(pairs, "{root}", ev.ID)
	}
	return strings.NewReplacer(pairs...)
}

// foundByLetters asks for the last event by each of its tags: those of one letter bring it, and longer ones do not count.
func (w *world) foundByLetters() outcome {
	for _, tag := range w.sent.last.Tags {
		if len(tag) < 2 || tag[0] == "" || tag[1] == "" {
			continue
		}
		letter, date := tag[0][:1], int64(w.sent.last.CreatedAt)
		// The author and the date keep the answer small: events of other checks name the lighthouse too.
		events, out := w.query(client.Filter{
			Authors: []string{w.sent.last.PubKey}, Since: &date, Until: &date, Tags: map[string][]string{letter: {tag[1]}},
		})
		if !out.held() {
			return out
		}
		if wanted := tag[0] == letter; holds(events, w.sent.last) != wanted {
			return violated("that a query by #%s %s brings the event with the tag %q is %t", letter, tag[1], tag, !wanted)
		}
	}
	return outcome{}
}

// malformedCoordinates publishes an event of a kind for each coordinate that names nothing, or something that is no
// repository, and looks like that of a repository; and for each further one.
func (w *world) malformedCoordinates(kind int, of client.Key, d string, names []string, more ...string) outcome {
	key := of.Pubkey
	for _, coordinate := range append([]string{
		"30617:" + key, "30617:" + key + ":", "30617::" + d, "30617", ":" + key + ":" + d, key + ":" + d, "30617:" + key[1:] + ":" + d,
		"30617:" + key + "0:" + d, "30617:" + of.Npub + ":" + d, "30617:" + key + ":" + d + "x", "30617:" + key + ":" + d[1:],
		"30617:" + key + ":" + d + ":" + d, "x:" + key + ":" + d, "30617x:" + key + ":" + d, "1621:" + key + ":" + d, "5:" + key + ":" + d,
		"10317:" + key + ":", "62:" + key + ":", "-30617:" + key + ":" + d, "", ":", "::",
		"30617:" + w.key("stranger").Pubkey + ":" + d,
	}, more...) {
		tags := [][]string{{"c", w.git.history.oid("side")}}
		for _, name := range names {
			tags = append(tags, []string{name, coordinate})
		}
		ev := client.Build(w.key("contributor"), kind, append(tags, w.markers()...), w.run.purpose(), w.tick())
		w.remember("event", "", ev)
		if out := w.publish(ev).then(w.eventRefused); !out.held() {
			out.reason = "tags with " + quote(coordinate) + ": " + out.reason
			return out
		}
	}
	return w.notServed(w.sent.last, false)
}
