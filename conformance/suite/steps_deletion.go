package suite

import (
	"fmt"
	"regexp"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// deletionSteps speak of requests to delete events (NIP-09).
func deletionSteps() []step {
	return []step{
		{
			text: `the {actor} asks to delete the {label} by (id|address)(?:, (with|without) k tags)?{date}`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes a deletion request, by e tag or by a tag, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.askToDelete(a[0], w.event(a[1]), a[2] == "address", a[3] == "with", w.dated(a[4]))
			},
		},
		{
			text: `the {actor} asks to delete the {label} by (id|address) with a hint behind it{date}`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes a deletion request whose e tag or a tag has the URL of a relay as a third element, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.event(a[1])
				tag := []string{"e", ev.ID}
				if a[2] == "address" {
					tag = []string{"a", addressOf(ev)}
				}
				return w.requestDeletion(a[0], ev, [][]string{append(tag, w.client.RelayURL())}, w.dated(a[3]))
			},
		},
		{
			text: `a client asks for the refs, and pushes when the owner has asked to delete the {label}:`,
			role: act, sees: reports, cost: cost{events: 1, pushes: 1},
			doc: "pushes the refs of the table without asking again, once the request to delete the event by its id has come",
			run: func(w *world, a []string, table [][]string) outcome { return w.behindDeletion(a[0], table) },
		},
		{
			text: `a client pushes, and halfway the {actor} asks to delete the {label}( by address)?:`,
			role: act, sees: reports, cost: cost{events: 1, pushes: 1},
			doc: "half of a push of the table is sent, then a request to delete the event by its id, or its address, and the rest once that has been answered",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.deleteHalfway(a[0], a[1], a[2] != "", table)
			},
		},
		{
			text: `the {actor} asks in one request to delete ((?:the {label}(?:, | and )?)+) by (id|address|id and address){date}`,
			role: act, sees: answers, answered: true, cost: cost{events: 1},
			doc: "publishes one deletion request for several events, by their e tags, their a tags or both, in the order given, whatever the answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.askToDeleteAll(a[0], w.eventsCalled(a[1]), a[len(a)-2], w.dated(a[len(a)-1]))
			},
		},
		{
			text: `the same request by the {actor}{date} takes effect on the {label}, or none does here`,
			role: twin, sees: servedEvents, cost: cost{events: 1}, within: spec.ReleaseWithin, absent: true,
			doc: "the last deletion request, signed by this actor, is accepted, and this event is not served any more; a server that deletes nothing is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.sent.doomed = w.event(a[2])
				out := w.requestAgain(a[0], w.dated(a[1]))
				if out.verdict == Fail {
					return notApplicable("no such request takes effect here: %s", out.reason)
				}
				return out
			},
		},
		{
			text: `the same request by the {actor}{date} takes effect`,
			role: twin, sees: servedEvents, cost: cost{events: 1}, within: spec.ReleaseWithin, absent: true,
			doc: "the last deletion request, signed by this actor, is accepted, and the event is not served any more",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.requestAgain(a[0], w.dated(a[1]))
			},
		},
		{
			text: `the same request by the {actor}{date} takes effect, or none does here`,
			role: twin, sees: servedEvents, cost: cost{events: 1}, within: spec.ReleaseWithin, absent: true,
			doc: "the same, and a server that deletes nothing is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				out := w.requestAgain(a[0], w.dated(a[1]))
				if out.verdict == Fail {
					return notApplicable("no such request takes effect here: %s", out.reason)
				}
				return out
			},
		},
		{
			text: `the {label} is still served`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, a query by id brings the event; sooner or later, where the check has not seen it served before",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.stillServed(w.event(a[0]))
			},
		},
		{
			text: `the {label} is still served, unless the event was taken in its place`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, a query by id brings it if the event published last was answered OK false: what is refused changes nothing",
			run: func(w *world, a []string, _ [][]string) outcome {
				if _, refused := client.Refusal(w.sent.answer); !refused {
					return outcome{}
				}
				return w.stillServed(w.event(a[0]))
			},
		},
		{
			text: `the {label} is not counted any more`,
			role: assertion, sees: servedEvents,
			doc: "a COUNT by id is 0",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.counts(0, client.Filter{IDs: []string{w.event(a[0]).ID}})
			},
		},
		{
			text: `the deletion request before it is (still served|not served any more)`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "what is served of the deletion request taken before",
			run: func(w *world, a []string, _ [][]string) outcome {
				if a[0] == "still served" {
					return w.stillServed(w.sent.byLabel["deletion"])
				}
				return w.notServed(w.sent.byLabel["deletion"], false)
			},
		},
		{
			text: `an issue{name} by the {actor} was never sent`,
			role: setUp,
			doc:  "an issue on the lighthouse exists and was sent to nobody",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.needLighthouse().then(func() outcome {
					w.remember("issue", a[0], w.issue(a[1], a[0], w.tick()))
					return outcome{}
				})
			},
		},
		{
			text: `the {actor} published an article{name}{date}`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "an addressable event that refers to the lighthouse was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishArticle(a[0], a[1], w.dated(a[2])).then(w.accepted)
			},
		},
		{
			text: `the {actor} publishes an article{name}{date}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an addressable event that refers to the lighthouse",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishArticle(a[0], a[1], w.dated(a[2]))
			},
		},
		{
			text: `an article{name}{date} by the {actor} is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "an addressable event that refers to the lighthouse is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishArticle(a[2], a[0], w.dated(a[1])).then(w.accepted)
			},
		},
		{
			text: `the same pull request of the commit (\w+) that nobody deleted is released by such a push`,
			role: twin, sees: servedEvents, cost: cost{events: 1, pushes: 1}, within: spec.ReleaseWithin,
			doc: "an equal pull request of another id is accepted, pushed to and served",
			run: func(w *world, a []string, _ [][]string) outcome {
				twin := w.buildPull(pulling{actor: "contributor", label: "pull request", commit: a[0]})
				return w.publish(twin).then(w.accepted).then(func() outcome {
					return w.pushFor(twin, a[0], "").then(w.succeeded)
				}).then(func() outcome { return w.served(twin) })
			},
		},
		{
			text: `the {actor}'s repository went with it`,
			role: setUp, sees: advertised, within: removedWithin,
			doc: "the advertisement becomes 404 or 410; a server that keeps the repository is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				out := w.goneWithin(a[0], removedWithin)
				if out.verdict == Fail {
					return notApplicable("the repository of a deleted announcement stays here: %s", out.reason)
				}
				return out
			},
		},
		{
			text: `a younger announcement of the repository by the {actor} is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "an announcement younger than the request is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.announce(announcing{actor: a[0]}).then(w.accepted)
			},
		},
		{
			text: `the {actor}'s repository is gone within 10 seconds`,
			role: assertion, sees: advertised, within: removedWithin,
			doc: "the advertisement becomes 404 or 410",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.goneWithin(a[0], removedWithin)
			},
		},
		{
			text: `if the repository still answers, it has exactly:`,
			role: assertion, sees: advertised,
			doc: "the refs, if the repository answers, are those of the table; one that did not when it was asked before, for its data went with it, may have none",
			run: func(w *world, _ []string, table [][]string) outcome {
				advert, is := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0).(client.Advert)
				if !is {
					w.git.removed = true
					return outcome{}
				}
				if w.git.removed && len(advert.Refs) == 0 {
					w.note("the repository was removed, and is made anew")
					return outcome{}
				}
				if difference := w.differs(advert, table); difference != "" {
					return violated("%s", difference)
				}
				return outcome{}
			},
		},
		{
			text: `it is recorded whether the repository has exactly:`,
			role: record, sees: advertised, absent: true,
			doc: "behind a barrier, notes whether the refs are those of the table",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.recordRefs(table)
			},
		},
		{
			text: `it is recorded whether the pull request has a ref`,
			role: record, sees: advertised,
			doc: "notes whether the ref of the event is advertised",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.recordRefOf(w.event("pull request"))
			},
		},
	}
}

