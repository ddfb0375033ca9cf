package spec

// restartRows say what outlives the end of a server, in order or not.
func restartRows() []Requirement {
	return section(
		"Purgatory of the reference",
		checked(must("REF-PURG-11", "An orderly stop and start is invisible: what is served, held, known or remembered, and every ref, is back before the first connection.", referenceWorlds())),
		checked(must("REF-PURG-12", "Every remaining life is shorter by exactly the downtime, and what ran out meanwhile is expired at the start, phase by phase.", referenceWorlds())),
		proven(
			must("REF-PURG-13", "A saved state that is truncated, of an unknown version or corrupt in more than single records is refused as a whole, reported with its reason, and kept as it is; a single record that cannot be read is left out, reported and kept.", referenceWorlds()),
			"cmd/grasp-sim TestDamagedDataIsRefusedAndKept", "no client reaches the file",
		),
		checked(must("REF-PURG-14", "The saved state is written whole or not at all, and outlives a start that fails.", referenceWorlds())),
		checked(must("REF-PURG-15", "A crash loses only what was not acknowledged: accepted events are accounted for, and refs that were reported are there.", referenceWorlds())),
		checked(must("REF-PURG-16", "A crash between moved refs and released events heals at the start.", referenceWorlds())),
		checked(must("REF-PURG-17", "Restored states, pull requests and updates are hunted again without delay.", referenceWorlds())),
	)
}
