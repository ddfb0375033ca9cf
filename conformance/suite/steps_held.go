package suite

// heldSteps ask for events that wait for git data in every way but by what they are.
func heldSteps() []step {
	const held = `(announcement|state|pull request|update)`
	return []step{
		{
			text: `the events of the check have a time of their own`,
			role: setUp,
			doc:  "later events are dated in seconds that few others are dated in, so that queries by time are small",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.ownTime()
				return w.needLighthouse()
			},
		},
		{
			text: `queries by whatever it says bring the {label}`,
			role: assertion, sees: servedEvents,
			doc: "queries by its kind, each of its tags, its author and its time bring the event",
			run: func(w *world, a []string, _ [][]string) outcome { return w.found(w.event(a[0])) },
		},
		{
			text: `no query brings the {label} any more`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, the event does not show, in whichever of these ways one asks",
			run: func(w *world, a []string, _ [][]string) outcome { return w.takenOut(w.event(a[0])) },
		},
		{
			text: `the ` + held + ` is found by no (query|count|reconciliation)`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "behind a barrier, the event, if its kind is held here, does not show, whether one asks by its kind, its tags, its author, its time, several of these, several filters, or nothing in particular",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.event(a[0])
				switch a[1] {
				case "count":
					return w.uncounted(ev)
				case "reconciliation":
					return w.unreconciled(ev)
				}
				return w.hidden(ev)
			},
		},
		{
			text: `the ` + held + ` is found by all such queries`,
			role: control, sees: servedEvents,
			doc: "queries by its kind, its tags, its author and its time bring the event, so that not finding it before says something",
			run: func(w *world, a []string, _ [][]string) outcome { return w.found(w.event(a[0])) },
		},
		{
			text: `subscriptions of every form wait for (?:an|a) ` + held,
			role: setUp, sees: servedEvents,
			doc: "subscriptions by the kind, the tags to come, the author, the time and nothing in particular are open on a connection of their own",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.needLighthouse().then(func() outcome { return w.watchEveryWay(w.followTags(a[0])) })
			},
		},
		{
			text: `the ` + held + ` is sent to none of them`,
			role: assertion, sees: servedEvents, absent: true,
			doc: "the event, if its kind is held here, did not come on any of these subscriptions when a later one had",
			run: func(w *world, a []string, _ [][]string) outcome { return w.unsent(w.event(a[0])) },
		},
		{
			text: `the ` + held + ` is sent to all of them`,
			role: control, sees: servedEvents,
			doc: "each of these subscriptions gets the event, so that not getting it before says something",
			run: func(w *world, a []string, _ [][]string) outcome { return w.sentEverywhere(w.event(a[0])) },
		},
	}
}
