package suite

import (
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// markedSteps speak of what other relays are told of private repositories (GRASP-03, GRASP-08).
func markedSteps() []step {
	return []step{
		{
			text: `the owner's repository is served, marked as private and listing no other relay, with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1}, needs: relayed,
			doc: "as without the mark; a server that does not take what is marked is not judged",
			run: func(w *world, _ []string, table [][]string) outcome { return w.serveMarked(table) },
		},
		{
			text: `the owner's repository, listing (the other relays?(?:(?:,| and)? "[a-z]+")*), is there for members, with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1}, needs: relayed,
			doc: "as without them, and the announcement lists these relays beside this service",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.servePrivately("owner", w.listing(a[0]), table)
			},
		},
		{
			text: `the other relay{name} was asked nothing that names the owner's repository`,
			role: assertion, sees: relaysAsked, needs: relayed,
			doc: "no filter that came there has its coordinates or the id of an event that the check has published",
			run: func(w *world, a []string, _ [][]string) outcome { return w.notAsked(a[0]) },
		},
		{
			text: `the contributor takes part in the owner's repository{name}, which is not marked, with:`,
			role: setUp, sees: reports, cost: cost{events: 3, pushes: 1}, needs: relayed,
			doc: "another repository of the owner is served, listing no other relay, and an issue of the contributor on it was accepted",
			run: func(w *world, a []string, table [][]string) outcome { return w.takePart(a[0], table) },
		},
		{
			text: `it was asked about the owner's repository that is not marked`,
			role: twin, sees: relaysAsked, needs: relayed,
			doc: "a filter that came there names its coordinates or one of its events",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.askedAboutOpen() },
		},
	}
}

// serveMarked makes a repository that its announcement says to be private. Who refuses it is right, too (AMB-17).
func (w *world) serveMarked(table [][]string) outcome {
	with := w.listing("no other relay")
	with["private"] = "true"
	a := announcing{actor: "owner", with: with}
	if out := w.announce(a); !out.held() {
		return out
	}
	if ok, is := w.sent.answer.(client.OKFrame); is && !ok.Accepted {
		return notApplicable("an announcement that is marked as private is refused: %v", ok)
	}
	return w.accepted().then(func() outcome { return w.fill(a, table) })
}

// tellings finds the messages to another relay that name one of the words.
func (w *world) tellings(relay string, words []string) (naming []target.RelayMessage) {
	names := func(list []string) bool {
		return slices.ContainsFunc(list, func(value string) bool { return slices.Contains(words, value) })
	}
	for _, m := range w.other(relay).Asked() {
		if slices.ContainsFunc(m.Filters, func(f target.RelayFilter) bool {
			return names(f.IDs) || slices.ContainsFunc(slices.Collect(maps.Values(f.Tags)), names)
		}) {
			naming = append(naming, m)
		}
	}
	return naming
}

// nameWords are the coordinates and the identifier of a repository, in whatever kind.
func (w *world) nameWords(name string) []string {
	r := w.repository("owner", name)
	address := client.RepoAddress(r.owner.Pubkey, r.identifier)
	_, rest, _ := strings.Cut(address, ":")
	return []string{address, "30618:" + rest, r.identifier}
}

// notAsked judges what the other relay was asked so far.
func (w *world) notAsked(relay string) outcome {
	words := w.nameWords("")
	for _, id := range slices.Sorted(maps.Keys(w.sent.taken)) {
		if !slices.Contains(w.private.open, id) {
			words = append(words, id)
		}
	}
	if told := w.tellings(relay, words); len(told) > 0 {
		return violated("the other relay was sent %s, which names the private repository: %+v", told[0].Verb, told[0].Filters)
	}
	return outcome{}
}

// takePart has the contributor write about a repository that is for everybody.
func (w *world) takePart(name string, table [][]string) outcome {
	before := maps.Clone(w.sent.taken)
	if out := w.serve(announcing{actor: "owner", repo: name, with: w.listing("no other relay")}, table); !out.held() {
		return out
	}
	r := w.repository("owner", name)
	tags := append([][]string{{"a", client.RepoAddress(r.owner.Pubkey, r.identifier)}, {"subject", "open"}}, w.markers()...)
	issue := client.Build(w.key("contributor"), client.KindIssue, tags, w.run.purpose(), w.latest())
	if out := w.publish(issue).then(w.accepted); !out.held() {
		return out
	}
	w.private.open = w.nameWords(name)
	for _, id := range slices.Sorted(maps.Keys(w.sent.taken)) {
		if _, was := before[id]; !was { // what was taken before is of other repositories
			w.private.open = append(w.private.open, id)
		}
	}
	return outcome{}
}

// askedAboutOpen judges that the other relay was asked about that repository.
func (w *world) askedAboutOpen() outcome {
	if len(w.tellings("", w.private.open)) == 0 {
		return violated("the other relay was asked nothing about a repository that is not marked")
	}
	return outcome{}
}
