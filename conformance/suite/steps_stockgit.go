package suite

// needsGit is what a step needs that runs the stock git binary.
var needsGit = []string{"git"}

// stockGitSteps let the installed git binary do what people do with it, from a repository of its own that has every object
// that the check has named.
func stockGitSteps() []step {
	return []step{
		{
			text: `git pushes( from a clone of depth 1)? in protocol version {number}:`,
			role: act, sees: reports, cost: cost{pushes: 1}, needs: needsGit,
			doc: "git pushes the refs of the table in one push; (delete) deletes",
			run: func(w *world, a []string, table [][]string) outcome {
				if a[0] != "" {
					return w.gitPushShallow(int(number(a[1])), table)
				}
				return w.gitPush("", int(number(a[1])), table)
			},
		},
		{
			text: `git pushes {number} branches in protocol version {number}`,
			role: act, sees: reports, cost: cost{pushes: 1}, needs: needsGit,
			doc: "git pushes main and so many others in one push",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.gitPush("", int(number(a[1])), branches(int(number(a[0]))))
			},
		},
		{
			text: `git's push succeeds`,
			role: assertion, sees: reports, within: refsWithin, needs: needsGit,
			doc: "git ends with code 0, and the refs are there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.gitPushed() },
		},
		{
			text: `git's push is refused`,
			role: assertion, sees: reports, refuses: true, unmoved: true, needs: needsGit,
			doc: "git ends with another code, and no ref moved",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.gitRefused() },
		},
		{
			text: `git shows the reason`,
			role: assertion, sees: reports, needs: needsGit,
			doc: "git has read the refusal, and shows words of the server, or its status",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.gitTells() },
		},
		{
			text: `git's push works or git shows the reason`,
			role: assertion, sees: reports, within: refsWithin, needs: needsGit,
			doc: "git ends with code 0 and the refs are there, or it shows words of the server, or that a request is too large",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.gitWorksOrTells() },
		},
		{
			text: `git's push is accepted once the {actor} published the state:`,
			role: twin, sees: reports, cost: cost{events: 1, pushes: 1}, within: refsWithin, needs: needsGit,
			doc: "the refused push succeeds once the state is there",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.publishState(a[0], "", w.tick(), table).then(w.accepted).then(w.gitPushedAgain)
			},
		},
		{
			text: `git's push is accepted once the {actor} published a state of {number} branches`,
			role: twin, sees: reports, cost: cost{events: 1, pushes: 1}, within: refsWithin, needs: needsGit,
			doc: "the refused push succeeds once such a state is there",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.publishState(a[0], "", w.tick(), branches(int(number(a[1])))).then(w.accepted).then(w.gitPushedAgain)
			},
		},
		{
			text: `git clones the repository in protocol version {number}, on the branch (\w+) at the commit (\w+)`,
			role: assertion, sees: fetched, needs: needsGit,
			doc: "git clones, and the clone is whole and there",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.gitClonesOn(int(number(a[0])), a[1], a[2])
			},
		},
		{
			text: `git clones what was pushed in protocol version {number}, at the commit (\w+)`,
			role: assertion, sees: fetched, needs: needsGit,
			doc: "git clones what an accepted push has brought, all of it",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.gitClonesPushed(int(number(a[0])), a[1])
			},
		},
		{
			text: `git lists in protocol version {number}:`,
			role: assertion, sees: advertised, needs: needsGit,
			doc: "git lists exactly the rows of the table; HEAD and refs/nostr do not count",
			run: func(w *world, a []string, table [][]string) outcome { return w.gitLists(int(number(a[0])), table) },
		},
		{
			text: `git brings a clone with {number} commits of its own up to date in protocol version {number}, at the commit (\w+)`,
			role: assertion, sees: fetched, needs: needsGit,
			doc: "git, which has the first commit and so many others upon it, fetches main",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.gitCatchesUp(int(number(a[0])), int(number(a[1])), a[2])
			},
		},
		{
			text: `git makes a clone of depth 1 whole in protocol version {number}, which then has {number} commits`,
			role: assertion, sees: fetched, needs: needsGit,
			doc: "the clone has one commit, and so many after it is deepened",
			run: func(w *world, a []string, _ [][]string) outcome { return w.gitDeepens(int(number(a[0])), a[1]) },
		},
		{
			text: `git clones without files in protocol version {number}, and gets those of the commit (\w+) at the checkout`,
			role: assertion, sees: fetched, needs: needsGit,
			doc: "the clone lacks files, and the checkout fetches them",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.gitClonesWithoutFiles(int(number(a[0])), a[1])
			},
		},
		{
			text: `git clones the empty repository in protocol version {number}`,
			role: assertion, sees: fetched, needs: needsGit,
			doc: "git ends with code 0, and the clone has no ref",
			run: func(w *world, a []string, _ [][]string) outcome { return w.gitClonesNothing(int(number(a[0]))) },
		},
		{
			text: `git fetches (refs/.+) in protocol version {number}, at the commit (\w+)`,
			role: assertion, sees: fetched, needs: needsGit,
			doc: "git fetches the ref by its name, and what it brings is whole",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.gitFetches(w.localEmpty(), int(number(a[1])), w.refName(a[0]), w.git.history.oid(a[2]))
			},
		},
	}
}
