package suite

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// contributionSteps speak of the places below /prs/ where anybody puts the commits of pull requests (GRASP-06): an actor's place
// is that of what he signs for repositories of the check's identifier, or of a named one.
func contributionSteps() []step {
	const (
		place = `the {actor}'s place for pull requests{name}`
		form  = `(a pull request|an update|an issue)`
		label = `((?:pull request|update|issue)(?: "[a-z]+")?)`
		named = `{name} of the commit (\w+)(?:, for (no repository))?, at {any}`
	)
	return []step{
		{
			text: `the {actor} drafted ` + form + named,
			role: setUp, cost: cost{events: 1},
			doc: "an event that names the owner's repository, or none, and this place for its commit exists and was sent to nobody",
			run: func(w *world, a []string, _ [][]string) outcome {
				w.buildContribution(contributionOf(a))
				return outcome{}
			},
		},
		{
			text: `the {actor} publishes ` + form + named,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event that names the owner's repository, or none, and this place for its commit",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publish(w.buildContribution(contributionOf(a)))
			},
		},
		{
			text: `the {actor} published ` + form + named,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "such an event was accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publish(w.buildContribution(contributionOf(a))).then(w.accepted)
			},
		},
		{
			text: `the {actor}'s ` + label + ` of the commit (\w+), at {any}, waits`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "such an event was accepted and waits; a server that holds none is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				c := contributing{actor: a[0], label: a[1], commit: a[2], at: a[3]}
				return w.publish(w.buildContribution(c)).then(w.accepted).then(w.isHeld)
			},
		},
		{
			text: `the same ` + label + ` of the commit (\w+), at its place, is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the contributor's event that names the owner's repository and its own place is accepted",
			run: func(w *world, a []string, _ [][]string) outcome {
				c := contributing{actor: "contributor", label: a[0], commit: a[1], at: itsPlace}
				return w.publish(w.buildContribution(c)).then(w.accepted)
			},
		},
		{
			text: `a client pushes to ` + place + `:`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of the table to the place",
			run: func(w *world, a []string, table [][]string) outcome { return w.push(placeOf(a[0], a[1]), table, nil) },
		},
		{
			text: `a client pushes to ` + place + ` (` + forms() + `):`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the refs of the table to the place in this form",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.push(placeOf(a[0], a[1]), table, spoilers()[a[2]])
			},
		},
		{
			text: `a client pushed to ` + place + `:`,
			role: setUp, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the refs of the table to the place succeeded",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.push(placeOf(a[0], a[1]), table, nil).then(w.succeeded)
			},
		},
		{
			text: `this push to ` + place + ` is accepted:`,
			role: twin, sees: reports, cost: cost{pushes: 1}, within: refsWithin,
			doc: "a push of the table to the place succeeds",
			run: func(w *world, a []string, table [][]string) outcome { return w.pushTwin(placeOf(a[0], a[1]), table) },
		},
		{
			text: place + ` has exactly:`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the refs of the place become those of the table",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.eventually(placeOf(a[0], a[1]), 0, func(advert client.Advert) string { return w.placeDiffers(advert, table) })
			},
		},
		{
			text: place + ` becomes empty`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the place comes to have no refs, and is advertised",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.eventually(placeOf(a[0], a[1]), 0, func(advert client.Advert) string { return w.placeDiffers(advert, nil) })
			},
		},
		{
			text: place + ` answers (fetches|pushes) as an empty repository in protocol version {number}`,
			role: assertion, sees: advertised,
			doc: "the advertisement is answered at once, and there are no refs",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.placeIsEmpty(w.path(placeOf(a[0], a[1])), a[2], int(number(a[3])))
			},
		},
		{
			text: place + ` is empty where the identifier is (in upper case|with .git behind it|with a dash behind it)`,
			role: assertion, sees: advertised,
			doc: "the place of the same actor for an identifier that differs so answers fetches as an empty repository",
			run: func(w *world, a []string, _ [][]string) outcome {
				r := w.repository(a[0], a[1])
				r.identifier = map[string]string{
					"in upper case": strings.ToUpper(r.identifier), "with .git behind it": r.identifier + ".git", "with a dash behind it": r.identifier + "-",
				}[a[2]]
				return w.placeIsEmpty(placesPath+w.pathOf(r), "fetches", 0)
			},
		},
		{
			text: `the {actor}'s repository shows nothing of the pull request`,
			role: assertion, sees: advertised, absent: true,
			doc: "behind a barrier, the repository has no ref that is named after the event",
			run: func(w *world, a []string, _ [][]string) outcome { return w.showsNoPull(a[0]) },
		},
		{
			text: `the place for pull requests of the lighthouse's owner answers fetches`,
			role: twin, sees: advertised,
			doc: "the same path without the fault is an empty repository",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.needLighthouse().then(func() outcome {
					return w.placeIsEmpty(placesPath+w.run.lighthouse.path(), "fetches", 0)
				})
			},
		},
		{
			text: `it is recorded whether ` + place + ` is empty`,
			role: record, sees: advertised, absent: true,
			doc: "behind a barrier, notes which refs the place has",
			run: func(w *world, a []string, _ [][]string) outcome { return w.recordPlace(placeOf(a[0], a[1])) },
		},
		{
			text: `it is recorded whether the root names ` + place,
			role: record, sees: pages,
			doc: "notes whether the page for browsers has the path of the place",
			run: func(w *world, a []string, _ [][]string) outcome { return w.recordOnRoot(w.path(placeOf(a[0], a[1]))) },
		},
	}
}

