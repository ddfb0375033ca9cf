package spec

// restartRows say what outlives the end of a server, in order or not. They are rules of this project's own server.
func restartRows() []Requirement {
	const hunt = "Hunting for git data: queue, backoff, throttle, fake hosts, and measuring it in live servers"
	ours := Condition{Kind: ReferenceWorld}
	sealed := must("REF-PURG-13", "A saved state that is corrupt, truncated or of an unknown version is refused as a whole, reported with its reason, and kept as it is.", ours)
	sealed.Coverage = Coverage{Kind: Unobservable, Text: "no client reaches the file; reference/node TestDamagedJournalIsRefusedAndKept and cmd/grasp-sim TestDamagedDataIsRefusedAndKept prove it"}
	hunted := must("REF-PURG-17", "Restored states, pull requests and updates are hunted again without delay.", ours)
	hunted.Coverage = Coverage{Kind: Planned, Text: hunt}
	return section(
		"Purgatory of the reference",
		checked(must("REF-PURG-11", "An orderly stop and start is invisible: what is served, held, known or remembered, and every ref, is back before the first connection.", ours)),
		checked(must("REF-PURG-12", "Every remaining life is shorter by exactly the downtime, and what ran out meanwhile is expired at the start, phase by phase.", ours)),
		sealed,
		checked(must("REF-PURG-14", "The saved state is written whole or not at all, and outlives a start that fails.", ours)),
		checked(must("REF-PURG-15", "A crash loses only what was not acknowledged: accepted events are accounted for, and refs that were reported are there.", ours)),
		checked(must("REF-PURG-16", "A crash between moved refs and released events heals at the start.", ours)),
		hunted,
	)
}
