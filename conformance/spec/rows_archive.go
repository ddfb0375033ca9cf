package spec

// archiveRows say what a server does that keeps repositories which do not list it (GRASP-05).
func archiveRows() []Requirement {
	return section("Archives",
		checked(observe("G05-01", "An announcement that does not list the archive may be accepted.", grasp(5))),
		checked(must("G05-02", "An archive does and lists what GRASP-02 asks for.", grasp(5))),
		checked(should("G05-03", "An announcement outside the archive's scope that does not list it is refused.", grasp(5))),
		checked(should("G05-04", "An archived repository is served once its data has come, and one that is only read takes no push.", grasp(5))),
		checked(should("G05-05", "An archive that is only read says so under curation.", grasp(5))),
		checked(should("G05-06", "States, pull requests and issues of archived repositories are judged like all others.", grasp(5))),
		checked(observe("G05-07", "Which reason to accept an announcement comes first, and how a scope is written, is recorded.", grasp(5))),
	)
}
