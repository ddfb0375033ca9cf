package suite

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// pullRequestSteps speak of pull requests, of updates of them, and of their refs below refs/nostr/.
func pullRequestSteps() []step {
	const (
		form      = `(a pull request|an update)`
		label     = `((?:pull request|update)(?: "[a-z]+")?)`
		described = `{name} of the commit (\w+)(?: to {any}| with (every|no) optional tag)?`
	)
	return []step{
		{
			text: `the {actor} drafted ` + form + `{name} of the commit (\w+)`,
			role: setUp, cost: cost{events: 1},
			doc: "the event exists and was sent to nobody; an update is of a pull request that was",
			run: func(w *world, a []string, _ [][]string) outcome {
				p := pulling{actor: a[0], label: labelOf(a[1]), name: a[2], commit: a[3]}
				return w.original(p).then(func() outcome {
					w.buildPull(p)
					return outcome{}
				})
			},
		},
		{
			text: `the {actor} publishes ` + form + described,
			role: act, sees: answers, cost: cost{events: 2},
			doc: "publishes a pull request, or an update, that names the commit and the owner's repository, or those given",
			run: func(w *world, a []string, _ [][]string) outcome { return w.publishPull(pullOf(a)) },
		},
		{
			text: `the {actor} published ` + form + described,
			role: setUp, sees: answers, cost: cost{events: 2},
			doc: "a pull request, or an update, that names the commit and the owner's repository, or those given, was accepted",
			run: func(w *world, a []string, _ [][]string) outcome { return w.publishPull(pullOf(a)).then(w.accepted) },
		},
		{
			text: `each of {number} pull requests of the {actor} that come while their commits are pushed is served`,
			role: assertion, sees: reports, cost: cost{events: 5, pushes: 5}, within: spec.ReleaseWithin,
			doc: "event and push are under way at the same time, the event a little later each time; the push succeeds, and the event is served",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.pulledMeanwhile(a[1], int(number(a[0])))
			},
		},
		{
			text: `the {actor} publishes ` + form + ` with (nothing|an id cut short|a name) instead of a commit`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes one whose c tag is malformed or missing",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishPull(pulling{actor: a[0], label: labelOf(a[1]), instead: a[2]})
			},
		},
		{
			text: `the same ` + label + ` of the commit (\w+) to the owner's repository( "[a-z]+")? is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "one that is proper is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishPull(pulling{actor: "contributor", label: a[0], commit: a[1], to: "the owner's repository" + a[2]}).then(w.accepted)
			},
		},
		{
			text: `the {actor} publishes the ` + label,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "sends the event that was drafted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publish(w.event(a[1]))
			},
		},
		{
			text: `the {actor}'s ` + label + ` of the commit (\w+) waits`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "the event was accepted and waits; a server that holds none is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				p := pulling{actor: a[0], label: a[1], commit: a[2]}
				return w.publishPull(p).then(w.accepted).then(w.isHeld)
			},
		},
		{
			text: `a client pushes the commit (\w+) for the ` + label + `(?: to the {actor}'s repository)?`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the commit to the ref of the event",
			run: func(w *world, a []string, _ [][]string) outcome { return w.pushFor(w.event(a[1]), a[0], a[2]) },
		},
		{
			text: `a client pushed the commit (\w+) for the ` + label + `(?: to the {actor}'s repository)?`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the commit to the ref of the event succeeded",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.pushFor(w.event(a[1]), a[0], a[2]).then(w.succeeded)
			},
		},
		{
			text: `the ref of the ` + label + ` was deleted by a client`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push that deletes the ref of the event succeeded; a server that lets nobody delete one is not judged",
			run: func(w *world, a []string, _ [][]string) outcome { return w.takeBack(w.event(a[0])) },
		},
		{
			text: `the refs of the ` + label + ` and the ` + label + ` went with that from the {actor}'s repository`,
			role: setUp, sees: advertised, within: refsWithin,
			doc: "the refs of both events are not advertised any more; a server that keeps them is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.wentAway(a[2], w.event(a[0])).then(func() outcome { return w.wentAway(a[2], w.event(a[1])) })
			},
		},
		{
			text: `the ` + label + ` has its ref at the commit (\w+)(?: in the {actor}'s repository)?`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the ref of the event is advertised at the commit",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.hasRef(a[2], w.event(a[0]), w.git.history.oid(a[1]))
			},
		},
		{
			text: `the ` + label + ` is not served, unless its ref is at the commit (\w+)`,
			role: assertion, sees: servedEvents, absent: true, within: refsWithin,
			doc: "behind a barrier, nothing brings the event, or its ref is advertised at the commit: what the server has made itself is there",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.servedByRef(w.event(a[0]), w.git.history.oid(a[1]))
			},
		},
		{
			text: `the ` + label + ` has no ref(?: in the {actor}'s repository{name})?`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the ref of the event is not advertised",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.hasRef(whose(a[1], a[2]), w.event(a[0]), "")
			},
		},
		{
			text: `the ` + label + ` is served only if the announcement is`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, one query for both does not bring the one without the other",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.servedOnlyWith(w.event(a[0]), w.event("announcement"))
			},
		},
		{
			text: `the tip of the ` + label + ` can be fetched by its (ref|id) in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "the commit can be fetched, as it is listed or by its id",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchTip(w.event(a[0]), a[1] == "ref", int(number(a[2])))
			},
		},
	}
}

// servedOnlyWith judges that an event is not served while another one is not.
func (w *world) servedOnlyWith(ev, other *nostr.Event) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	events, o := w.servedOf(fresh, ev, other)
	switch {
	case o != nil:
		return unable("query by id", o)
	case holds(events, ev) && !holds(events, other):
		return violated("%s is served, and %s, which it rests on, is not", describe(ev), describe(other))
	}
	return outcome{}
}

// labelOf is the label of an event that a step names with its article.
func labelOf(form string) string {
	_, label, _ := strings.Cut(form, " ")
	return label
}

// pullOf reads the words of a step: actor, form, name, commit, repositories, optional tags.
func pullOf(a []string) pulling {
	return pulling{actor: a[0], label: labelOf(a[1]), name: a[2], commit: a[3], to: a[4], optional: a[5]}
}

// pulling is a pull request, or an update of one, as a step describes it.
type pulling struct {
	actor, label, name string
	commit             string // its name; "" for what instead says
	instead            string // what stands where the commit should
	to                 string // the repositories that it names, in words; "" is the owner's
	optional           string // "every" optional tag, "no" one, or "" for the usual ones
	at                 string // the git hosts that have it, in words; "" is this service
}

// buildPull makes the event and remembers it; what refers to it may call it the root. With the usual tags it is what
// clients publish.
func (w *world) buildPull(p pulling) *nostr.Event {
	kind, owner := client.KindPullRequest, w.key("owner").Pubkey
	if p.label == "update" {
		kind = client.KindUpdate
	}
	var tags [][]string
	for _, address := range w.addresses(p.to) {
		tags = append(tags, []string{"a", address})
	}
	switch {
	case p.instead == "an id cut short":
		tags = append(tags, []string{"c", w.git.history.oid("side")[:12]})
	case p.instead == "a name":
		tags = append(tags, []string{"c", "refs/heads/main"})
	case p.commit != "":
		tags = append(tags, []string{"c", w.git.history.oid(p.commit)})
	}
	if root := w.root(); kind == client.KindUpdate && root != nil {
		tags = append(tags, []string{"E", updated(root, p.to)}, []string{"P", root.PubKey})
	}
	if p.optional != "no" {
		clone := append([]string{"clone"}, w.pullClone(p)...)
		if p.optional == "every" {
			clone = append(clone, "https://git.example.invalid/x.git", "git@git.example.invalid:owner/x.git")
		}
		tags = append(tags, []string{"p", owner}, clone)
		if kind == client.KindPullRequest {
			tags = append(tags, []string{"subject", p.label + " " + p.name}, []string{"branch-name", "topic"})
		}
	}
	if p.optional == "every" {
		first := w.git.history.oid("first")
		tags = append(tags, []string{"r", first}, []string{"merge-base", first})
		if kind == client.KindPullRequest {
			tags = append(tags, []string{"t", "label"}, []string{"e", strings.Repeat("e", 64)})
		}
	}
	ev := client.Build(w.key(p.actor), kind, append(tags, w.markers()...), w.run.purpose(), w.tick())
	w.remember(p.label, p.name, ev)
	w.sent.byLabel["root"] = ev
	return ev
}

// addresses are the repositories that a step names in words.
func (w *world) addresses(to string) []string {
	of := func(actor string) string { return client.RepoAddress(w.key(actor).Pubkey, w.identifier) }
	unknown := of("stranger") + "-unknown"
	switch to {
	case "", "the owner's repository":
		return []string{of("owner")}
	case "an unknown repository":
		return []string{unknown}
	case "the owner's repository and an unknown one":
		return []string{of("owner"), unknown}
	case "an unknown repository and the owner's":
		return []string{unknown, of("owner")}
	case "the owner's and the stranger's repository":
		return []string{of("owner"), of("stranger")}
	case "the owner's and the maintainer's repository":
		return []string{of("owner"), of("maintainer")}
	}
	if named := w.addressesOf(to); named != nil {
		return named
	}
	panic("suite: invariant: unknown repositories " + to)
}

func (w *world) publishPull(p pulling) outcome {
	return w.original(p).then(func() outcome { return w.publish(w.buildPull(p)) })
}

// isHeld holds if the event that was accepted last waits for git data, by the words of its answer or because it is not
// served. A server that holds no such events is not asked further.
func (w *world) isHeld() outcome {
	if ok, is := w.sent.answer.(client.OKFrame); is && ok.Prefix == waitingPrefix {
		return outcome{}
	}
	events, out := w.query(client.Filter{IDs: []string{w.sent.last.ID}})
	if out.held() && len(events) > 0 {
		return notApplicable("the server does not hold events of kind %d", w.sent.last.Kind)
	}
	return out
}

// eventRefs is where the refs of events are.
const eventRefs = "refs/nostr/"

// refOf is the name of the ref that belongs to an event.
func refOf(ev *nostr.Event) string { return eventRefs + ev.ID }

// namedCommit is the id of the commit that an event names, or "".
func namedCommit(ev *nostr.Event) string {
	if c := ev.Tags.Find("c"); c != nil {
		return c[1]
	}
	return ""
}

// pushFor pushes a commit to the ref of an event in an actor's repository, the owner's if that is "", and judges nothing.
func (w *world) pushFor(ev *nostr.Event, commit, actor string) outcome {
	return w.push(cmp.Or(actor, "owner"), [][]string{{refOf(ev), commit}}, nil)
}

// refAt finds wrong with an advertisement that the ref of an event is not at an object, or not gone if that is "".
func refAt(ev *nostr.Event, want string) func(client.Advert) string {
	return func(advert client.Advert) string {
		if oid, _ := advert.Ref(refOf(ev)); oid != want {
			return fmt.Sprintf("%s is at %q, want %q", refOf(ev), oid, want)
		}
		return ""
	}
}

// hasRef waits for the ref of an event to be at an object, or to be gone if that is "".
func (w *world) hasRef(actor string, ev *nostr.Event, want string) outcome {
	return w.eventually(cmp.Or(actor, "owner"), 0, refAt(ev, want))
}

// servedByRef judges that an event is not served, or has its ref at an object.
func (w *world) servedByRef(ev *nostr.Event, want string) outcome {
	out := w.notServed(ev, true)
	if !out.verdict.Violated() {
		return out
	}
	if ref := w.hasRef("", ev, want); ref.held() || ref.verdict.Undecided() {
		return ref
	}
	return violated("%s, and its ref is not at the commit that it names", out.reason)
}

// fetchTip fetches what the ref of an event holds, as it is listed in the version given or by the id of the commit that
// the event names, and judges that nothing is missing.
func (w *world) fetchTip(ev *nostr.Event, listed bool, version int) outcome {
	tip := namedCommit(ev)
	if listed {
		o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, version)
		advert, is := o.(client.Advert)
		if !is {
			return unlessInconclusive("advertisement", o)
		}
		if oid, _ := advert.Ref(refOf(ev)); oid != tip {
			return violated("%s is listed at %q, want %s", refOf(ev), oid, tip)
		}
		version = min(version, advert.Version)
	}
	objects, out := w.fetched("fetch", w.path("owner"), version, []string{tip}, client.FetchOpts{})
	if !out.held() {
		return out
	}
	if err := objects.Connected(tip); err != nil {
		return violated("the pack for %s is incomplete: %v", refOf(ev), err)
	}
	return outcome{}
}

// eventName is an event in the name of a ref in tables: its label, its name, and how its id is written.
var eventName = regexp.MustCompile(`\{(pull request|update|event|root)(?: ([a-z]+))?(?:, ([a-z ]+))?\}`)

// eventNames fills in the ids of events.
func (w *world) eventNames(name string) string {
	return eventName.ReplaceAllStringFunc(name, func(words string) string {
		m := eventName.FindStringSubmatch(words)
		label := m[1]
		if m[2] != "" {
			label += " " + quote(m[2])
		}
		return spelledID(w.event(label).ID, m[3])
	})
}

// spelledID writes the id of an event as it is, or in a form that names no event.
func spelledID(id, form string) string {
	switch form {
	case "":
		return id
	case "cut short":
		return id[:len(id)-1]
	case "with a digit more":
		return id + "0"
	case "in upper case":
		return strings.ToUpper(id)
	case "with one letter in upper case":
		at := strings.IndexAny(id, "abcdef")
		return id[:at] + strings.ToUpper(id[at:at+1]) + id[at+1:]
	case "with a letter that is no digit":
		return id[:len(id)-1] + "g"
	case "with a grave accent":
		return "`" + id[1:]
	case "with a slash inside":
		return id[:31] + "/" + id[32:]
	case "as a note":
		note, err := nip19.EncodeNote(id)
		if err != nil {
			panic("suite: invariant: note: " + err.Error())
		}
		return note
	}
	panic("suite: invariant: unknown form of an id " + form)
}
