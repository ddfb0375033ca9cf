package suite

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// cloned is what a clone of the check's repository brought.
type cloned struct {
	branch, commit string
}

func gitSteps() []step {
	return []step{
		{
			text: `a client clones the repository`,
			role: assertion, sees: fetched,
			doc: "HEAD's branch is advertised, and its commit can be fetched with all that it needs",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.cloneOwner() },
		},
		{
			text: `the clone is on the branch (\w+) at the commit (\w+)`,
			role: assertion, sees: fetched,
			doc: "what the clone brought",
			run: func(w *world, a []string, _ [][]string) outcome {
				if w.git.clone.branch != "refs/heads/"+a[0] || w.git.clone.commit != w.git.history.oid(a[1]) {
					return violated("the clone is on %q at %q, want %s at %s", w.git.clone.branch, w.git.clone.commit, a[0], w.git.history.oid(a[1]))
				}
				return outcome{}
			},
		},
		{
			text: `the lighthouse can be listed in protocol version {number}`,
			role: assertion, sees: advertised,
			doc: "the advertisement names the lighthouse's branch and its commit",
			run: func(w *world, a []string, _ [][]string) outcome {
				_, out := w.listLighthouse(int(number(a[0])))
				return out
			},
		},
		{
			text: `the lighthouse can be cloned( compressed| in chunks| compressed and in chunks| behind a request to go on)? in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "the lighthouse's tip can be fetched with all that it needs",
			run: func(w *world, a []string, _ [][]string) outcome {
				l := w.run.lighthouse
				wire := client.Wire{
					Gzip: strings.Contains(a[0], "compressed"), Chunked: strings.Contains(a[0], "in chunks"), Continue: strings.Contains(a[0], "go on"),
				}
				return w.fetch(int(number(a[1])), []string{l.commits[2]}, client.FetchOpts{Wire: wire})
			},
		},
		{
			text: `a clone of its first commit can be brought up to date in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "the tip can be fetched by who has the first commit",
			run: func(w *world, a []string, _ [][]string) outcome {
				l := w.run.lighthouse
				return w.fetch(int(number(a[0])), []string{l.commits[2]}, client.FetchOpts{Haves: l.commits[:1]})
			},
		},
		{
			text: `(an ancestor commit|a tip|a tree|a file) of the lighthouse can be fetched by id in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "a want of this id is answered with all that it needs",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchByID(int(number(a[1])), w.run.lighthouse.objects[a[0]])
			},
		},
		{
			text: `a missing object( before the tip| behind the tip)? is refused by the lighthouse in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "a want of an id that nobody has, alone or beside another one, is refused, while the tip is served",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.missing(a[0], int(number(a[1])))
			},
		},
		{
			text: `the advertisement offers (\S+)`,
			role: assertion, sees: advertised,
			doc: "the capability is in the advertisement of version 0",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.offers(0, a[0], "")
			},
		},
		{
			text: `the advertisement of version 2 offers ([a-z0-9-]+)(?: with (\S+))? ?`,
			role: assertion, sees: advertised,
			doc: "the capability is in the advertisement of version 2, with the value",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.offers(2, a[0], a[1])
			},
		},
		{
			text: `a clone with the filter (\S+) in protocol version {number} holds {number} commits, {number} trees and {number} files`,
			role: assertion, sees: fetched,
			doc: "the pack holds so many objects of each type",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchCounted(int(number(a[1])), client.FetchOpts{Filter: a[0]}, a[2:])
			},
		},
		{
			text: `a fetch of depth {number}(?: with the filter (\S+))? in protocol version {number} holds {number} commits, {number} trees and {number} files`,
			role: assertion, sees: fetched,
			doc: "the pack holds so many objects of each type; where fetches to a depth are not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchCounted(int(number(a[2])), client.FetchOpts{Depth: int(number(a[0])), Filter: a[1]}, a[3:])
			},
		},
		{
			text: `a fetch of depth 1 of two commits in protocol version {number} brings both`,
			role: assertion, sees: fetched,
			doc: "the pack holds the first and the last commit, and all that their trees need; where fetches to a depth are not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				wants := []string{w.run.lighthouse.commits[2], w.run.lighthouse.commits[0]}
				return w.fetchCountedOf(wants, int(number(a[0])), client.FetchOpts{Depth: 1}, []string{"2"})
			},
		},
		{
			text: `a clone of depth 1 can be deepened in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "a second fetch brings one commit more; where fetches to a depth are not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				tip := []string{w.run.lighthouse.commits[2]}
				opts := client.FetchOpts{Depth: 2, Haves: tip, Shallow: tip}
				return w.fetchCounted(int(number(a[0])), opts, []string{"1"})
			},
		},
		{
			text: `a clone of depth 1 can be made whole in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "a second fetch, of the depth by which git asks for everything, brings all other commits; where fetches to a depth are not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				tip := []string{w.run.lighthouse.commits[2]}
				opts := client.FetchOpts{Depth: wholeDepth, Haves: tip, Shallow: tip}
				return w.fetchCounted(int(number(a[0])), opts, []string{"2"})
			},
		},
		{
			text: `every ref that is advertised for (git-\S+) in protocol version {number} is a branch, a tag or HEAD`,
			role: assertion, sees: advertised,
			doc: "nothing outside refs/heads, refs/tags, refs/nostr and HEAD is advertised",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.showsOwnRefsOnly(a[0], int(number(a[1])))
			},
		},
		{
			text: `the empty repository can be cloned in protocol version {number}`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the advertisement of the empty repository has no refs",
			run: func(w *world, a []string, _ [][]string) outcome {
				version := int(number(a[0]))
				return w.eventually("owner", version, func(advert client.Advert) string {
					if len(advert.Refs) > 0 {
						return fmt.Sprintf("the empty repository has refs: %v", advert)
					}
					return unknownVersion(version, advert)
				})
			},
		},
		{
			text: `the empty repository says what it offers in protocol version {number}`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the advertisement of the empty repository has capabilities and no refs; in the versions before 2 it may have no line at all",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.emptyOffers(int(number(a[0])), func(advert client.Advert) bool {
					return len(advert.Caps) > 0 || advert.Caps == nil && advert.Version < 2 // as git before 2.34
				})
			},
		},
		{
			text: `the empty repository offers (\S+), if anything, in protocol version {number}`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the capability is among those that the advertisement of the empty repository has, if it has any",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.emptyOffers(int(number(a[1])), func(advert client.Advert) bool {
					_, offered := advert.Cap(a[0])
					return offered || len(advert.Caps) == 0
				})
			},
		},
		{
			text: `the lighthouse can be listed at its path with {any}`,
			role: assertion, sees: advertised,
			doc: "the lighthouse answers at its path in another spelling",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.listSpelled(a[0])
			},
		},
		{
			text: `{number} clients give up their clones of the repository`,
			role: act, sees: fetched,
			doc: "begins so many fetches and hangs up",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.abortClones(int(number(a[0])))
			},
		},
		{
			text: `the lighthouse can be listed and fetched by a client that accepts compressed answers`,
			role: assertion, sees: advertised,
			doc: "an advertisement and the result of a fetch that are asked for with Accept-Encoding can be read",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.listCompressed()
			},
		},
	}
}

