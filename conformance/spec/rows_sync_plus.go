package spec

// syncPlusRows say where else a server looks for what belongs to its repositories (GRASP-03).
func syncPlusRows() []Requirement {
	return section("Sync plus",
		checked(observe("G03-01", "A service that lists GRASP-03 does and lists what GRASP-02 asks for.", grasp(3))),
		checked(observe("G03-02", "What tags accepted events is also looked for at the relays that participants write to.", grasp(3))),
		checked(observe("G03-03", "Profiles, relay lists and GRASP lists of participants, and of nobody else, are fetched and served.", grasp(3))),
		checked(observe("G03-04", "No relay outside is asked about a private repository.", grasp(3))),
		unobservable(observe("G03-05", "An operator may set the relays that are asked first and last, or switch all of it off.", grasp(3)), "a client sees what comes to be served, and not how an operator sets where it is looked for"),
		checked(observe("G03-06", "A participant may send its own profile and lists directly.", grasp(3))),
	)
}
