package suite

import "slices"

// privateSteps speak of a relay that is for members alone (GRASP-08).
func privateSteps() []step {
	const who, verb = `(nobody|the (?:` + actorNames + `))`, `(EVENT|REQ|COUNT|NEG-OPEN)`
	return []step{
		{
			text: `{actors} are members`,
			role: setUp, sees: serverLife, needs: []string{"members"},
			doc: "they are on the list of members, which nobody else is; at a server of somebody else by the keys of the tester",
			run: func(w *world, a []string, _ [][]string) outcome {
				for _, actor := range actorsOf(a[0]) {
					if out := w.becomes(actor, true); !out.held() {
						return out
					}
				}
				return outcome{}
			},
		},
		{
			text: `the {actor} is a member no more`,
			role: act, sees: serverLife, needs: []string{"membership"},
			doc: "is taken off the list of members",
			run: func(w *world, a []string, _ [][]string) outcome { return w.becomes(a[0], false) },
		},
		{
			text: `a client of nobody gets a challenge first of all`,
			role: assertion, sees: answers,
			doc: "the first message on a new connection is AUTH, but for NOTICEs; that none comes is shown by the answer to a question",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.challengedFirst() },
		},
		{
			text: `a client of ` + who + ` sends ` + verb,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "asks about the owner's repository, or publishes an issue of a member on it, on a connection on which that actor has authenticated, with whatever success, or nobody",
			run: func(w *world, a []string, _ [][]string) outcome { return w.askAs(bareActor(a[0]), a[1]) },
		},
		{
			text: `a client of nobody authenticates as the {actor} with {any}`,
			role: act, sees: answers,
			doc: "sends an AUTH message with the one fault named, or none",
			run: func(w *world, a []string, _ [][]string) outcome { return w.knock(a[0], a[1]) },
		},
		{
			text: `it is turned away(?: as (auth-required|restricted))?`,
			role: assertion, sees: answers, refuses: true,
			doc: "the last message is answered by OK false, CLOSED or NEG-ERR, with that prefix",
			run: func(w *world, a []string, _ [][]string) outcome { return w.turnedAway(a[0]) },
		},
		{
			text: `the same message of a client of the {actor} is taken`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the same bytes, on a connection on which this member has authenticated, are accepted, or answered with what there is",
			run: func(w *world, a []string, _ [][]string) outcome { return w.takenOf(a[0]) },
		},
		{
			text: `it is let in as the {actor} with nothing wrong`,
			role: twin, sees: answers,
			doc: "an AUTH message without a fault is accepted on the same connection, or on another one if the refusal ended it",
			run: func(w *world, a []string, _ [][]string) outcome { return w.knock(a[0], "").then(w.letIn) },
		},
		{
			text: `a client of ` + who + ` listens`,
			role: act, sees: servedEvents,
			doc: "asks for issues on the owner's repository, and keeps the subscription open as far as the server does",
			run: func(w *world, a []string, _ [][]string) outcome { return w.listenTo(bareActor(a[0])) },
		},
		{
			text: `members hear an issue of the {actor}`,
			role: setUp, sees: servedEvents, cost: cost{events: 1},
			doc: "the member publishes an issue on the owner's repository, and a subscription of the owner gets it",
			run: func(w *world, a []string, _ [][]string) outcome { return w.tellsMembers(a[0]) },
		},
		{
			text: `the client of ` + who + ` has heard nothing`,
			role: assertion, sees: servedEvents,
			doc: "its connection was sent no event, until a further question was refused there",
			run: func(w *world, a []string, _ [][]string) outcome { return w.heardNothing(bareActor(a[0])) },
		},
		{
			text: `the client of the {actor} is told that it is over`,
			role: assertion, sees: answers,
			doc: "its subscription is ended by CLOSED, or its connection ends",
			run: func(w *world, a []string, _ [][]string) outcome { return w.isShutOut(a[0]) },
		},
		{
			text: `a client of the {actor} publishes a token of kind {number}`,
			role: act, sees: answers, cost: cost{events: 1}, answered: true,
			doc: "sends an event that would authenticate as an EVENT",
			run: func(w *world, a []string, _ [][]string) outcome { return w.tokenPublished(a[0], int(number(a[1]))) },
		},
		{
			text: `no member finds it`,
			role: assertion, sees: servedEvents,
			doc: "a query of a member by its id brings nothing",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.notFound() },
		},
		{
			text: `members find an issue of the {actor}`,
			role: twin, sees: servedEvents, cost: cost{events: 1},
			doc: "an issue that a member publishes is found by another one",
			run: func(w *world, a []string, _ [][]string) outcome { return w.tellsMembers(a[0]).then(w.foundByMembers) },
		},
		{
			text: `the document lists GRASP-08 and NIP-42`,
			role: assertion, sees: pages,
			doc: "the last answer is a relay information document that lists both",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.listsPrivate() },
		},
	}
}

// bareActor is an actor without the article, or nobody.
func bareActor(words string) string {
	if words == nobody {
		return nobody
	}
	return actorsOf(words)[0]
}

// listsPrivate judges the document of a private service.
func (w *world) listsPrivate() outcome {
	document, out := w.document()
	if !out.held() {
		return out
	}
	grasps, _ := document["supported_grasps"].([]any)
	nips, _ := document["supported_nips"].([]any)
	if !slices.Contains(grasps, any("GRASP-08")) || !slices.Contains(nips, any(42.0)) {
		return violated("supported_grasps is %v, and supported_nips %v", grasps, nips)
	}
	return outcome{}
}