// listLighthouse asks for the lighthouse's refs and judges that they are its own.
func (w *world) listLighthouse(version int) (client.Advert, outcome) {
	l := w.run.lighthouse
	o := w.client.Advertise(w.ctx, l.path(), client.UploadPack, version)
	advert, is := o.(client.Advert)
	if !is {
		return advert, unlessInconclusive("advertisement", o)
	}
	if why := unknownVersion(version, advert); why != "" {
		return advert, violated("%s", why)
	}
	if got, _ := advert.Ref("refs/heads/main"); got != l.commits[2] {
		return advert, violated("refs/heads/main is at %q, want %s", got, l.commits[2])
	}
	return advert, outcome{}
}

// fetch gets objects of the lighthouse and judges that nothing they need is missing.
func (w *world) fetch(version int, wants []string, opts client.FetchOpts) outcome {
	l := w.run.lighthouse
	objects, out := w.fetched("fetch", l.path(), version, wants, opts)
	if !out.held() {
		return out
	}
	var known []string
	if len(opts.Haves) > 0 {
		known = l.known[opts.Haves[0]]
	}
	for _, want := range wants {
		if err := objects.Connected(want, known...); err != nil {
			return violated("the pack for %s is incomplete: %v", want, err)
		}
	}
	return outcome{}
}

