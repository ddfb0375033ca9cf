package suite

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/gitclient"
)

// gitClone clones the owner's repository with further arguments, and returns where to.
func (w *world) gitClone(version int, args ...string) (string, outcome) {
	var clone string
	_, out := w.gitHas(func() gitclient.Answer {
		clone = w.gitPlace().New()
		return w.stockRun("", version, slices.Concat([]string{"clone"}, args, []string{w.gitURL(), clone})...)
	})
	return clone, out
}

// gitCloneShallow clones the owner's repository to a depth of 1, where that is offered. The clone has every branch: without a HEAD that
// names one git would clone none.
func (w *world) gitCloneShallow(version int) (string, outcome) {
	o := w.client.Advertise(w.ctx, w.path("owner"), client.UploadPack, version)
	if advert, is := o.(client.Advert); is {
		if out := offersDepths(advert); !out.held() {
			return "", out
		}
	}
	return w.gitClone(version, "--bare", "--depth=1", "--no-single-branch")
}

// local runs something in a repository of the place that asks nobody else, and returns what it prints without the last line's end.
func (w *world) local(in string, args ...string) (string, bool) {
	a := w.stockRun(in, 2, args...)
	return strings.TrimSuffix(a.Stdout, "\n"), a.Well()
}

// gitClonesOn clones and judges on which branch and commit the clone is. That HEAD names the branch is another matter.
func (w *world) gitClonesOn(version int, branch, commit string) outcome {
	head := w.asPrecondition(func() outcome { return w.headIs("refs/heads/"+branch, 0, 0).dueTo(restsOnHead) })
	if !head.held() {
		return head
	}
	clone, out := w.gitClone(version, "--no-checkout")
	if !out.held() {
		return out
	}
	// That it is whole git has seen to itself.
	on, err := w.gitPlace().Read(clone + "/.git/HEAD")
	at, _ := w.local(clone, "rev-parse", "--verify", "HEAD")
	if err != nil || on != "ref: refs/heads/"+branch+"\n" || at != w.git.history.oid(commit) {
		return violated("git's clone is on %q at %q, want %s at %s", on, at, branch, w.git.history.oid(commit))
	}
	return outcome{}
}

// gitLists judges that a listing by git has exactly the rows of the table, with what annotated tags point to.
func (w *world) gitLists(version int, table [][]string) outcome {
	a, out := w.gitHas(func() gitclient.Answer { return w.stockRun("", version, "ls-remote", w.gitURL()) })
	if !out.held() {
		return out
	}
	got := make(map[string]string)
	for line := range strings.Lines(a.Stdout) {
		value, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if name != "HEAD" && !strings.HasPrefix(name, eventRefs) {
			got[name] = value
		}
	}
	for _, row := range table {
		if want := w.git.history.oid(row[1]); got[row[0]] != want {
			return violated("git lists %s at %q, want %s", row[0], got[row[0]], want)
		}
		delete(got, row[0])
	}
	if len(got) > 0 {
		return violated("git lists more: %v", got)
	}
	return outcome{}
}

// gitCatchesUp fetches the owner's branch main into a repository with commits of its own upon the first one, and judges
// where it comes to be.
func (w *world) gitCatchesUp(own, version int, commit string) outcome {
	h := w.git.history
	tip := h.oid("first")
	for range own {
		tip = h.Commit(tip, map[string]string{"README": "own\n"}, "own")
	}
	clone := w.gitPlace().New()
	err := w.gitPlace().Make(clone, map[string]string{"refs/heads/own": tip})
	if err == nil {
		err = w.gitPlace().Add(w.ctx, clone, h.Pack([]string{tip}, nil))
	}
	if err != nil {
		return harnessError("%v", err)
	}
	return w.gitFetches(clone, version, "refs/heads/main", h.oid(commit))
}

// gitFetches fetches a ref into a repository of the place, and judges where it is and that it is whole.
func (w *world) gitFetches(clone string, version int, ref, want string) outcome {
	_, out := w.gitHas(func() gitclient.Answer {
		return w.stockRun(clone, version, "fetch", w.gitURL(), ref+":refs/fetched")
	})
	if !out.held() {
		return out
	}
	if at, whole := w.local(clone, "rev-list", "--objects", "--max-count=1", "refs/fetched"); !whole || !strings.HasPrefix(at, want) {
		return violated("git has fetched %s at %.40q, want %s", ref, at, want)
	}
	return outcome{}
}

// gitDeepens clones with depth 1, makes the clone whole, and judges how many commits it has at both times.
func (w *world) gitDeepens(version int, commits string) outcome {
	clone, out := w.gitCloneShallow(version)
	if !out.held() {
		return out
	}
	if n, _ := w.local(clone, "rev-list", "--count", "--all"); n != "1" {
		return violated("git's clone of depth 1 has %s commits", n)
	}
	_, out = w.gitHas(func() gitclient.Answer { // without names of refs git asks for HEAD, which no state has named
		return w.stockRun(clone, version, "fetch", "--unshallow", w.gitURL(), "+refs/heads/*:refs/heads/*")
	})
	if !out.held() {
		return out
	}
	if n, _ := w.local(clone, "rev-list", "--count", "--all"); n != commits {
		return violated("git's clone has %s commits once it is deepened, want %s", n, commits)
	}
	return outcome{}
}

// gitClonesWithoutFiles makes a partial clone and then the checkout, which has to fetch what the clone lacks.
func (w *world) gitClonesWithoutFiles(version int, commit string) outcome {
	clone, out := w.gitClone(version, "--no-checkout", "--filter=blob:none")
	if !out.held() {
		return out
	}
	missing, _ := w.local(clone, "rev-list", "--objects", "--all", "--missing=print")
	if !strings.Contains(missing, "\n?") {
		return violated("git's clone without files has them all")
	}
	_, out = w.gitHas(func() gitclient.Answer {
		return w.stockRun(clone, version, "checkout", "--force", w.git.history.oid(commit))
	})
	if !out.held() {
		return out
	}
	if text, err := w.gitPlace().Read(clone + "/README"); err != nil || text != commit+"\n" {
		return violated("git has checked out README with %.40q, want %q: %v", text, commit+"\n", err)
	}
	return outcome{}
}

// gitClonesNothing clones a repository that is empty, and judges that git takes it for that.
func (w *world) gitClonesNothing(version int) outcome {
	clone, out := w.gitClone(version)
	if !out.held() {
		return out
	}
	if refs, well := w.local(clone, "for-each-ref"); !well || refs != "" {
		return violated("git's clone of the empty repository has refs: %.200s", refs)
	}
	return outcome{}
}

// gitClonesPushed judges that git can clone what its push has brought; there is nothing to judge where it was not accepted.
// That it cannot violates what is said of large fetches, not of large pushes.
func (w *world) gitClonesPushed(version int, commit string) outcome {
	if !w.stock.pushed.Well() {
		return outcome{}
	}
	out := w.gitClonesOn(version, "main", commit)
	if out.verdict == Fail {
		return violatedAs("G01-GIT-19", "%s", out.reason)
	}
	return out
}
