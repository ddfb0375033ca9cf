package spec

// syncRows say how a server gets events from other relays (GRASP-02). What it does for git data say fetchRows.
func syncRows() []Requirement {
	return section("Events from elsewhere",
		checked(must("G02-EV-01", "Events that a listed relay had before the announcement was accepted come to be served here.", grasp(2))),
		checked(must("G02-EV-02", "Events that a listed relay gets later come to be served here.", grasp(2))),
		checked(must("G02-EV-03", "What another relay sends is stored only if a client could have sent it, with its signature verified.", grasp(2))),
		checked(should("G02-EV-04", "Replies that name only an issue or a pull request that came from elsewhere are asked for too.", grasp(2))),
		checked(should("G02-EV-05", "A newer announcement decides from then on which relays are followed.", grasp(2))),
		checked(should("G02-EV-06", "A relay that is down is tried again ever more slowly, and what it got meanwhile is made up for.", grasp(2))),
		checked(should("G02-EV-07", "Relays without negentropy, with small pages, with refusals or without EOSE are synced with all the same.", grasp(2))),
		checked(should("G02-EV-08", "Deletion requests and requests to vanish come from other relays as other events do.", grasp(2))),
		checked(should("G02-EV-09", "The announcement of a listed maintainer is taken from another relay.", grasp(2))),
		checked(observe("G02-EV-10", "An announcement that lists this service may be found at another relay.", grasp(2))),
		checked(should("G02-ADV-01", "GRASP-02 is listed exactly if the server does what it says.")),
		checked(should("G02-NEG-01", "Other relays can reconcile with this one.", nip(77))),
	)
}
