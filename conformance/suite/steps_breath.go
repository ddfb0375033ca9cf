package suite

// breathSteps send several messages one behind the other, and wait for no answer in between.
func breathSteps() []step {
	return []step{
		{
			text: `the {actor} publishes in one breath:`,
			role: act, sees: answers, cost: cost{events: 6},
			doc: "sends the events of the table (name, kind, date, tags; a name that comes again is a copy, and {id of red} the id of the one named red) without waiting for an answer; that to the newest counts; what meets an error is tried again with others",
			run: func(w *world, a []string, table [][]string) outcome { return w.publishInOneBreath(a[0], table) },
		},
		{
			text: `a subscription for the {actor}'s issues is opened and closed in one breath`,
			role: act, sees: servedEvents,
			doc: "REQ and CLOSE, without waiting for what comes; another subscription of the same content is opened as a control",
			run: func(w *world, a []string, _ [][]string) outcome { return w.closeInOneBreath(a[0]) },
		},
		{
			text: `the {actor} posts the issue{name} and asks for all such in one breath`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "EVENT and REQ, without waiting for what comes, where events are found as soon as they are taken",
			run: func(w *world, a []string, _ [][]string) outcome { return w.postBeforeSubscribing(a[0], a[1]) },
		},
		{
			text: `queries in one breath for all and for some of the {actor}'s issues bring each of them`,
			role: assertion, sees: servedEvents,
			doc: "REQs by author, by author and time, and by ids, on one connection and without waiting for what comes, each bring all that match and have an end; where one of them is refused, nothing is judged",
			run: func(w *world, a []string, _ [][]string) outcome { return w.queriesTogether(a[0]) },
		},
		{
			text: `a subscription for the {actor}'s issues that is replaced, or closed and opened again, in one breath is one for the {actor}'s`,
			role: assertion, sees: servedEvents, cost: cost{events: 2},
			doc: "REQ and REQ of one id, and REQ, CLOSE and REQ of another one, without waiting for what comes; of two issues that are posted then the one by the second actor comes to both, and the other one to none",
			run: func(w *world, a []string, _ [][]string) outcome { return w.replacedTogether(a[0], a[1]) },
		},
		{
			text: `the event is among what is stored, or comes live`,
			role: assertion, sees: servedEvents,
			doc: "the open subscription has got the last event before EOSE, or gets it behind that",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.cameAnyway() },
		},
	}
}
