package spec

// invariantRows hold for everything that the reference does, whatever happens to it.
func invariantRows() []Requirement {
	always := func(id, text string) Requirement {
		return watched(must(id, text, referenceWorlds()), "after every step")
	}
	quiet := func(id, text string) Requirement {
		return watched(must(id, text, referenceWorlds()), "when nothing is under way")
	}
	hunted := func(id, text string) Requirement {
		return watched(must(id, text, referenceWorlds()), "after every step of a server that hunts")
	}
	synced := func(id, text, test string) Requirement {
		return proven(must(id, text, referenceWorlds()), "reference/replicate "+test, "one check has no relay that it keeps for so long; a test has many, in every state")
	}
	return section(
		"Invariants of the reference",
		always("INV-01", "A served announcement has a repository with a branch or tag that a stored, authorized state declares; a served pull request has its commit and its ref."),
		quiet("INV-02", "Branches, tags and HEAD are what the latest stored, authorized state declares, and no held state is both newer and complete."),
		always("INV-03", "What subscribers get a query would return, and what was answered OK false has had no effect."),
		always("INV-04", "Branches and tags of a repository change only as a state by one of its maintainers says."),
		always("INV-05", "No store goes back to an older version of a replaceable event."),
		always("INV-06", "A held announcement has a repository in its first phase, and none in its second."),
		proven(
			must("INV-07", "Every acceptable event of a listed relay is stored within a bound.", referenceWorlds()),
			"sim TestWhatServersLackIsSeen", "one server has no other; in worlds of several its monitor judges each run that syncs",
		),
		proven(
			must("INV-08", "Negentropy and plain queries lead to the same set.", referenceWorlds()),
			"sim TestPagedServersLackNothing", "one server has no other; worlds in which pages are read lack as little",
		),
		hunted("INV-09", "The identifier of whatever needs data is queued or busy."),
		always("INV-10", "What was answered OK true is stored, held, replaced, deleted or expired."),
		always("INV-11", "Nothing is held longer than half an hour after its last legitimate extension, or a day in the second phase."),
		always("INV-12", "Nothing that its author has deleted enters any store again."),
		always("INV-13", "A deletion request applies as a whole or not at all."),
		quiet("INV-14", "Refs move by pushes and by orders of the server, and by nothing else, a fetch least of all."),
		always("INV-15", "Every object id that git is given is one: 40 or 64 lower-case hexadecimal digits."),
		always("INV-16", "No repository of a served announcement is removed."),
		always("INV-17", "Nobody's action removes a held event of somebody else."),
		quiet("INV-18", "Every repository and every ref belongs to an event or a clock that is still there."),
		proven(
			must("INV-19", "Every path that is opened stays inside the directory of the key that it names.", referenceWorlds()),
			"reference/gitlayout TestPathsStayInside", "the simulated world opens no path",
		),
		always("INV-20", "A push to branches and tags is accepted exactly if the refs then equal what the latest state declares."),
		always("INV-21", "A push changes nothing but branches, tags and refs named after events."),
		quiet("INV-22", "The refs that git has are, byte for byte, those that were judged."),
		quiet("INV-23", "The repositories that git has are those that the server has ordered, by the same identifiers."),
		always("INV-24", "The name of a pull request's ref is 64 lower-case hexadecimal digits."),
		always("INV-25", "After an orderly restart everything that was stored or held is back, with its phase and its deadline."),
		proven(
			must("INV-26", "Hosts are compared by structure, never as parts of a text.", referenceWorlds()),
			"reference/repo TestServiceListedInClone", "a look-alike of every form is in its table",
		),
		always("INV-27", "What is taken because it refers to something refers to an announcement, an issue, a patch or a pull request here, or to what does."),
		proven(
			must("INV-28", "A blacklist wins over every other reason to accept.", referenceWorlds()),
			"reference/core TestBlacklistWins", "the worlds have none",
		),
		hunted("INV-29", "A queued identifier with an untried URL at a host that has capacity starts at once."),
		hunted("INV-30", "Every task and every attempt ends within a bound."),
		synced("INV-31", "What was refused only for something missing is taken within a bound after that has come.", "TestRefused"),
		quiet("INV-32", "No part waits for itself: what was asked is answered."),
		synced("INV-33", "A relay that is wanted is tried again for ever, with bounded backoff.", "TestBackoff"),
		synced("INV-34", "Every batch of a sync completes, fails or times out.", "TestAnswersWithoutEnd"),
		hunted("INV-35", "At one host a bounded number of requests is under way, and a bounded number starts in a minute."),
		hunted("INV-36", "Work that is queued uses the capacity that is free."),
		hunted("INV-37", "The count of requests under way is the number of open fetches."),
		proven(
			must("INV-38", "Duplicates cause no request.", referenceWorlds()),
			"sim TestDuplicatesCauseNoRequest", "runs with and without duplicates are compared, request by request",
		),
		hunted("INV-39", "A host that is listed as broken gets no request while it is listed."),
		hunted("INV-40", "No two fetches of one identifier from one URL are open at once, and no identifier starves."),
		proven(
			must("INV-41", "Subscriptions are opened in proportion to what is new.", referenceWorlds()),
			"sim TestStormsAreSeen", "one server has no other; in worlds of several its monitor judges each run that syncs",
		),
		proven(
			must("INV-42", "What anybody pushes to a place for contributions moves nothing else: it has refs named after events, only the commit of a pull request that names it leaves it, and a ref without an event goes after its window.", referenceWorlds()),
			"sim TestFamilyPlantsAreFound", "a check asks one place; in worlds of contributors its monitor judges every step",
		),
		proven(
			must("INV-43", "Nothing of a private service leaves it by any path: no event, ref or pack to whoever has not shown that they are a member, no name to a relay that lets anybody in, no request to a host that its events do not name.", referenceWorlds()),
			"sim TestFamilyPlantsAreFound", "a check knows its own paths; in worlds of members its monitor judges every step",
		),
		proven(
			must("INV-44", "An archive keeps nothing that is out of its scope, and one that is only read takes no push.", referenceWorlds()),
			"sim TestFamilyPlantsAreFound", "a target is set to one scope; in worlds of archives its monitor judges every step",
		),
	)
}