// placesPath is where the places for pull requests are, below the service URL.
const placesPath = "/prs"

// placeWords stand in front of whose place is meant, where others name a repository; see whose.
const placeWords = "place of the "

// placeOf is an actor's place for pull requests, as whose joins an actor and the name of one of his repositories.
func placeOf(actor, name string) string { return placeWords + whose(actor, name) }

// itsPlace are the words for the one clone URL that is right: of the event's signer and of the identifier that its a tag has.
const itsPlace = "its place"

// contributing is an event for a repository that need not be here, as a step describes it.
type contributing struct {
	actor, label, name string
	commit             string
	bare               bool   // it names no repository
	at                 string // where its commit is, in words
}

func contributionOf(a []string) contributing {
	return contributing{actor: a[0], label: labelOf(a[1]), name: a[2], commit: a[3], bare: a[4] != "", at: a[5]}
}

// labelledKind is the kind of an event that may name a place, by its label.
func labelledKind(label string) int {
	switch label {
	case "pull request":
		return client.KindPullRequest
	case "update":
		return client.KindUpdate
	}
	return client.KindIssue
}

// buildContribution makes the event and remembers it. An update is of a pull request that is nowhere.
func (w *world) buildContribution(c contributing) *nostr.Event {
	label, name, _ := strings.Cut(c.label, ` "`)
	if name == "" {
		name = c.name
	}
	var tags [][]string
	if !c.bare {
		tags = append(tags, []string{"a", w.addresses("")[0]})
	}
	tags = append(tags, []string{"c", w.git.history.oid(c.commit)}, []string{"p", w.key("owner").Pubkey})
	if label == "update" {
		tags = append(tags, []string{"E", strings.Repeat("e", 64)}, []string{"P", w.key(c.actor).Pubkey})
	} else {
		tags = append(tags, []string{"subject", label + " " + name})
	}
	if values := w.clonesAt(c); len(values) > 0 {
		tags = append(tags, append([]string{"clone"}, values...))
	}
	ev := client.Build(w.key(c.actor), labelledKind(label), append(tags, w.markers()...), w.run.purpose(), w.tick())
	w.remember(label, strings.TrimSuffix(name, `"`), ev)
	return ev
}

