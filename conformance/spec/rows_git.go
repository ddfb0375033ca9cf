package spec

func gitRows() []Requirement {
	return section(
		"Git over HTTP",
		checked(must("G01-GIT-01", "Every accepted repository answers smart HTTP below its owner's npub and its encoded identifier, without authentication.")),
		checked(must("G01-GIT-02", "Listing, cloning and fetching work in protocol versions 0, 1 and 2.")),
		checked(should("G01-GIT-03", "Protocol version 2 is offered with its usual commands and features.")),
		checked(must("G01-GIT-04", "The version 0 advertisement offers wants of reachable objects and of tips by id.")),
		checked(must("G01-GIT-05", "Filters of blobs and trees are offered and honored.", lineage(LineageC))),
		checked(must("G01-GIT-06", "Any object that is available can be asked for by its id.")),
		checked(should("G01-GIT-07", "A want of a missing object ends in a protocol error.")),
		checked(should("G01-GIT-08", "The capabilities that browser clients need are offered.")),
		checked(should("G01-GIT-09", "Shallow fetches work as advertised.")),
		checked(should("G01-GIT-10", "An unknown repository is answered with 404 at every git endpoint.")),
		checked(should("G01-GIT-11", "A malformed repository path or service is answered with a client error.")),
		checked(should("G01-GIT-12", "HEAD requests mirror GET requests of advertisements.")),
		checked(should("G01-GIT-13", "Wrong methods and content types are answered with a client error.")),
		checked(should("G01-GIT-14", "Only branches, tags, refs/nostr/ and HEAD are advertised.")),
		checked(should("G01-GIT-15", "An empty accepted repository can be cloned.")),
		checked(must("G01-GIT-16", "No path leads out of the repository that it names.")),
		checked(should("G01-GIT-17", "Spellings of a path that decode to the same bytes name the same repository.")),
		checked(observe("G01-GIT-18", "States with SHA-256 object ids may be refused.")),
		checked(must("G01-GIT-19", "Large and aborted fetches leave the server usable.")),
		checked(should("G01-GIT-20", "Accepted encodings and unknown protocol versions are tolerated.")),
	)
}

func webRows() []Requirement {
	return section(
		"Web pages",
		checked(should("G01-WEB-01", "A repository URL shows a browser a page that links to at least one client for it, with foreign text escaped.")),
		checked(should("G01-WEB-02", "A repository that is not here shows a browser a 404 page.")),
		checked(must("G01-WEB-03", "The page of a held repository shows nothing of its events.", ifPurgatory())),
		checked(should("G01-WEB-04", "The root shows a browser a page or leads to one.")),
	)
}

func securityRows() []Requirement {
	return section(
		"Robustness and security",
		checked(must("SEC-01", "Junk WebSocket traffic takes down neither the relay nor git.")),
		partly(
			must("SEC-02", "Clone URLs that lead inside the operator's network are not fetched.", ifFetching()),
			"private addresses: the hosts of the checks have such ones, and reference/hunt TestGlobal and reference/fetch TestForbidden have the others",
		),
		checked(must("SEC-03", "No value of an event or URL is taken as an option or a command.")),
		checked(must("SEC-04", "Malformed ref names are refused.")),
		checked(must("SEC-05", "Refs of other git servers authorize nothing.", ifFetching())),
		checked(must("SEC-06", "A push cannot plant hooks, configuration or alternates.")),
		checked(must("SEC-07", "Compressed bodies are bounded in their unpacked size.")),
		checked(must("SEC-08", "Slow and half-open requests do not exhaust the server.")),
		checked(must("SEC-09", "Errors and answers do not tell what held events say.")),
		checked(must("SEC-10", "A push is judged by exactly the bytes that git is given.")),
	)
}
