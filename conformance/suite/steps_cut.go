package suite

import (
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// cutSteps are fetches of less than all: of histories that are cut in some way, and without files by who has some of them.
func cutSteps() []step {
	const cut = "the pack holds these commits and no others, with all that they need up to where the server says that it ends; what is not offered is not applicable"
	return []step{
		{
			text: `a clone of its first commit can be brought up to date with the filter (\S+) in protocol version {number}, without any (file|tree)`,
			role: assertion, sees: fetched,
			doc: "a fetch with this filter by who has the first commit brings the other two, and no object of that type",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchFurther(a[0], int(number(a[1])), map[string]string{"file": "blob", "tree": "tree"}[a[2]])
			},
		},
		{
			text: `a fetch of the commit (\w+) by who has the commit (\w+) in protocol version {number} brings a pack that needs nothing else`,
			role: assertion, sees: fetched,
			doc: "the pack, which is not asked to be a thin one, can be read without what the client has, and holds all else that the commit needs",
			run: func(w *world, a []string, _ [][]string) outcome {
				want, has := w.git.history.oid(a[0]), w.git.history.oid(a[1])
				objects, out := w.fetched("fetch", w.path("owner"), int(number(a[2])), []string{want}, client.FetchOpts{Haves: []string{has}})
				if !out.held() {
					return out
				}
				if err := objects.Connected(want, w.git.history.Closure(has)...); err != nil {
					return violated("the pack is incomplete: %v", err)
				}
				return outcome{}
			},
		},
		{
			text: `a clone of depth 1 can be deepened by {number} commits? in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "a second fetch, whose depth counts from where the first one ended, brings so many commits more; where fetches to a depth, or such depths, are not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				version := int(number(a[1]))
				if out := w.offersCut(w.run.lighthouse.path(), version, "deepen-relative"); !out.held() {
					return out
				}
				tip := []string{w.run.lighthouse.commits[2]}
				return w.fetchCounted(version, client.FetchOpts{Depth: int(number(a[0])), Relative: true, Haves: tip, Shallow: tip}, a[:1])
			},
		},
		{
			text: `a fetch of the (?:commit|tag) (\w+) to a depth of {number} in protocol version {number} brings the commits? (\w+(?:(?:,| and) \w+)*) alone`,
			role: assertion, sees: fetched, doc: cut,
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchCut(a[0], a[3], "shallow", int(number(a[2])), client.FetchOpts{Depth: int(number(a[1]))})
			},
		},
		{
			text: `a fetch of the commit (\w+) by a clone of depth 1 of the commit (\w+) in protocol version {number} brings the commits? (\w+(?:(?:,| and) \w+)*) alone`,
			role: assertion, sees: fetched, doc: cut,
			run: func(w *world, a []string, _ [][]string) outcome {
				has := []string{w.git.history.oid(a[1])}
				return w.fetchCut(a[0], a[3], "shallow", int(number(a[2])), client.FetchOpts{Haves: has, Shallow: has})
			},
		},
		{
			text: `a fetch of the commit (\w+) since the date of the commit (\w+) in protocol version {number} brings the commits? (\w+(?:(?:,| and) \w+)*) alone`,
			role: assertion, sees: fetched, doc: cut,
			run: func(w *world, a []string, _ [][]string) outcome {
				since := w.git.history.Committed(w.git.history.oid(a[1]))
				return w.fetchCut(a[0], a[3], "deepen-since", int(number(a[2])), client.FetchOpts{DeepenSince: since})
			},
		},
		{
			text: `a fetch of the commit (\w+) without what (\S+) reaches in protocol version {number} brings the commits? (\w+(?:(?:,| and) \w+)*) alone`,
			role: assertion, sees: fetched, doc: cut,
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchCut(a[0], a[3], "deepen-not", int(number(a[2])), client.FetchOpts{DeepenNot: a[1:2]})
			},
		},
	}
}

// fetchFurther fetches what follows the first commit of the lighthouse, without the objects that a filter leaves out.
func (w *world) fetchFurther(filter string, version int, without string) outcome {
	l := w.run.lighthouse
	objects, out := w.fetched("fetch", l.path(), version, l.commits[2:], client.FetchOpts{Filter: filter, Haves: l.commits[:1]})
	if !out.held() {
		return out
	}
	for _, oid := range l.commits[1:] {
		if !objects.Has(oid) {
			return violated("the commit %s does not come", oid)
		}
	}
	if got := objects.CountOf(without); got > 0 {
		return violated("the pack holds %d objects of type %s, which the filter %s leaves out", got, without, filter)
	}
	return outcome{}
}

// offersCut ends a check that asks for a history that is cut in a way that is not offered. In version 2 all ways go by one word.
func (w *world) offersCut(path string, version int, word string) outcome {
	advert, is := w.client.Advertise(w.ctx, path, client.UploadPack, version).(client.Advert)
	if !is {
		return outcome{} // the fetch will tell
	}
	if out := offersDepths(advert); !out.held() || advert.Version == 2 {
		return out
	}
	if _, offered := advert.Cap(word); !offered {
		return notApplicable("%s is not offered: the capabilities are %v", word, advert.Caps)
	}
	return outcome{}
}

// fetchCut fetches a commit of the owner's repository and judges which commits come.
func (w *world) fetchCut(tip, list, word string, version int, opts client.FetchOpts) outcome {
	if out := w.offersCut(w.path("owner"), version, word); !out.held() {
		return out
	}
	want := w.git.history.oid(tip)
	objects, out := w.fetched("fetch", w.path("owner"), version, []string{want}, opts)
	if !out.held() {
		return out
	}
	names := strings.FieldsFunc(strings.ReplaceAll(list, " and ", " "), func(r rune) bool { return r == ' ' || r == ',' })
	for _, name := range names {
		if !objects.Has(w.git.history.oid(name)) {
			return violated("the commit %s does not come", name)
		}
	}
	if got := objects.CountNew("commit"); got != len(names) {
		return violated("the pack holds %d commits that the client lacks, want %d: %s", got, len(names), list)
	}
	if err := objects.Connected(want); err != nil {
		return violated("the pack is incomplete, and the server does not say that it ends there: %v", err)
	}
	return outcome{}
}