// fetchByID gets one object. A bad answer is a violation if the tip can be fetched at the same endpoint.
func (w *world) fetchByID(version int, oid string) outcome {
	l := w.run.lighthouse
	out := w.fetch(version, []string{oid}, client.FetchOpts{})
	if out.verdict != Inconclusive || oid == l.commits[2] {
		return out
	}
	control := w.fetch(version, []string{l.commits[2]}, client.FetchOpts{})
	if !control.held() {
		return out
	}
	if again := w.fetch(version, []string{oid}, client.FetchOpts{}); again.verdict != Inconclusive {
		return again // it was busy
	}
	return violated("%s; the tip is fetched properly", out.reason)
}

// missing asks for an object that nobody has. A refusal is an answer in the protocol, or a status that blames the client;
// anything else is a violation if what is there is answered properly.
func (w *world) missing(beside string, version int) outcome {
	l := w.run.lighthouse
	absent := strings.Repeat("1", len(client.ZeroOID))
	wants := []string{absent}
	switch beside {
	case " before the tip":
		wants = append(wants, l.commits[2])
	case " behind the tip":
		wants = []string{l.commits[2], absent}
	}
	_, o := w.client.Fetch(w.ctx, l.path(), version, wants, client.FetchOpts{})
	if _, refused := client.Refusal(o); refused {
		return outcome{}
	}
	if control := w.fetch(version, []string{l.commits[2]}, client.FetchOpts{}); !control.held() {
		return inconclusive("fetch of a missing object", o)
	}
	if client.Inconclusive(o) { // it may have been busy
		_, o = w.client.Fetch(w.ctx, l.path(), version, wants, client.FetchOpts{})
	}
	if _, refused := client.Refusal(o); refused {
		return outcome{}
	}
	if o == nil {
		return violated("a missing object was answered with a pack")
	}
	return violated("a missing object was answered with %v; the tip is fetched properly", o)
}

// cloneOwner clones the owner's repository as git would: HEAD's branch, and everything it needs.
func (w *world) cloneOwner() outcome {
	var version int
	var branch, commit string
	out := w.eventually("owner", 2, func(advert client.Advert) string { // HEAD may follow the refs
		version, branch = advert.Version, advert.Symrefs["HEAD"]
		there := false
		if commit, there = advert.Ref(branch); !there {
			return fmt.Sprintf("HEAD names %q, which is not advertised: %v", branch, advert)
		}
		return ""
	})
	if !out.held() {
		return out
	}
	objects, out := w.fetched("clone", w.path("owner"), 2*min(version, 1), []string{commit}, client.FetchOpts{})
	if !out.held() {
		return out
	}
	if err := objects.Connected(commit); err != nil {
		return violated("the clone is incomplete: %v", err)
	}
	w.git.clone = cloned{branch, commit}
	return outcome{}
}

// unknownVersion says that an answer is in a version that who asked need not know, or "".
func unknownVersion(asked int, advert client.Advert) string {
	if advert.Version <= asked {
		return ""
	}
	return fmt.Sprintf("who asks in version %d is answered in version %d, which he need not know", asked, advert.Version)
}
