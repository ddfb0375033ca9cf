package suite

import (
	"regexp"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// namedRepository is one of those that {repositories} stands for.
var namedRepository = regexp.MustCompile(`the (` + actorNames + `)'s repository "([a-z]+)"`)

// identifierSteps give repositories identifiers that look like those of others, and speak of their addresses.
func identifierSteps() []step {
	const kind = `(an issue|a comment|a note|a patch|an event of kind \d+)`
	return []step{
		{
			text: `the {actor}'s repository "([a-z]+)" is called (\S.*)`,
			role: setUp,
			doc:  "the repository of this name gets this identifier, with the words in braces filled in",
			run: func(w *world, a []string, _ [][]string) outcome {
				r := w.repository(a[0], a[1])
				r.identifier = w.filler(r.owner).Replace(a[2])
				w.actor(a[0]).repositories[a[1]] = r
				return outcome{}
			},
		},
		{
			text: `the event is accepted, or such an identifier is not taken here`,
			role: assertion, sees: answers,
			doc: "the announcement was accepted; a server that refuses its identifier is not judged by this check",
			run: func(w *world, _ []string, _ [][]string) outcome {
				if reason, refused := client.Refusal(w.sent.answer); refused {
					return w.notTaken(reason)
				}
				return w.accepted()
			},
		},
		{
			text: `the {actor}'s repository{name} is served, if its identifier is taken, with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1}, within: spec.ReleaseWithin,
			doc: "announcement, state and a push of everything, all accepted; a server that refuses the identifier is not judged",
			run: func(w *world, a []string, table [][]string) outcome {
				of := announcing{actor: a[0], repo: a[1]}
				out := w.announce(of)
				if reason, refused := client.Refusal(w.sent.answer); out.held() && refused {
					return w.notTaken(reason)
				}
				return out.then(w.accepted).then(func() outcome { return w.fill(of, table) })
			},
		},
		{
			text: `the {actor} publishes ` + kind + ` naming {repositories} by (\w)`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event that refers by this tag to each of the named repositories",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := client.Build(w.key(a[0]), kindOf(a[1]), w.naming(kindOf(a[1]), a[2], a[3]), w.run.purpose(), w.tick())
				w.remember("event", "", ev)
				w.sent.byLabel["root"] = ev
				return w.publish(ev)
			},
		},
		{
			text: `the same event naming {repositories} by (\w) is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "an event of the kind and author of the last one that refers to these repositories is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.sent.last
				tags := w.naming(ev.Kind, a[0], a[1])
				return w.publish(client.Build(w.authorOf(ev), ev.Kind, tags, w.run.purpose(), w.tick())).then(w.accepted)
			},
		},
		{
			text: `the event is found by the address of {repositories}`,
			role: assertion, sees: servedEvents, within: spec.ReleaseWithin,
			doc: "a query by #a brings the event",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.served(w.sent.last).then(func() outcome { return w.foundBy(w.addressesOf(a[0]), true) })
			},
		},
		{
			text: `the event is not found by the address of {repositories}`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "a query by #a does not bring the event",
			run: func(w *world, a []string, _ [][]string) outcome { return w.foundBy(w.addressesOf(a[0]), false) },
		},
		{
			text: `the {actor} asks to delete by address {repositories}`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes a deletion request that names these announcements by their addresses, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				var tags [][]string
				for _, address := range w.addressesOf(a[1]) {
					tags = append(tags, []string{"a", address})
				}
				request := client.Build(w.key(a[0]), client.KindDeletion, tags, "", w.tick())
				w.remember("event", "request", request)
				w.sent.doomed = w.sent.byLabel["announcement"]
				return w.publish(request).then(w.answeredAtAll).then(w.deletesAtAll)
			},
		},
	}
}

// addressesOf are the addresses of the repositories that a step names.
func (w *world) addressesOf(repositories string) []string {
	var addresses []string
	for _, m := range namedRepository.FindAllStringSubmatch(repositories, -1) {
		r := w.repository(m[1], m[2])
		addresses = append(addresses, client.RepoAddress(r.owner.Pubkey, r.identifier))
	}
	return addresses
}

// naming are the tags of an event of a kind that refers to repositories by one tag.
func (w *world) naming(kind int, repositories, tag string) [][]string {
	var tags [][]string
	for _, address := range w.addressesOf(repositories) {
		owner, _, _ := strings.Cut(strings.TrimPrefix(address, "30617:"), ":")
		tags = append(tags, reference(kind, tag, address, "30617", owner)...)
	}
	return append(tags, w.markers()...)
}

// foundBy judges whether queries by address bring the last event.
func (w *world) foundBy(addresses []string, wanted bool) outcome {
	for _, address := range addresses {
		events, out := w.query(client.Filter{Kinds: []int{w.sent.last.Kind}, Tags: map[string][]string{"a": {address}}})
		if !out.held() {
			return out
		}
		if holds(events, w.sent.last) != wanted {
			return violated("that a query by #a %s brings %s is %t", address, describe(w.sent.last), !wanted)
		}
	}
	return outcome{}
}
