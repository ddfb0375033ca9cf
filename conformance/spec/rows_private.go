package spec

// privateRows say what a service does that is for its members only (GRASP-08).
func privateRows() []Requirement {
	return section("Private services",
		checked(observe("G08-01", "The whole service, relay and git, is for members: nobody else gets an event or a ref.", grasp(8))),
		checked(observe("G08-02", "The challenge comes on connecting, and until it is met every query and event is refused for it.", grasp(8))),
		checked(observe("G08-03", "Who authenticates and is no member is refused as restricted.", grasp(8))),
		checked(observe("G08-04", "An authentication with a wrong time, relay, challenge or signature is refused.", grasp(8))),
		checked(observe("G08-05", "Every git request carries a signed token for the repository, which counts for a minute.", grasp(8))),
		checked(observe("G08-06", "A missing, wrong or stranger's token is answered with 401, whether the repository is there or not.", grasp(8))),
		checked(observe("G08-07", "Being a member gives no authority over a repository.", grasp(8))),
		checked(observe("G08-08", "The information document of a private service is public and lists GRASP-08 and NIP-42; no other one lists GRASP-08.")),
		unobservable(observe("G08-09", "A repository is private if an announcement of its maintainer set marks it so.", grasp(8)), "it says what clients publish where, and not what a service does"),
		checked(observe("G08-10", "Public relays are told nothing of private repositories, and servers authenticate to each other.", grasp(8))),
		unobservable(observe("G08-11", "The list by which members find private repositories is encrypted on their own relays.", grasp(8)), "it says what clients write to relays of their own, and not what a service does"),
		checked(observe("G08-12", "Preflights and CORS headers need no authentication.", grasp(8))),
		unobservable(observe("G08-13", "An operator sets who is a member and under which address the service is reached.", grasp(8)), "a client sees who is let in, and not how an operator says so"),
		checked(observe("G08-14", "Who is a member no more loses open subscriptions too.", grasp(8))),
		checked(observe("G08-15", "Authentication events of both kinds are neither stored nor served.", grasp(8))),
	)
}
