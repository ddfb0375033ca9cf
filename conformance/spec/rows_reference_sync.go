package spec

// referenceSyncRows say how the reference syncs with other relays.
func referenceSyncRows() []Requirement {
	row := func(id, test, text string) Requirement {
		return proven(must(id, text, referenceWorlds()), "reference/replicate "+test, "what the server asks other relays for")
	}
	return section(
		"Relay sync of the reference",
		row("REF-SYNC-01", "TestWhateverHappensEverythingComes", "What is wanted of which relay follows from the own accepted events alone."),
		row("REF-SYNC-02", "TestSubscriptionsGrowWithWhatIsNew", "Asked for is what is wanted and neither on its way nor confirmed, on every path."),
		row("REF-SYNC-03", "TestNewWantsAreGathered", "What is newly wanted is gathered for five seconds, and held announcements are known within as many."),
		row("REF-SYNC-04", "TestLayers", "Three layers of filters ask for announcements, for what names repositories, and for what names root events, at most 100 values each."),
		row("REF-SYNC-05", "TestOneFilterFails", "Live and historic subscriptions are apart, and each historic batch is confirmed by itself."),
		row("REF-SYNC-06", "TestWhatAGapAsksFor", "At the first contact, or after more than 15 minutes of silence, everything is asked for anew."),
		row("REF-SYNC-07", "TestWhatAGapAsksFor", "After a shorter outage only what came since it began is asked for, on every layer."),
		row("REF-SYNC-08", "TestDaily", "Once in 23 to 25 hours everything is reconciled again, and nothing counts as lost meanwhile."),
		row("REF-SYNC-09", "TestSubscriptionsGrowWithWhatIsNew", "More than 70 filters are drawn together without a wait and without another historic sync."),
		row("REF-SYNC-10", "TestHistory", "With negentropy or without it the outcome of a historic sync is the same."),
		row("REF-SYNC-11", "TestSecondsThatArePagesLong", "Pages follow the oldest time received, and end when one brings nothing new."),
		row("REF-SYNC-12", "TestAnswersWithoutEnd", "A batch ends whatever the relay does, or does not do."),
		row("REF-SYNC-13", "TestAttemptsWithoutEnd", "A connection is in one of six states, and in none of them for ever but when connected."),
		row("REF-SYNC-14", "TestBackoff", "A relay that fails is tried again after 5 seconds, then after twice as long each time up to an hour."),
		row("REF-SYNC-15", "TestBackoff", "A relay that has failed for a day is tried once a day, until it answers."),
		row("REF-SYNC-16", "TestRelapse", "A relay that has come back counts as degraded for five minutes."),
		row("REF-SYNC-17", "TestLimited", "After a notice about the rate a relay gets no new filters for 65 seconds."),
		row("REF-SYNC-18", "TestLeaving", "A relay of which nothing is wanted is left, unless the operator has named it."),
		row("REF-SYNC-19", "TestSpellings", "One relay has one connection, however its URL is spelled, and the own relay has none."),
		row("REF-SYNC-20", "TestRefused", "What was refused is not fetched again, and is judged again when what it lacked has come."),
		row("REF-SYNC-21", "TestAttemptsWithoutEnd", "No limit at one relay and no crowd of relays stops the sync with the others."),
		proven(
			must("REF-SYNC-22", "An event of another relay is judged like a client's, and what it lacks is hunted after half a second.", referenceWorlds()),
			"reference/core TestReplication", "what the server does with what other relays send",
		),
	)
}
