package suite

import (
	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/gitclient"
)

// stockMember is what a check of a private service does by the installed git binary: once with one token, and again with another one.
type stockMember struct {
	run   func(token string) gitclient.Answer
	clone string     // where the last run has cloned to; "" for a push
	rows  [][]string // what it has pushed
	last  gitclient.Answer
}

// stockMemberSteps let the installed git binary work with a token (GRASP-08).
func stockMemberSteps() []step {
	const token = `(no token|the owner's token|the stranger's token)`
	return []step{
		{
			text: `a state of the owner, for members, names:`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "the owner's state was accepted on a connection of a member",
			run: func(w *world, _ []string, table [][]string) outcome {
				relay, out := w.inside("owner")
				if !out.held() {
					return out
				}
				return accepted("the state of the owner", relay.Publish(w.ctx, w.buildState("owner", w.tick(), table)), true)
			},
		},
		{
			text: `git with ` + token + ` clones the owner's repository in protocol version {number}`,
			role: act, sees: fetched, needs: needsGit,
			doc: "git clones with that token as http.extraHeader, or with none",
			run: func(w *world, a []string, _ [][]string) outcome { return w.gitClonesWith(a[0], int(number(a[1]))) },
		},
		{
			text: `git with ` + token + ` pushes to the owner's repository:`,
			role: act, sees: reports, cost: cost{pushes: 1}, needs: needsGit,
			doc: "git pushes the refs of the table with that token as http.extraHeader, or with none",
			run: func(w *world, a []string, table [][]string) outcome { return w.gitPushesWith(a[0], table) },
		},
		{
			text: `git is turned away`,
			role: assertion, sees: fetched, refuses: true, needs: needsGit,
			doc: "git ends with another code than 0, and nothing came of it",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.gitTurnedAway() },
		},
		{
			text: `git with the owner's token does that, and has the commit (\w+)`,
			role: twin, sees: fetched, scores: true, needs: needsGit,
			doc: "the same command with a member's header ends with code 0, and main is there",
			run: func(w *world, a []string, _ [][]string) outcome { return w.gitClonesAgain(a[0]) },
		},
		{
			text: `git with the owner's token does that, and the refs are there`,
			role: twin, sees: reports, cost: cost{pushes: 1}, scores: true, needs: needsGit,
			doc: "the same command with a member's header ends with code 0, and the refs are advertised to members",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.gitPushesAgain() },
		},
	}
}

// stockRunAs is stockRun with a token in a header of every request.
func (w *world) stockRunAs(in string, version int, token string, args ...string) gitclient.Answer {
	secret := ""
	if token != "" {
		secret = "Authorization: " + token
	}
	return w.stockRunWith(gitclient.Command{In: in, Version: version, Args: args, Secret: secret})
}

// gitClonesWith has git clone the owner's repository.
func (w *world) gitClonesWith(words string, version int) outcome {
	m := &w.stock.member
	m.run = func(token string) gitclient.Answer {
		m.clone = w.gitPlace().New()
		return w.stockRunAs("", version, token, "clone", "--bare", w.gitURL(), m.clone)
	}
	m.last = m.run(w.token(words, w.repository("owner", "")))
	return outcome{}
}

// gitPushesWith has git push to the owner's repository.
func (w *world) gitPushesWith(words string, rows [][]string) outcome {
	m := &w.stock.member
	m.rows = w.refNames(rows)
	args := []string{"push", w.gitURL()}
	for _, row := range m.rows {
		args = append(args, w.git.history.oid(row[1])+":"+row[0])
	}
	from := w.localRepository()
	w.private.token.before = w.memberRefs()
	m.run = func(token string) gitclient.Answer { return w.stockRunAs(from, 0, token, args...) }
	m.last = m.run(w.token(words, w.repository("owner", "")))
	return outcome{}
}

// memberRefs is the advertisement as members see it.
func (w *world) memberRefs() client.Observation {
	r := w.repository("owner", "")
	return w.refsWithToken(r, w.token("the owner's token", r))
}

// gitTurnedAway judges the last run, which must not have worked.
func (w *world) gitTurnedAway() outcome {
	m := w.stock.member
	if out := unproven(m.last); !out.held() {
		return out
	}
	if m.last.Well() {
		return violated("%v", m.last)
	}
	if m.rows == nil {
		return outcome{}
	}
	before, _ := w.private.token.before.(client.Advert)
	o := w.memberRefs()
	after, is := o.(client.Advert)
	switch {
	case !is:
		return unable("the refs behind the push", o)
	case moved(before, after):
		return violated("a push that git was not told to have worked moves refs: %v", after)
	}
	return outcome{}
}

// gitRunsAgain runs the command that a stranger could not, with a member's token.
func (w *world) gitRunsAgain(m *stockMember) outcome {
	m.last = m.run(w.token("the owner's token", w.repository("owner", "")))
	if out := unproven(m.last); !out.held() {
		return out
	}
	if !m.last.Well() {
		return violated("%v", m.last)
	}
	return outcome{}
}

// gitClonesAgain judges that the same works for a member.
func (w *world) gitClonesAgain(commit string) outcome {
	m := &w.stock.member
	if out := w.gitRunsAgain(m); !out.held() {
		return out
	}
	if oid, well := w.local(m.clone, "rev-parse", "refs/heads/main"); !well || oid != w.git.history.oid(commit) {
		return violated("the clone has main at %q, want the commit %s", oid, commit)
	}
	return outcome{}
}

// gitPushesAgain judges that the same works for a member.
func (w *world) gitPushesAgain() outcome {
	m := &w.stock.member
	if out := w.gitRunsAgain(m); !out.held() {
		return out
	}
	var complaint string
	there, o := w.client.Poll(w.ctx, refsWithin, func() (bool, client.Observation) {
		advert, is := w.memberRefs().(client.Advert)
		if !is {
			return false, nil
		}
		complaint = w.differs(advert, m.rows)
		return complaint == "", nil
	})
	switch {
	case there:
		return outcome{}
	case o != nil:
		return passed(o)
	}
	return violated("behind a push that git was told to have worked: %s", complaint)
}
