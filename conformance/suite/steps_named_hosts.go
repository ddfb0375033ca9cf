package suite

import (
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// namedHostSteps speak of hosts that events name elsewhere than among the clone URLs that count, and of who is asked at all.
func namedHostSteps() []step {
	return []step{
		{
			text: `the {actor} publishes an event of kind {number} with:`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes an event with the tags of the table, each value a part of its own, whatever the answer; {repository} is the address of the owner's",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishTags(a[0], int(number(a[1])), table).then(w.answeredAtAll)
			},
		},
		{
			text: `the git host{name} is asked for nothing within {number} seconds`,
			role: assertion, sees: hostsAsked, needs: []string{"reachback"},
			doc: "time passes, and no git data was asked for at the host so far; a WebSocket is no such request",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.pass(time.Duration(number(a[1])) * time.Second).then(func() outcome { return w.askedNothing(a[0]) })
			},
		},
	}
}

// publishTags publishes an event with the tags of a table.
func (w *world) publishTags(actor string, kind int, table [][]string) outcome {
	own := w.repository("owner", "")
	fill := w.filler(w.key("owner"))
	var tags [][]string
	for _, row := range table {
		tag := []string{row[0]}
		for _, value := range row[1:] {
			if value != "" {
				value = strings.ReplaceAll(value, "{repository}", client.RepoAddress(own.owner.Pubkey, own.identifier))
				tag = append(tag, fill.Replace(value))
			}
		}
		tags = append(tags, tag)
	}
	ev := client.Build(w.key(actor), kind, append(tags, w.markers()...), w.run.purpose(), w.tick())
	w.remember("event", "", ev)
	return w.publish(ev)
}

// askedNothing judges that nobody wanted git data of a host.
func (w *world) askedNothing(name string) outcome {
	for _, r := range w.host(name).Requests() {
		if wantsGitData(r) {
			return violated("the git host was asked %s %s %s, which nothing but a mention of it leads to", r.Method, r.Path, r.Service)
		}
	}
	return outcome{}
}

// wantsGitData reports whether a request is more than an attempt to speak with a relay: whether it is one of git, or an
// HTTP request that opens no WebSocket and asks for no document.
func wantsGitData(r target.HostRequest) bool {
	if r.Service != "" {
		return true
	}
	return r.Method != "" && !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") &&
		!strings.Contains(r.Header.Get("Accept"), "application/nostr+json")
}