// askToDelete publishes a deletion request, whatever the answer: what counts is what is served afterwards.
func (w *world) askToDelete(actor string, ev *nostr.Event, byAddress, withKinds bool, date int64) outcome {
	tags := [][]string{{"e", ev.ID}}
	if byAddress {
		tags = [][]string{{"a", addressOf(ev)}}
	}
	if withKinds {
		tags = append(tags, []string{"k", fmt.Sprint(ev.Kind)})
	}
	return w.requestDeletion(actor, ev, tags, date)
}

// requestDeletion publishes a deletion request with these tags, which name an event.
func (w *world) requestDeletion(actor string, ev *nostr.Event, tags [][]string, date int64) outcome {
	request := client.Build(w.key(actor), client.KindDeletion, tags, "", date)
	w.remember("event", "request", request)
	w.sent.doomed = ev
	return w.publish(request).then(w.answeredAtAll).then(w.deletesAtAll)
}

// deletesAtAll holds unless a server that does not list NIP-09 has refused the request.
func (w *world) deletesAtAll() outcome {
	if reason, refused := client.Refusal(w.sent.answer); refused && !w.run.facts.nips[9] {
		return notApplicable("NIP-09 is not listed, and deletion requests are refused: %s", reason)
	}
	return outcome{}
}

// labeled is one of the events that a step lists.
var labeled = regexp.MustCompile(`the (\w+(?: request)?(?: "[a-z]+")?)`)

