package suite

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// negotiationSteps are what git asks beyond one request: rounds, listings of some refs, other spellings.
func negotiationSteps() []step {
	return []step{
		{
			text: `one fetch in protocol version {number} brings the (?:objects?|tag) (\w+(?:(?:,| and) \w+)*)`,
			role: assertion, sees: fetched,
			doc: "wants of these ids in one request are answered with each of them and all that it needs",
			run: func(w *world, a []string, _ [][]string) outcome { return w.fetchTogether(a[1], int(number(a[0]))) },
		},
		{
			text: `(a tree|a file) of the lighthouse can be fetched by id with the filter (\S+) in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "a want of this id with a filter that leaves such objects out of a clone is answered with it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchFiltered(w.run.lighthouse.objects[a[0]], a[1], int(number(a[2])))
			},
		},
		{
			text: `a clone of its first commit with {number} commits of its own can be brought up to date in rounds in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "tells what it has in rounds as git does, each of which is answered, and gets the tip of the lighthouse",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchInRounds(int(number(a[0])), int(number(a[1])))
			},
		},
		{
			text: `a fetch that tells {number} commits of its own at once is answered in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "tells all that it has in one request, and gets the tip of the lighthouse",
			run: func(w *world, a []string, _ [][]string) outcome {
				l := w.run.lighthouse
				haves := append(ownCommits(w.check.ID, int(number(a[0]))), l.commits[0])
				objects, out := w.fetched("fetch", l.path(), int(number(a[1])), l.commits[2:], client.FetchOpts{Haves: haves})
				if !out.held() {
					return out
				}
				if err := objects.Connected(l.commits[2], l.known[l.commits[0]]...); err != nil {
					return violated("the pack is incomplete: %v", err)
				}
				return outcome{}
			},
		},
		{
			text: `a fetch that tells {number} times what both have is answered as one that tells its own in protocol version {number}`,
			role: assertion, sees: fetched,
			doc: "asks for an acknowledgment of each commit that both have, and gets these and the tip of the lighthouse; no answer, twice, is none where a fetch that tells as many commits of its own, and the advertisement, took a third of that at most; where multi_ack_detailed is not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchAcknowledged(int(number(a[0])), int(number(a[1])))
			},
		},
		{
			text: `a listing (?:of (.+) )?in protocol version {number} tells:`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the refs that begin with one of the prefixes, in the order given, are those of the table, with what tags (^{}) and HEAD point to",
			run: func(w *world, a []string, table [][]string) outcome {
				var prefixes []string
				if a[0] != "" {
					prefixes = strings.Split(a[0], ", ")
				}
				return w.lists(int(number(a[1])), prefixes, table)
			},
		},
		{
			text: `HEAD is listed at the commit (\w+) in protocol version {number}`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "HEAD is one of the refs, at this commit",
			run: func(w *world, a []string, _ [][]string) outcome {
				want := w.git.history.oid(a[0])
				return w.eventually("owner", int(number(a[1])), func(advert client.Advert) string {
					if at, _ := advert.Ref("HEAD"); at != want {
						return fmt.Sprintf("HEAD is listed at %q, want %s", at, want)
					}
					return ""
				})
			},
		},
		{
			text: `the lighthouse can be listed with the query (\S+)`,
			role: assertion, sees: advertised,
			doc: "the advertisement is answered, however the query of a URL is written",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.listAt(a[0], nil, 0)
			},
		},
		{
			text: `the lighthouse is listed with the query (\S+), or the request is refused`,
			role: assertion, sees: advertised,
			doc: "the advertisement is answered, or a client error",
			run: func(w *world, a []string, _ [][]string) outcome { return w.listOrRefuse(a[0]) },
		},
		{
			text: `the lighthouse can be listed with the header Git-Protocol {any}`,
			role: assertion, sees: advertised,
			doc: "the advertisement is answered in version 2, or in an older one",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.listAt("service="+client.UploadPack, http.Header{"Git-Protocol": {a[0]}}, 2)
			},
		},
		{
			text: `a fetch of the commit (\w+) in protocol version {number} that asks for tags along brings the tag (\w+)`,
			role: assertion, sees: fetched,
			doc: "a want of the commit with include-tag is answered with it and with the tag of a commit behind it; where the capability is not offered the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.fetchTagsAlong(w.git.history.oid(a[0]), w.git.history.oid(a[2]), int(number(a[1])))
			},
		},
		{
			text: `a fetch of the commit (\w+) that asks for (the long side-band|the side-band|no side-band) gets its pack so`,
			role: assertion, sees: fetched,
			doc: "the packets of the answer are as long as the band allows, and of no band where none is asked for; what is not offered is not judged",
			run: func(w *world, a []string, _ [][]string) outcome { return w.fetchBanded(w.git.history.oid(a[0]), a[1]) },
		},
		{
			text: `the empty repository tells the branch of HEAD, if it offers that`,
			role: assertion, sees: advertised,
			doc: "where version 2 offers unborn, a listing that asks for it names the branch of HEAD",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.tellsUnborn() },
		},
		{
			text: `a fetch with the content type {any} is answered, or refused`,
			role: assertion, sees: pages,
			doc: "the lighthouse's tip is asked for with a content type of another spelling; a client error is as good",
			run: func(w *world, a []string, _ [][]string) outcome { return w.fetchTyped(a[0]) },
		},
	}
}

// ownCommits are ids of commits that only a client has.
func ownCommits(seed string, n int) []string {
	var ids []string
	for i := range n {
		sum := sha1.Sum(fmt.Appendf(nil, "%s %d", seed, i))
		ids = append(ids, hex.EncodeToString(sum[:]))
	}
	return ids
}

// fetchInRounds negotiates with the lighthouse. A bad answer is tried again, for it may have any cause.
func (w *world) fetchInRounds(own, version int) outcome {
	l := w.run.lighthouse
	haves := append(ownCommits(w.check.ID, own), l.commits[0])
	advert, out := w.listLighthouse(version)
	if !out.held() {
		return out
	}
	objects, n, o := w.client.FetchRounds(w.ctx, l.path(), advert, l.commits[2:], haves)
	if first := o; o != nil && brokenOff(o) {
		if objects, n, o = w.client.FetchRounds(w.ctx, l.path(), advert, l.commits[2:], haves); o != nil && brokenOff(o) {
			if control := w.fetch(version, l.commits[2:], client.FetchOpts{}); control.held() {
				return violated("round %d: %v, and again %v; a clone is answered", n.Rounds+1, first, o)
			}
		}
	}
	if o != nil {
		return unlessInconclusive(fmt.Sprintf("fetch in rounds, after %d of them", n.Rounds), o)
	}
	if err := objects.Connected(l.commits[2], l.known[l.commits[0]]...); err != nil {
		return violated("the pack is incomplete: %v", err)
	}
	return outcome{}
}

// fetchTogether fetches objects of the check's repository in one exchange, each of which has to come with all that it needs.
func (w *world) fetchTogether(list string, version int) outcome {
	var wants []string
	for _, name := range strings.FieldsFunc(list, func(r rune) bool { return r == ' ' || r == ',' }) {
		if name != "and" {
			wants = append(wants, w.git.history.oid(name))
		}
	}
	objects, out := w.fetched("fetch of "+list, w.path("owner"), version, wants, client.FetchOpts{})
	if !out.held() {
		return out
	}
	for _, want := range wants {
		if err := objects.Connected(want); err != nil {
			return violated("the pack for %s is incomplete: %v", want, err)
		}
	}
	return outcome{}
}

// fetchFiltered asks by its id for what a filter leaves out of a clone.
func (w *world) fetchFiltered(oid, filter string, version int) outcome {
	objects, out := w.fetched("fetch by id with the filter "+filter, w.run.lighthouse.path(), version, []string{oid}, client.FetchOpts{Filter: filter})
	if out.held() && !objects.Has(oid) {
		return violated("%s was asked for by its id, with the filter %s, and did not come", oid, filter)
	}
	return out
}

// peeledEnd marks, behind the name of a tag, what it points to.
const peeledEnd = "^{}"

// lists judges a listing against a table of refs, in which HEAD names its branch and a peeled name what the tag points to.
func (w *world) lists(version int, prefixes []string, table [][]string) outcome {
	for _, row := range table { // HEAD may follow the refs, and what was listed before says nothing of how it is listed
		if row[0] == "HEAD" {
			if out := w.headIs(row[1], version, 0); !out.held() {
				return out
			}
		}
	}
	o := w.client.ListRefs(w.ctx, w.path("owner"), version, prefixes)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("listing", o)
	}
	if len(prefixes) > 0 && advert.Version != 2 {
		w.note("version 2 is answered in version %d", advert.Version)
		return outcome{}
	}
	told := make(map[string]string)
	for _, ref := range advert.Refs {
		told[ref.Name] = ref.OID
		if ref.Peeled != "" {
			told[ref.Name+peeledEnd] = ref.Peeled
		}
	}
	for _, row := range table {
		if row[0] == "HEAD" {
			if !advert.HeadIs(row[1]) {
				return violated("HEAD names %q, want %s", advert.Symrefs["HEAD"], row[1])
			}
			delete(told, "HEAD")
			continue
		}
		if oid := w.git.history.oid(row[1]); told[row[0]] != oid {
			return violated("%s is listed at %q, want %s (%s)", row[0], told[row[0]], oid, row[1])
		}
		delete(told, row[0])
	}
	for name := range told {
		if slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) || len(prefixes) == 0 {
			return violated("%s is listed as well", name)
		}
	}
	return outcome{}
}

// listAt lists the lighthouse by a query and a header of their own.
func (w *world) listAt(query string, header http.Header, version int) outcome {
	return w.listed(w.client.AdvertiseAt(w.ctx, w.run.lighthouse.path(), query, header), version)
}

// listed judges that an answer is the lighthouse's advertisement, in the protocol version of the usual one.
func (w *world) listed(o client.Observation, version int) outcome {
	l := w.run.lighthouse
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement", o)
	}
	if got, _ := advert.Ref("refs/heads/main"); got != l.commits[2] {
		return violated("refs/heads/main is at %q, want %s", got, l.commits[2])
	}
	usual, is := w.client.Advertise(w.ctx, l.path(), client.UploadPack, version).(client.Advert)
	if is && usual.Version != advert.Version {
		return violated("it is answered in version %d, and with the usual header in version %d", advert.Version, usual.Version)
	}
	return outcome{}
}

// listOrRefuse asks for the advertisement by a query that a client does not send, and that a server need not understand.
func (w *world) listOrRefuse(query string) outcome {
	o := w.client.AdvertiseAt(w.ctx, w.run.lighthouse.path(), query, nil)
	if refusedBadly(o) {
		return w.refusedBadly("the query "+query, o)
	}
	if answer, is := o.(client.HTTPAnswer); is && isClientError(answer) {
		w.note("the query %s is refused: %d", query, answer.Status)
		return outcome{}
	}
	return w.listed(o, 0)
}

// wantLine asks for a commit, with what is offered for that.
func (w *world) wantLine(oid string) string {
	return strings.TrimRight("want "+oid+" "+w.client.Claimed(client.UploadPack, "side-band-64k no-progress"), " ") + "\n"
}

// fetchTyped posts a proper fetch with a content type of its own.
func (w *world) fetchTyped(contentType string) outcome {
	l := w.run.lighthouse
	header := http.Header{"Content-Type": {contentType}, "Accept": {"application/x-" + client.UploadPack + "-result"}}
	want := w.wantLine(l.commits[2])
	o := w.client.Do(w.ctx, http.MethodPost, l.path()+"/"+client.UploadPack, header, []byte(pkt(want)+"0000"+pkt("done\n")))
	if refusedBadly(o) {
		return w.refusedBadly("a fetch with the content type "+contentType, o)
	}
	switch answer, is := o.(client.HTTPAnswer); {
	case is && isClientError(answer):
		w.note("a fetch with the content type %s is refused: %d", contentType, answer.Status)
	case !is || answer.Status != http.StatusOK:
		return unlessInconclusive("fetch", o)
	}
	return outcome{}
}
