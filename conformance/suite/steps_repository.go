package suite

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
)

func repositorySteps() []step {
	return []step{
		{
			text: `the {actor}'s repository{name} is served with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1}, within: spec.ReleaseWithin,
			doc: "announcement, state and a push of everything, all accepted; both events are served",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.serve(announcing{actor: a[0], repo: a[1]}, table)
			},
		},
		{
			text: `the {actor}'s repository{name} is served, naming {actors}, with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1}, within: spec.ReleaseWithin,
			doc: "the same, and the announcement names maintainers",
			run: func(w *world, a []string, table [][]string) outcome {
				with := map[string]string{"maintainers": w.pubkeys(a[2])}
				return w.serve(announcing{actor: a[0], repo: a[1], with: with}, table)
			},
		},
		{
			text: `the repository has exactly:`,
			role: assertion, sees: advertised, within: patienceMax,
			doc: "the refs become those of the table, sooner or later; refs/nostr does not count",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.hasExactly(table)
			},
		},
		{
			text: `5 seconds later each of {number} answers shows exactly:`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the bound of refs is waited for, and each of so many advertisements, which are asked for on a connection each and in versions 0, 1 and 2 by turns, shows the refs of the table and no others",
			run: func(w *world, a []string, table [][]string) outcome { return w.eachShows(int(number(a[0])), table) },
		},
		{
			text: `the {actor}'s repository{name} has exactly:`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the refs of this repository become those of the table",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.eventually(whose(a[0], a[1]), 0, func(advert client.Advert) string {
					return w.differs(advert, table)
				})
			},
		},
		{
			text: `the repository has exactly, within 5 seconds:`,
			role: assertion, sees: advertised, within: refsWithin,
			doc: "the refs become those of the table within the bound of a release",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.hasWithin(refsWithin, table)
			},
		},
		{
			text: `the repository has exactly, within 2 seconds:`,
			role: assertion, sees: advertised, within: spec.SkewWithin,
			doc: "the refs become those of the table while they may still be behind their event",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.hasWithin(spec.SkewWithin, table)
			},
		},
		{
			text: `the repository has exactly, as it is advertised for pushes:`,
			role: assertion, sees: advertised, within: patienceMax,
			doc: "the refs that clients are told before they push become those of the table, sooner or later; refs/nostr does not count",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.within(0, "owner", client.ReceivePack, 0, func(advert client.Advert) string { return w.differs(advert, table) })
			},
		},
		{
			text: `the repository still has exactly:`,
			role: assertion, sees: advertised, absent: true,
			doc: "behind a barrier, the refs are those of the table",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.stillHas(table)
			},
		},
		{
			text: `the repository still has exactly, with the last row or without it:`,
			role: assertion, sees: advertised, absent: true,
			doc: "behind a barrier, the refs are those of the table, or those of all its rows but the last",
			run: func(w *world, _ []string, table [][]string) outcome {
				return w.keepsOneOf("owner", table[:len(table)-1], table)
			},
		},
		{
			text: `the repository answers git and is empty`,
			role: assertion, sees: advertised, within: patienceMax,
			doc: "both advertisements are answered, sooner or later, and there are no refs",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.isEmpty(0) },
		},
		{
			text: `the repository answers git by its path without escapes`,
			role: assertion, sees: advertised,
			doc: "both advertisements of the owner's repository are answered at the path that has each sign as it is, which RFC 3986 lets stand there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.answersAsWritten("owner") },
		},
		{
			text: `the repository answers git within 5 seconds and is empty`,
			role: assertion, sees: advertised, within: spec.RepositoryWithin,
			doc: "both advertisements are answered within the bound of a new repository, and there are no refs",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.isEmpty(spec.RepositoryWithin) },
		},
		{
			text: `the {actor}'s repository{name} is not there`,
			role: assertion, sees: advertised,
			doc: "both advertisements are 404",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.notThere(whose(a[0], a[1]))
			},
		},
		{
			text: `the repository asks for no authentication`,
			role: assertion, sees: advertised,
			doc: "both advertisements are answered without credentials",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.asksNoAuthentication()
			},
		},
		{
			text: `HEAD is (\S+) in protocol version {number}`,
			role: assertion, sees: advertised, within: patienceMax,
			doc: "the symbolic ref HEAD names the branch, sooner or later",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.headIs(a[0], int(number(a[1])), 0)
			},
		},
		{
			text: `HEAD is (\S+) in protocol version {number} within 5 seconds`,
			role: assertion, sees: advertised, within: spec.HeadWithin,
			doc: "the symbolic ref HEAD names the branch within its bound",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.headIs(a[0], int(number(a[1])), spec.HeadWithin)
			},
		},
	}
}

