package suite

// twoConnectionsSteps are about what two clients send at the same moment.
func twoConnectionsSteps() []step {
	return []step{
		{
			text: `the {actor} sends {number} times (two versions of an article|two copies of an issue|two copies of an announcement|an issue and the request to delete it) from two connections at once`,
			role: act, sees: answers, cost: cost{events: 16}, answered: true,
			doc: "each time two events (the older version on the first connection, the newer one on the second) are sent without waiting, every other time in the other order, and both answers awaited; a pair that an error was answered to is not looked at",
			run: func(w *world, a []string, _ [][]string) outcome { return w.pairsAtOnce(a[0], a[2], int(number(a[1]))) },
		},
		{
			text: `each of {number} pull requests of the {actor} that come from two connections at once is answered on both`,
			role: assertion, sees: answers, cost: cost{events: 8},
			doc: "a pull request is sent on both without waiting, and both answers awaited; one that does not come, while the other does, is none where that is so twice",
			run: func(w *world, a []string, _ [][]string) outcome { return w.answeredOnBoth(a[1], int(number(a[0]))) },
		},
		{
			text: `none of the others is served`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, no query brings the older version, or what was to be deleted, of one of these pairs",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.noneServed(w.sent.dressing.former, false) },
		},
		{
			text: `each of {number} times that the {actor} announces the repository from two connections at once the newer one alone is served`,
			role: assertion, sees: servedEvents, cost: cost{events: 12},
			doc: "two announcements are sent without waiting, each time in the other order; behind both answers the newer one is served, and behind a barrier the older one is not",
			run: func(w *world, a []string, _ [][]string) outcome { return w.newestOfPairs(a[1], int(number(a[0]))) },
		},
		{
			text: `each of {number} times that the {actor} publishes two states from two connections at once the newer one counts`,
			role: assertion, sees: reports, cost: cost{events: 6, pushes: 3},
			doc: "two states are sent without waiting, each time in the other order; behind both answers a push of the newer one succeeds, it is served, and behind a barrier the older one is not",
			run: func(w *world, a []string, _ [][]string) outcome { return w.latestOfPairs(a[1], int(number(a[0]))) },
		},
		{
			text: `each of {number} issues of the {actor} comes to who asks for all such at that moment from another connection`,
			role: assertion, sees: servedEvents, cost: cost{events: 12},
			doc: "an issue is sent, and before its answer came a subscription opened on another connection, each time 150 µs later; it gets the issue before EOSE or behind it",
			run: func(w *world, a []string, _ [][]string) outcome { return w.askedAtOnce(a[1], int(number(a[0]))) },
		},
	}
}
