package suite

import (
	"encoding/json"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
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
			text: `all issues that name the lighthouse by a malformed coordinate are refused`,
			role: assertion, sees: answers, refuses: true, absent: true,
			doc: "publishes an issue for each malformed coordinate that a lenient reader might take for the lighthouse's; each is refused",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.malformedCoordinates() },
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
			text := w.lighthouseWords().Replace(fill.Replace(strings.Join(row, "|")))
			if err := json.Unmarshal([]byte(text), &tag); err != nil {
				return harnessError("tag %s: %v", text, err)
			}
			tags = append(tags, tag)
		}
		ev := client.Build(key, kind, append(tags, w.run.markers()...), w.run.purpose(), date)
		w.remember("event", name, ev)
		return w.publish(ev)
	})
}

// lighthouseWords replaces the words in braces that stand for the lighthouse and for commits.
func (w *world) lighthouseWords() *strings.Replacer {
	l := w.run.lighthouse
	pairs := []string{
		"{lighthouse}", l.address,
		"{first}", w.git.history.oid("first"),
		"{own clone}", w.client.CloneURL(w.key("owner").Pubkey, w.identifier), "{own relay}", w.client.RelayURL(),
	}
	if ev := w.sent.byLabel["event"]; ev != nil {
		pairs = append(pairs, "{d}", ev.Tags.GetD())
	}
	return strings.NewReplacer(pairs...)
}

// malformedCoordinates publishes an issue for each coordinate that names nothing, or something that is no repository.
func (w *world) malformedCoordinates() outcome {
	return w.needLighthouse().then(func() outcome {
		l := w.run.lighthouse
		key, d := l.key.Pubkey, l.identifier
		for _, coordinate := range []string{
			"30617:" + key, "30617:" + key + ":", "30617::" + d, "30617", ":" + key + ":" + d, key + ":" + d, "30617:" + key[1:] + ":" + d,
			"30617:" + key + "0:" + d, "30617:" + l.key.Npub + ":" + d, "30617:" + key + ":" + d + "x", "30617:" + key + ":" + d[1:],
			"30617:" + key + ":" + d + ":" + d, "x:" + key + ":" + d, "30617x:" + key + ":" + d, "1621:" + key + ":" + d, "5:" + key + ":" + d,
			"10317:" + key + ":", "62:" + key + ":", "-30617:" + key + ":" + d, "", ":", "::",
		} {
			tags := append([][]string{{"a", coordinate}, {"A", coordinate}, {"q", coordinate}, {"e", coordinate}, {"E", coordinate}}, w.run.markers()...)
			ev := client.Build(w.key("contributor"), client.KindIssue, tags, w.run.purpose(), w.tick())
			w.remember("event", "", ev)
			if out := w.publish(ev).then(w.eventRefused); !out.held() {
				out.reason = "tags with " + quote(coordinate) + ": " + out.reason
				return out
			}
		}
		return w.notServed(w.sent.last, false)
	})
}