// eventsCalled are the events of such a list.
func (w *world) eventsCalled(list string) (events []*nostr.Event) {
	for _, m := range labeled.FindAllStringSubmatch(list, -1) {
		events = append(events, w.event(m[1]))
	}
	return events
}

// askToDeleteAll publishes one deletion request for several events. By id and address it names the first by its id, the next
// by its address, and so on.
func (w *world) askToDeleteAll(actor string, events []*nostr.Event, way string, date int64) outcome {
	var tags [][]string
	for i, ev := range events {
		if way == "address" || (way == "id and address" && i%2 == 1) {
			tags = append(tags, []string{"a", addressOf(ev)})
			continue
		}
		tags = append(tags, []string{"e", ev.ID})
	}
	request := client.Build(w.key(actor), client.KindDeletion, tags, "", date)
	w.remember("event", "request", request)
	return w.publish(request).then(w.answeredAtAll).then(w.deletesAtAll)
}

// requestAgain publishes the last request as somebody else or of another date, and judges that it takes effect.
func (w *world) requestAgain(actor string, date int64) outcome {
	var tags [][]string
	for _, tag := range w.event(`event "request"`).Tags {
		tags = append(tags, tag)
	}
	request := client.Build(w.key(actor), client.KindDeletion, tags, "", date)
	return w.publish(request).then(w.accepted).then(func() outcome { return w.notServed(w.sent.doomed, false) })
}

// stillServed judges, behind a barrier, that an event is served. One that nobody has seen yet may be on its way: it is waited for.
func (w *world) stillServed(ev *nostr.Event) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	events, o := fresh.Query(w.ctx, client.Filter{IDs: []string{ev.ID}})
	if o != nil {
		return unlessInconclusive("query", o)
	}
	switch {
	case holds(events, ev):
		return outcome{}
	case !w.sent.shown[ev.ID]:
		return w.served(ev)
	default:
		return violated("%s is not served any more", describe(ev))
	}
}

// publishArticle publishes an addressable event that refers to the lighthouse.
func (w *world) publishArticle(actor, name string, date int64) outcome {
	return w.needLighthouse().then(func() outcome {
		tags := [][]string{{"d", w.identifier}, {"a", w.run.lighthouse.address}, {"title", name}}
		ev := client.Build(w.key(actor), client.KindArticle, append(tags, w.markers()...), w.run.purpose(), date)
		w.remember("event", name, ev)
		return w.publish(ev)
	})
}

// removedWithin is how long a server may take to remove a repository (G01-DEL rows).
const removedWithin = 10 * time.Second

// goneWithin waits for a repository to answer 404.
func (w *world) goneWithin(actor string, bound time.Duration) outcome {
	var last client.Observation
	found, o := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		last = w.client.Advertise(w.ctx, w.path(actor), client.UploadPack, 0)
		answer, is := last.(client.HTTPAnswer)
		return is && nothingThere(answer), nil
	})
	switch {
	case found:
		return outcome{}
	case o != nil:
		return unable("advertisement", o)
	}
	if _, there := last.(client.Advert); there {
		return violated("the repository is still served after %v", bound)
	}
	return unlessInconclusive("a repository whose announcement was deleted", last)
}

// recordRefs notes, behind a barrier, what became of the refs.
func (w *world) recordRefs(table [][]string) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	fresh.Close()
	o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
	advert, is := o.(client.Advert)
	if !is {
		w.note("the repository answers %v", o)
		return outcome{}
	}
	if difference := w.differs(advert, table); difference != "" {
		w.note("%s", difference)
		return outcome{}
	}
	w.note("the refs are as expected")
	return outcome{}
}

// recordRefOf notes whether the ref of an event is there.
func (w *world) recordRefOf(ev *nostr.Event) outcome {
	o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, 0)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement", o)
	}
	_, there := advert.Ref(refOf(ev))
	w.note("%s is there: %t", refOf(ev), there)
	return outcome{}
}
