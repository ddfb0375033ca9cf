package spec

func announcementRows() []Requirement {
	return section(
		"Repository announcements",
		checked(must("G01-ANN-01", "An announcement that lists this service under clone and under relays is accepted.")),
		checked(must("G01-ANN-02", "An announcement whose clone tag does not list this service is refused.", notGrasp(5))),
		checked(must("G01-ANN-03", "An announcement whose relays tag does not list this service is refused.", notGrasp(5))),
		checked(must("G01-ANN-04", "An announcement without a clone tag or without a relays tag is refused.", notGrasp(5))),
		checked(should("G01-ANN-05", "Only a URL of exactly this host, port and base path lists the service; look-alikes do not.", notGrasp(5))),
		checked(should("G01-ANN-06", "A trailing slash in a listed URL makes no difference.")),
		checked(should("G01-ANN-07", "Secure and plain schemes are taken as the same when the service is looked for.")),
		checked(should("G01-ANN-08", "The service may stand at any place of a clone or relays tag.")),
		checked(must("G01-ANN-09", "An announcement without an identifier is refused.")),
		checked(must("G01-ANN-10", "An identifier that could leave its place in the path is refused.")),
		checked(should("G01-ANN-11", "Any other identifier is legal and percent-encoded in the path.", lineage(LineageC))),
		checked(should("G01-ANN-12", "A path is percent-decoded exactly once, and a plus sign is a plus sign.")),
		checked(observe("G01-ANN-13", "An operator may refuse announcements for reasons of policy.")),
		checked(should("G01-ANN-14", "A listed maintainer's announcement of the same identifier is accepted though it does not list this service.")),
		checked(should("G01-ANN-15", "An unlisted key's announcement that does not list this service is refused.", notGrasp(5))),
		checked(must("G01-ANN-16", "A newer announcement of a served repository replaces the old one at once, and its git data stays.")),
		checked(must("G01-ANN-17", "An older announcement, or one of equal time with a higher id, replaces nothing.")),
		checked(observe("G01-ANN-18", "A newer announcement that no longer lists the service is refused or withdraws the repository.")),
		checked(must("G01-ANN-19", "Repositories of two owners with the same identifier are independent.")),
		checked(must("G01-ANN-20", "An announcement is served exactly as its author signed it.")),
		checked(should("G01-ANN-21", "Unknown or optional tags alone are no reason to refuse an announcement.")),
	)
}

func relatedRows() []Requirement {
	return section(
		"Related events",
		checked(must("G01-REL-01", "Events that refer to an accepted announcement are accepted.")),
		checked(must("G01-REL-02", "Events that refer to an accepted issue or patch are accepted.")),
		checked(must("G01-REL-03", "Events that an accepted event refers to are accepted.")),
		checked(should("G01-REL-04", "Replies to accepted replies are accepted.")),
		checked(should("G01-REL-05", "Events that refer to nothing accepted here are refused.")),
		checked(should("G01-REL-06", "Events that refer to a held announcement are not served before it is.", ifPurgatory())),
		checked(must("G01-REL-07", "What an event refers to decides, whatever its kind.")),
		checked(observe("G01-REL-08", "Users' GRASP lists and deletion requests are taken without a reference.")),
		checked(observe("G01-REL-09", "An operator may refuse spam and curate.")),
		checked(should("G01-REL-10", "A state without an announcement of its identifier is refused.")),
		checked(should("G01-REL-11", "An event that was refused is accepted once what it refers to is.")),
	)
}

func maintainerRows() []Requirement {
	return section(
		"Maintainer sets",
		checked(must("G01-MNT-01", "Authority over a repository follows maintainers' own announcements, and theirs, without end but in cycles.")),
		checked(must("G01-MNT-02", "A listed maintainer without an own announcement has authority.", profile("legacy"))),
		checked(must("G01-MNT-03", "A state by a key outside the maintainer set is never accepted and moves no ref.")),
		checked(must("G01-MNT-04", "Authority is that of the repository's owner: being listed elsewhere gives none here.")),
		checked(must("G01-MNT-05", "Authority is judged anew when announcements change.")),
		checked(observe("G01-MNT-06", "A listed maintainer has authority only after linking back.", profile("reciprocal"))),
		checked(observe("G01-MNT-07", "Role tags decide who has authority.", profile("roles"))),
		checked(must("G01-MNT-08", "Listing somebody as one's own maintainer gives no authority over that key's repository.")),
		checked(should("G01-MNT-09", "Malformed maintainer values are ignored and harm nothing.")),
		checked(should("G01-MNT-10", "Chains of several levels work, within a bound.")),
	)
}

