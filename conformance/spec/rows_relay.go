package spec

func informationRows() []Requirement {
	return section(
		"Relay information document",
		checked(must("G01-N11-01", "The relay URL answers a request for application/nostr+json with a relay information document.")),
		checked(must("G01-N11-02", "The document lists GRASP-01 in supported_grasps, an array of strings of the form GRASP-NN.")),
		checked(must("G01-N11-03", "The document states in repo_acceptance_criteria, as readable text, which repositories are taken.")),
		checked(must("G01-N11-04", "The key curation is present, as text that is not empty, only where the operator curates.")),
		checked(should("G01-N11-05", "Every listed GRASP is offered, and every GRASP that is offered is listed.")),
		checked(must("G01-N11-06", "The relay information document and the other answers at its URL carry the CORS headers.")),
		checked(should("G01-N11-07", "supported_nips holds integers, among them 1, 11 and 34.")),
		checked(should("G01-N11-08", "The limits that the document states are the limits that hold.")),
		checked(observe("G01-N11-09", "A private service still shows its document to anybody.", grasp(8))),
	)
}

func corsRows() []Requirement {
	return section(
		"CORS",
		checked(must("G01-CORS-01", "Every answer allows any origin, with exactly one Access-Control-Allow-Origin header of value *.")),
		checked(must("G01-CORS-02", "Every answer allows at least the methods GET and POST.")),
		checked(must("G01-CORS-03", "Every answer allows at least the request header Content-Type.")),
		checked(must("G01-CORS-04", "An OPTIONS request is answered with 204 and no body.")),
		checked(observe("G01-CORS-05", "A preflight that asks for Git-Protocol is allowed.")),
		checked(observe("G01-CORS-06", "A private service allows Authorization in a preflight that carries no credentials.", grasp(8))),
	)
}

func relayRows() []Requirement {
	return section(
		"Relay basics",
		checked(must("N01-WS-01", "A relay answers by WebSocket at the root of the origin that also serves git.")),
		checked(must("N01-EV-01", "Every event sent gets an OK with its id: true if taken, false with a machine-readable reason if not.")),
		checked(must("N01-EV-02", "An event with a wrong signature, a wrong id or malformed fields is refused and never served.")),
		checked(must("N01-EV-03", "An event sent a second time is answered with OK true and served once.")),
		checked(must("N01-REQ-01", "Filters select by ids, authors, kinds, tags and inclusive times: all members of one, any of several; then EOSE, then live events.")),
		checked(must("N01-REQ-02", "A limit selects the newest events, lowest id first among equals, and a limit of 0 selects live events only.")),
		checked(must("N01-REQ-03", "A subscription id of up to 64 characters is usable, its reuse replaces the subscription, and CLOSE ends it.")),
		checked(must("N01-REP-01", "Of an addressable event only the newest version is kept, the lowest id among equals.")),
		checked(must("N01-REP-02", "Of a replaceable event only the newest version of each author is kept.")),
		checked(should("N01-EPH-01", "Ephemeral events are not stored.")),
		checked(should("N01-ERR-01", "Unknown or malformed messages are answered, and the connection stays usable.")),
		checked(must("N01-CNT-01", "COUNT counts served events only.", nip(45))),
		checked(should("N40-01", "An expired event is neither taken nor served.", nip(40))),
		checked(must("N42-01", "Authentication follows NIP-42, and its events are neither stored nor forwarded.", nip(42))),
		checked(must("N70-01", "A protected event is taken from its authenticated author only.", nip(70))),
		checked(should("N13-01", "A refusal for missing proof of work carries the prefix pow.", ifPow())),
	)
}

func negentropyRows() []Requirement {
	return section(
		"Negentropy",
		checked(must("N77-01", "NEG-OPEN starts a protocol version 1 reconciliation whose outcome equals that of a REQ.", nip(77))),
		checked(should("N77-02", "An unknown protocol version is answered with the highest known one.", nip(77))),
		checked(should("N77-03", "A reconciliation ends by NEG-ERR or NEG-CLOSE and is replaced by a new one of the same id.", nip(77))),
		checked(must("N77-04", "Held, deleted, expired and private events are not part of the reconciled set.", nip(77))),
		checked(should("N77-05", "Large sets are reconciled in several rounds of bounded frames.", nip(77))),
		checked(should("N77-06", "Subscription ids of NEG-OPEN and REQ do not collide.", nip(77))),
	)
}

func nipRows() []Requirement {
	return section(
		"Details of other NIPs",
		checked(should("N34-01", "A pull request or update is taken without the tags that are optional.")),
		checked(observe("N34-02", "The tip of a pull request may be pushed before its event is published.")),
		checked(should("N34-03", "Events with content of 60 kB are taken, or the limit is stated.")),
		checked(should("N34-04", "Status events are taken by what they refer to.")),
		checked(observe("N34-05", "A user's GRASP list without any entry is legal.")),
		checked(observe("N34-06", "An announcement may mark itself as a subordinate fork.")),
		checked(should("N34-07", "The old reply kind 1622 is taken by what it refers to.")),
		checked(must("N22-01", "A comment is taken by its root or by its parent.")),
		checked(observe("N98-01", "HTTP authentication events are judged within their window by private services.", grasp(8))),
		checked(should("N09-06", "A deletion request needs no k tags.")),
	)
}
