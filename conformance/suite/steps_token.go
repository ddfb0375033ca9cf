package suite

// tokenSteps speak of git requests with a token (GRASP-08, NIP-98).
func tokenSteps() []step {
	return []step{
		{
			text: `the {actor}'s repository is there for members, with:`,
			role: setUp, sees: reports, cost: cost{events: 2, pushes: 1},
			doc: "announcement and state on a connection of a member, and a push with a token; the announcement is served",
			run: func(w *world, a []string, table [][]string) outcome { return w.servePrivately(a[0], nil, table) },
		},
		{
			text: `a visitor with (` + tokenFaults + `) asks for all of the owner's repository`,
			role: act, sees: pages,
			doc: "asks for both advertisements and both endpoints of the repository, and of one that is not there, with a token of that kind for each",
			run: func(w *world, a []string, _ [][]string) outcome { return w.visitWithToken(a[0]) },
		},
		{
			text: `every answer is 401, and the same where no repository is`,
			role: assertion, sees: pages, refuses: true,
			doc: "no body, a challenge of Nostr, and the same status and headers whether the repository is there or not, but for the date and what differs whenever the same is asked",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.unauthorized() },
		},
		{
			text: `with (the owner's token(?: of (?:half a minute ago|in half a minute))?) all of it is answered`,
			role: twin, sees: pages, scores: true,
			doc: "one token of a member serves both advertisements and both endpoints",
			run: func(w *world, a []string, _ [][]string) outcome { return w.letThrough(a[0]) },
		},
		{
			text: `the {actor} pushes to the owner's repository with a token:`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes as a member, with a token of its own",
			run: func(w *world, a []string, table [][]string) outcome { return w.pushWithToken("owner", a[0], table) },
		},
		{
			text: `the push with a token is refused, and moves nothing`,
			role: assertion, sees: reports, refuses: true,
			doc: "the push is not taken, and the refs are what they were before",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.pushWithTokenRefused() },
		},
		{
			text: `the {actor} may push that once a state of the owner names it`,
			role: twin, sees: reports, cost: cost{events: 1, pushes: 1},
			doc: "the same push of the same member is taken once the owner's state says so",
			run: func(w *world, a []string, _ [][]string) outcome { return w.pushOnceNamed(a[0]) },
		},
	}
}

// pushOnceNamed has the owner name what was pushed, and pushes it again.
func (w *world) pushOnceNamed(by string) outcome {
	relay, out := w.inside("owner")
	if !out.held() {
		return out
	}
	rows := w.private.token.rows
	if out := accepted("the state of the owner", relay.Publish(w.ctx, w.buildState("owner", w.tick(), rows)), true); !out.held() {
		return out
	}
	return w.pushWithToken("owner", by, rows).then(w.pushedWithToken)
}