func purgatoryRows() []Requirement {
	return section(
		"Purgatory",
		checked(should("G01-PURG-01", "A new announcement is accepted with the word that it waits for git data, and is not served.", lineage(LineageB, LineageC))),
		checked(should("G01-PURG-02", "A new state whose objects are missing is accepted with the word that it waits for git data, and is not served.")),
		checked(should("G01-PURG-03", "A new pull request or update whose commit is missing is accepted with the word that it waits.")),
		checked(must("G01-PURG-04", "Patches, issues, comments and statuses are never held.", ifPurgatory())),
		checked(must("G01-PURG-05", "A held event appears in no answer: no query, no live subscription, no count, no reconciliation.", ifPurgatory())),
		checked(must("G01-PURG-06", "The repository of a held announcement answers git at once, and is empty.", ifPurgatory())),
		checked(must("G01-PURG-07", "A push that brings the git data makes announcement and state served, as they were signed.", ifPurgatory())),
		checked(must("G01-PURG-08", "Open subscriptions receive events when they are released.", ifPurgatory())),
		checked(must("G01-PURG-09", "A state whose objects are all present is served at once and moves the refs.", ifPurgatory())),
		checked(must("G01-PURG-10", "A pull request whose commit was pushed before is served at once.", ifPurgatory())),
		checked(must("G01-PURG-11", "What got no git data within half an hour is discarded: nothing releases it later.", ifPurgatory())),
		checked(must("G01-PURG-12", "A discarded event may be sent again and is held anew.", ifPurgatory())),
		checked(observe("G01-PURG-13", "States, authorized pushes and newer announcements may extend the wait.", ifPurgatory())),
		checked(observe("G01-PURG-14", "Held events survive an orderly restart.", ifPurgatory())),
		checked(must("G01-PURG-15", "A state is accepted while its announcement is held.", ifPurgatory())),
		checked(must("G01-PURG-16", "A state that comes before any announcement is never served and authorizes nothing; sent again afterwards it works.", ifPurgatory())),
		checked(must("G01-PURG-17", "Of several held states the newest one by an authorized key decides.", ifPurgatory())),
		checked(must("G01-PURG-18", "A newer held state supersedes the older one of its author.", ifPurgatory())),
		checked(must("G01-PURG-19", "A held event sent again is answered with OK true and stays unserved.", ifPurgatory())),
		checked(must("G01-PURG-20", "A held pull request is released only by its own commit at its own ref.", ifPurgatory())),
		checked(should("G01-PURG-21", "Events and refs of a release become visible together.", ifPurgatory())),
		checked(should("G01-PURG-22", "Data that arrives by another repository of the server releases held events too.", ifPurgatory())),
		checked(must("G01-PURG-23", "Held events cannot exhaust the server.", ifPurgatory())),
		checked(must("G01-PURG-24", "An older event of the same author does not replace a held one.", ifPurgatory())),
	)
}

func deletionRows() []Requirement {
	return section(
		"Deletion and vanishing",
		checked(should("N09-01", "An event that its author asks to delete by id is no longer served.")),
		checked(should("N09-02", "A deletion by address covers the versions up to its own time.")),
		checked(must("N09-03", "Nobody can delete another author's event.")),
		checked(should("N09-04", "Deletion requests are kept and served, and cannot be deleted.")),
		checked(should("N09-05", "A deleted event that is sent again is refused.")),
		checked(should("G01-DEL-01", "A held state that was deleted by id authorizes no push.", ifPurgatory())),
		checked(should("G01-DEL-02", "A held state that was deleted by address authorizes no push.", ifPurgatory())),
		checked(should("G01-DEL-03", "The repository of a deleted held announcement is gone.", ifPurgatory())),
		checked(should("G01-DEL-04", "A deleted held pull request is never released.", ifPurgatory())),
		checked(must("G01-DEL-05", "A stranger's deletion request removes nothing that is held.", ifPurgatory())),
		checked(should("G01-DEL-06", "A deleted announcement is no longer served, and neither is its repository.")),
		checked(observe("G01-DEL-07", "Deleting a served state moves no ref.")),
		checked(observe("G01-DEL-08", "Deleting a served pull request frees its ref in the end.")),
		checked(must("N62-01", "A request to vanish removes every event of its author up to its time, held ones too.", nip(62))),
	)
}
