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
			text: `the event is among what is stored, or comes live`,
			role: assertion, sees: servedEvents,
			doc: "the open subscription has got the last event before EOSE, or gets it behind that",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.cameAnyway() },
		},
	}
}