// serve sets up a served repository in the usual order: announcement, state, one push of everything.
func (w *world) serve(a announcing, table [][]string) outcome {
	return w.announce(a).then(w.accepted).then(func() outcome { return w.fill(a, table) })
}

// fill publishes the state of an announced repository and pushes all that it says.
func (w *world) fill(a announcing, table [][]string) outcome {
	return w.publishState(whose(a.actor, a.repo), a.repo, w.tick(), table).then(w.accepted).then(func() outcome {
		return w.push(whose(a.actor, a.repo), refsOf(table), nil).then(w.succeeded)
	}).then(func() outcome {
		return w.served(w.event("announcement"))
	}).then(func() outcome {
		return w.served(w.event("state"))
	})
}

// hasExactly waits for branches, tags and other refs to be those of the table, and HEAD if it names it.
func (w *world) hasExactly(table [][]string) outcome { return w.hasWithin(0, table) }

// hasWithin is hasExactly within a bound, if there is one.
func (w *world) hasWithin(judged time.Duration, table [][]string) outcome {
	return w.within(judged, "owner", client.UploadPack, 0, func(advert client.Advert) string {
		return w.differs(advert, table)
	})
}

// eachShows judges every advertisement that is asked for behind the bound of refs: a server of several processes may have a view in each.
func (w *world) eachShows(many int, table [][]string) outcome {
	if o := w.client.Wait(w.ctx, refsWithin); o != nil {
		return inconclusive("wait", o)
	}
	for n := range many {
		o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, n%3)
		advert, is := o.(client.Advert)
		if !is {
			return unlessInconclusive(fmt.Sprintf("advertisement %d of %d", n+1, many), o)
		}
		if complaint := w.differs(advert, table); complaint != "" {
			return violated("%d of %d advertisements are right, and then %s, %v after it should be", n, many, complaint, refsWithin)
		}
	}
	return outcome{}
}

// differs tells the first difference between an advertisement and a table, or "".
func (w *world) differs(advert client.Advert, table [][]string) string {
	want := make(map[string]bool)
	for _, row := range w.refNames(table) {
		if row[0] == "HEAD" {
			if !advert.HeadIs(row[1]) {
				return fmt.Sprintf("HEAD is %q, want %s", advert.Symrefs["HEAD"], row[1])
			}
			continue
		}
		want[row[0]] = true
		if oid, _ := advert.Ref(row[0]); oid != w.git.history.oid(row[1]) {
			return fmt.Sprintf("%s is at %q, want %s (%s)", row[0], oid, w.git.history.oid(row[1]), row[1])
		}
	}
	for _, ref := range advert.Refs {
		if !want[ref.Name] && ref.Name != "HEAD" && !strings.HasPrefix(ref.Name, eventRefs) {
			return fmt.Sprintf("there is a ref %s", ref.Name)
		}
	}
	return ""
}

// stillHas judges that refs did not move: behind a barrier they are those of the table.
func (w *world) stillHas(table [][]string) outcome { return w.keeps("owner", table) }

// keeps is stillHas for anybody's repository.
func (w *world) keeps(actor string, table [][]string) outcome { return w.keepsOneOf(actor, table) }