// clonesAt are the clone URLs that the words say.
func (w *world) clonesAt(c contributing) []string {
	at := func(actor, name string) string {
		r := w.repository(actor, name)
		return strings.Replace(w.client.CloneURL(r.owner.Pubkey, r.identifier), w.pathOf(r), w.path(placeOf(actor, name)), 1)
	}
	own := at(c.actor, "")
	scheme, rest, _ := strings.Cut(own, "://")
	other := map[string]string{"http": "https", "https": "http"}[scheme]
	host, path, _ := strings.Cut(rest, "/")
	const foreign = "https://git.example.invalid/x.git"
	switch c.at {
	case itsPlace:
		return []string{own}
	case "its place by the other scheme":
		return []string{other + "://" + rest}
	case "its place and elsewhere":
		return []string{foreign, own}
	case "no place":
		return nil
	case "elsewhere alone":
		return []string{foreign}
	case "its place at another host":
		return []string{scheme + "://git.example.invalid/" + path}
	case "its place at another port":
		name, _, _ := strings.Cut(host, ":")
		return []string{scheme + "://" + name + ":1/" + path}
	case "its host as a user of another one":
		return []string{scheme + "://" + host + "@git.example.invalid/" + path}
	case "its place in the path of another host":
		return []string{scheme + "://git.example.invalid/" + own}
	case "its place in a query of another host":
		return []string{scheme + "://git.example.invalid/?at=" + own}
	case "its place below another host":
		return []string{scheme + "://" + host + ".example.invalid/" + path}
	case "another's place":
		return []string{at("stranger", "")}
	case "its place for another identifier":
		return []string{at(c.actor, "other")}
	case "a repository of its own":
		return []string{strings.Replace(own, placesPath+"/", "/", 1)}
	case "its place with a query":
		return []string{own + "?service=git-upload-pack"}
	case "its place with a fragment":
		return []string{own + "#x"}
	case "its place in upper case":
		return []string{strings.Replace(own, placesPath+"/", strings.ToUpper(placesPath)+"/", 1)}
	case "its place without its ending":
		return []string{strings.TrimSuffix(own, ".git")}
	case "a path below its place":
		return []string{own + "/x"}
	case "its place by another scheme than http":
		return []string{"ssh://" + rest}
	}
	panic("suite: invariant: unknown place " + c.at)
}

// placeDiffers tells the first difference between the refs of a place, all of which count, and a table, or "".
func (w *world) placeDiffers(advert client.Advert, table [][]string) string {
	for _, ref := range advert.Refs {
		there := func(row []string) bool { return row[0] == ref.Name }
		if ref.Name != "HEAD" && !slices.ContainsFunc(w.refNames(table), there) {
			return "there is a ref " + ref.Name
		}
	}
	return w.differs(advert, table)
}

// placeIsEmpty judges that a path is advertised as an empty repository is, for fetches or for pushes.
func (w *world) placeIsEmpty(path, what string, version int) outcome {
	service := client.UploadPack
	if what == "pushes" {
		service = client.ReceivePack
	}
	o := w.client.Advertise(w.ctx, path, service, version)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement of a place for pull requests", o)
	}
	if difference := w.placeDiffers(advert, nil); difference != "" {
		return violated("%s", difference)
	}
	return outcome{}
}

// showsNoPull judges that a repository has no ref of the pull request.
func (w *world) showsNoPull(actor string) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	o := w.client.Advertise(w.ctx, w.path(actor), client.UploadPack, 0)
	advert, is := o.(client.Advert)
	if !is {
		return unable("advertisement of the "+actor+"'s repository", o)
	}
	ref := w.refName(eventRefs + "{pull request}")
	if oid, there := advert.Ref(ref); there {
		return violated("%s is at %s in a repository that its event does not name", ref, oid)
	}
	return outcome{}
}

// recordPlace notes what is at a place.
func (w *world) recordPlace(place string) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	defer fresh.Close()
	switch o := w.client.Advertise(w.ctx, w.path(place), client.UploadPack, 0).(type) {
	case client.Advert:
		w.note("the place below %s/ has %d refs", placesPath, len(o.Refs))
		return outcome{}
	default:
		return unable("advertisement of the place", o)
	}
}

// recordOnRoot notes whether the page for browsers names a path.
func (w *world) recordOnRoot(path string) outcome {
	if out := w.visit("GET", "/", browserHeader(), nil); !out.held() {
		return out
	}
	answer, out := w.answer()
	if out.held() {
		w.note("the root names the place below %s/: %t", placesPath, strings.Contains(string(answer.Body), path))
	}
	return out
}
