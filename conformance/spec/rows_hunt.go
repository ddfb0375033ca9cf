package spec

// fetchRows say what a server does that gets git data from elsewhere (GRASP-02).
func fetchRows() []Requirement {
	return section(
		"Git data from elsewhere",
		checked(must("G02-GIT-01", "The git data of a state that only another clone URL has is fetched, and served with the state.", grasp(2))),
		checked(must("G02-GIT-02", "The git data of a pull request or update is fetched from the event's own clone URLs, and shown at its ref.", grasp(2))),
		checked(must("G02-GIT-03", "While git data is missing it is asked for at least once an hour.", grasp(2))),
		checked(should("G02-GIT-04", "Of several clone URLs those that fail are passed over, and what the others have adds up.", grasp(2))),
		unobservable(
			should("G02-GIT-05", "A server fetches neither from itself nor in a circle with another one.", grasp(2)),
			"what a server asks of itself and of another one nobody else sees: reference/hunt TestOwnServiceIsNotAsked and the worlds of many.yaml show it of the reference",
		),
		checked(must("G02-GIT-06", "Refs of another host that no state declares are not made, and its HEAD does not count.", grasp(2))),
		checked(observe("G02-GIT-07", "Objects are asked for by id when the refs of a host have moved on.", grasp(2))),
		checked(observe("G02-GIT-08", "The requests at one host are bounded in number and rate.", grasp(2))),
		checked(must("G02-GIT-09", "A hostile host is left in bounded time and does no harm.", grasp(2))),
	)
}

// huntRows say how the reference hunts for the git data that held events wait for.
func huntRows() []Requirement {
	return section(
		"Hunt of the reference",
		checked(must("REF-HUNT-01", "The hunt is for an identifier, not for an event: several events of one cause one attempt.", referenceWorlds())),
		checked(must("REF-HUNT-02", "The first attempt is 180 seconds after an event of a user, and half a second after one of a peer.", referenceWorlds())),
		checked(must("REF-HUNT-03", "The time of the next attempt only ever moves earlier.", referenceWorlds())),
		checked(must("REF-HUNT-04", "A new event begins the backoff anew, and a known one changes nothing.", referenceWorlds())),
		checked(must("REF-HUNT-05", "After an attempt that did not complete the next comes in 20, 40, 80 and then always 120 seconds.", referenceWorlds())),
		checked(must("REF-HUNT-06", "An event that comes while an attempt ends is hunted for.", referenceWorlds())),
		checked(must("REF-HUNT-07", "What has expired is not hunted for, and an announcement alone starts no hunt.", referenceWorlds())),
		checked(must("REF-HUNT-08", "At most five requests are under way at one host.", referenceWorlds())),
		checked(must("REF-HUNT-09", "At most a set number of requests, usually 30, begin at one host within any 60 seconds.", referenceWorlds())),
		checked(must("REF-HUNT-10", "Work that waits for a host begins at the instant at which the host has capacity.", referenceWorlds())),
		checked(must("REF-HUNT-11", "Identifiers that wait for one host take turns.", referenceWorlds())),
		checked(must("REF-HUNT-12", "No two requests for one identifier at one URL are under way at once.", referenceWorlds())),
		checked(must("REF-HUNT-13", "A URL is tried once in an attempt, and once more when other objects come to be needed.", referenceWorlds())),
		checked(must("REF-HUNT-14", "An attempt asks at once where there is capacity, and waits nowhere.", referenceWorlds())),
		checked(must("REF-HUNT-15", "What is asked are the clone URLs of every announcement of the identifier and of the pull requests and updates that wait.", referenceWorlds())),
		checked(must("REF-HUNT-16", "A request is for exactly the missing objects, and what several hosts have adds up.", referenceWorlds())),
		checked(must("REF-HUNT-17", "After each fetch every event goes whose own objects are all there, and the others stay.", referenceWorlds())),
		checked(must("REF-HUNT-18", "Who is authorized is judged at the release.", referenceWorlds())),
		checked(must("REF-HUNT-19", "What is fetched goes to a repository of an owner who authorizes the event.", referenceWorlds())),
		checked(must("REF-HUNT-20", "A fetch moves no ref.", referenceWorlds())),
		partly(
			must("REF-HUNT-21", "The own service, compared by structure, is never asked.", referenceWorlds()),
			"the own service itself, at which nobody sees requests from outside: reference/hunt TestOwnServiceIsNotAsked has it",
		),
		checked(must("REF-HUNT-22", "Only full, lower-case object ids are asked for.", referenceWorlds())),
		checked(must("REF-HUNT-23", "Only public http and https URLs are asked, without credentials and without a second budget by another spelling, and no redirect leads to another host.", referenceWorlds())),
		checked(must("REF-HUNT-24", "Every request ends in bounded time and size, and gives its place back once.", referenceWorlds())),
		checked(must("REF-HUNT-25", "Hosts that fail by name, certificate or protocol are left out for twelve hours.", referenceWorlds())),
		checked(must("REF-HUNT-26", "Data that comes another way ends the hunt without a request.", referenceWorlds())),
	)
}