// keepsOneOf is keeps where the refs may be those of any of several tables; the first one says what is wrong.
func (w *world) keepsOneOf(actor string, tables ...[][]string) outcome {
	fresh, out := w.barrier()
	if !out.held() {
		return out
	}
	fresh.Close()
	o := w.client.Advertise(w.ctx, w.path(actor), client.UploadPack, 0)
	advert, is := o.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement", o)
	}
	wrong := func(advert client.Advert) string {
		first := w.differs(advert, tables[0])
		if slices.ContainsFunc(tables, func(table [][]string) bool { return w.differs(advert, table) == "" }) {
			return ""
		}
		return first
	}
	complaint := wrong(advert)
	headless := advert.Symrefs["HEAD"] == "" // it may still follow what the check began with
	switch {
	case complaint == "":
		return outcome{}
	case headless || w.isBehind(actor, advert):
		return w.eventually(actor, 0, wrong)
	case !slices.ContainsFunc(tables, func(table [][]string) bool { head := w.headOf(table); return head == "" || advert.HeadIs(head) }):
		return w.headFollows(actor, wrong) // the same where it named something before that
	}
	return violated("%s", complaint)
}

// headOf is the branch that HEAD names by a table, "" if it says nothing of that.
func (w *world) headOf(table [][]string) string {
	for _, row := range w.refNames(table) {
		if row[0] == "HEAD" {
			return row[1]
		}
	}
	return ""
}

// headFollows judges an advertisement that may be wrong for as long as HEAD may be behind.
func (w *world) headFollows(actor string, wrong func(client.Advert) string) outcome {
	var complaint string
	right, o := w.client.Poll(w.ctx, spec.HeadWithin, func() (bool, client.Observation) {
		o := w.client.Advertise(w.ctx, w.path(actor), client.UploadPack, 0)
		advert, is := o.(client.Advert)
		if !is {
			return false, o
		}
		complaint = wrong(advert)
		return complaint == "", o
	})
	switch _, late := o.(client.Late); {
	case right || late:
		return outcome{}
	case client.Inconclusive(o):
		return inconclusive("advertisement", o)
	case complaint == "":
		return unlessInconclusive("advertisement", o)
	}
	return violated("%s", complaint)
}

// isBehind reports whether an advertisement shows what there was before the last push, which was accepted: who lists refs from a copy may be
// that old for a moment.
func (w *world) isBehind(actor string, advert client.Advert) bool {
	p := w.git.pushed
	before, had := p.before.(client.Advert)
	report, is := p.answer.(client.PushReport)
	return had && is && report.Accepted() && p.actor == actor && maps.Equal(declarable(before), declarable(advert))
}

// nothingThere reports whether an answer says that nothing is there, or nothing any more.
func nothingThere(answer client.HTTPAnswer) bool {
	return answer.Status == http.StatusNotFound || answer.Status == http.StatusGone
}

// notThere judges that both advertisements of a repository answer so.
func (w *world) notThere(actor string) outcome {
	for _, service := range []string{client.UploadPack, client.ReceivePack} {
		o := w.client.Advertise(w.ctx, w.path(actor), service, 0)
		answer, is := o.(client.HTTPAnswer)
		if is && answer.Status >= http.StatusInternalServerError {
			return w.refusedBadly("the advertisement of a repository that must not be there", o)
		}
		if !is || !nothingThere(answer) {
			return unlessInconclusive("a repository that must not be there", o)
		}
	}
	return outcome{}
}

func (w *world) asksNoAuthentication() outcome {
	if d := w.run.entry.door; d != nil && d.Git {
		return notApplicable("a private service has everybody authenticate, to fetch and to push")
	}
	for _, service := range []string{client.UploadPack, client.ReceivePack} {
		o := w.advertise(w.path("owner"), service)
		if _, is := o.(client.Advert); !is {
			return unlessInconclusive("advertisement without credentials", o)
		}
	}
	return outcome{}
}

// isEmpty judges that the owner's repository answers git within a bound, if there is one, and has no refs.
func (w *world) isEmpty(judged time.Duration) outcome {
	return w.hasWithin(judged, nil).then(func() outcome {
		return w.within(judged, "owner", client.ReceivePack, 0, func(client.Advert) string { return "" })
	})
}

func (w *world) headIs(branch string, version int, judged time.Duration) outcome {
	return w.within(judged, "owner", client.UploadPack, version, func(advert client.Advert) string {
		if !advert.HeadIs(branch) {
			return fmt.Sprintf("HEAD is %q, want %s", advert.Symrefs["HEAD"], branch)
		}
		return ""
	})
}
