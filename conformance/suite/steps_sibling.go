package suite

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

// siblingSteps speak of repositories of one identifier with different owners.
func siblingSteps() []step {
	return []step{
		{
			text: `the owner and the maintainer announced the repository, naming each other`,
			role: setUp, sees: answers, cost: cost{events: 2},
			doc: "both announcements were accepted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.announceEachOther("owner", "maintainer")
			},
		},
		{
			text: `the {actor}'s repository comes to have exactly:`,
			role: assertion, sees: advertised, within: spec.SiblingWithin,
			doc: "the refs become those of the table",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.comesToHave(a[0], table)
			},
		},
		{
			text: `the {actor}'s repository came to have exactly:`,
			role: setUp, sees: advertised, within: spec.SiblingWithin,
			doc: "the refs became those of the table, by themselves or by a push to this repository",
			run: func(w *world, a []string, table [][]string) outcome {
				if out := w.comesToHave(a[0], table); out.verdict != Fail {
					return out
				}
				return w.pushTwin(a[0], refsOf(table)).then(func() outcome { return w.comesToHave(a[0], table) })
			},
		},
		{
			text: `the {actor}'s repository follows, or has had the time to:`,
			role: setUp, sees: advertised, within: spec.SiblingWithin,
			doc: "the refs are those of the table, or the time for it has passed",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.mayFollow(a[0], table)
			},
		},
		{
			text: `the {actor}'s repository{name} still has exactly:`,
			role: assertion, sees: advertised, absent: true,
			doc: "behind a barrier, the refs are those of the table",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.keeps(whose(a[0], a[1]), table)
			},
		},
		{
			text: `the {actor}'s repository still has no refs`,
			role: assertion, sees: advertised, absent: true,
			doc: "behind a barrier, there are no refs",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.keeps(a[0], nil)
			},
		},
		{
			text: `the commit (\w+) can be fetched from the {actor}'s repository`,
			role: assertion, sees: fetched,
			doc: "a want of the commit is answered with all that it needs",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchable(a[1], w.git.history.oid(a[0]))
			},
		},
		{
			text: `it has exactly this once the {actor} published the state and a client pushed it:`,
			role: twin, sees: advertised, cost: cost{events: 1, pushes: 1}, within: spec.SiblingWithin,
			doc: "the refs become those of the table once the actor has signed them",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(a[0], "", w.tick(), table).then(w.accepted).then(func() outcome {
					return w.pushTwin(a[0], table)
				}).then(func() outcome { return w.comesToHave(a[0], table) })
			},
		},
		{
			text: `it follows the owner's next state:`,
			role: twin, sees: advertised, cost: cost{events: 1, pushes: 1}, within: spec.SiblingWithin,
			doc: "the maintainer's repository follows the owner's next state",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.publishState("owner", "", w.tick(), table).then(w.accepted).then(func() outcome {
					return w.pushTwin("maintainer", table)
				}).then(func() outcome { return w.comesToHave("maintainer", table) })
			},
		},
		{
			text: `it is recorded which of the two repositories have the ref of the pull request`,
			role: record, sees: advertised, within: spec.SiblingWithin,
			doc: "notes which of the two repositories have the ref",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.recordHolders(w.event("pull request"), "owner", "maintainer")
			},
		},
	}
}

// announceEachOther publishes an announcement by each of two actors that names the other one; both have to be accepted.
func (w *world) announceEachOther(one, other string) outcome {
	announce := func(actor, maintainer string) outcome {
		with := map[string]string{"maintainers": w.key(maintainer).Pubkey}
		return w.announce(announcing{actor: actor, name: actor, with: with}).then(w.accepted)
	}
	return announce(one, other).then(func() outcome { return announce(other, one) }).asSetup()
}

// comesToHave waits for an actor's repository to follow what happened in another one.
func (w *world) comesToHave(actor string, table [][]string) outcome {
	return w.within(spec.SiblingWithin, actor, client.UploadPack, 0, func(advert client.Advert) string {
		if difference := w.differs(advert, table); difference != "" {
			return "the " + actor + "'s repository: " + difference
		}
		return ""
	})
}

// mayFollow gives a server that brings siblings into line the time to do so; one that does not is judged elsewhere.
func (w *world) mayFollow(actor string, table [][]string) outcome {
	out := w.comesToHave(actor, table)
	if out.verdict == Fail {
		w.note("siblings are not brought into line: %s", out.reason)
		return outcome{}
	}
	return out
}

// fetchable judges that a commit can be fetched from an actor's repository with all that it needs.
func (w *world) fetchable(actor, oid string) outcome {
	objects, o := w.client.Fetch(w.ctx, w.path(actor), 0, []string{oid}, client.FetchOpts{})
	if o != nil {
		return unlessInconclusive("fetch", o)
	}
	if err := objects.Connected(oid); err != nil {
		return violated("the pack from the %s's repository is incomplete: %v", actor, err)
	}
	return outcome{}
}

// recordHolders notes which of the actors' repositories have the ref of an event, at the end of the time that a sibling
// has to follow.
func (w *world) recordHolders(ev *nostr.Event, actors ...string) outcome {
	var with, without []string
	for _, actor := range actors {
		out := w.within(spec.SiblingWithin, actor, client.UploadPack, 0, refAt(ev, namedCommit(ev)))
		switch {
		case out.held():
			with = append(with, actor)
		case out.verdict == Fail:
			without = append(without, actor)
		default:
			return out
		}
	}
	w.note("repositories with the ref: %s; without: %s", orNone(with), orNone(without))
	return outcome{}
}

func orNone(actors []string) string {
	if len(actors) == 0 {
		return "none"
	}
	return strings.Join(actors, ", ")
}
