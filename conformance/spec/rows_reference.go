package spec

// The rows of this file are rules of this project's own server, which no text of GRASP states. They are scored in the
// reference worlds only.

func referenceWorlds() Condition { return Condition{Kind: ReferenceWorld} }

// expiryRows say how what is held ends.
func expiryRows() []Requirement {
	return section(
		"Purgatory of the reference",
		checked(must("REF-PURG-01", "Half an hour after its last extension a held announcement loses its repository and stays known, unserved, for another 24 hours.", referenceWorlds())),
		checked(must("REF-PURG-02", "24 hours after it lost its repository an announcement that nothing has revived is forgotten, and not earlier.", referenceWorlds())),
		checked(must("REF-PURG-03", "An authorized state gives a known announcement a new repository, and exactly half an hour.", referenceWorlds())),
		checked(must("REF-PURG-04", "An authorized state, a push that a held state authorizes, and a newer announcement each give a held announcement half an hour anew; the push gives it to its state as well.", referenceWorlds())),
		checked(must("REF-PURG-05", "Nothing else extends or revives what is held: neither the same event again nor an older announcement, a stranger's state, a refused push or a push to refs/nostr/.", referenceWorlds())),
		checked(must("REF-PURG-06", "From the instant of its deadline on a held entry is absent from every decision, and before it is present.", referenceWorlds())),
		checked(must("REF-PURG-07", "What has authorized a push stays until the push has ended, and no repository is removed whose entry was extended, revived or promoted meanwhile.", referenceWorlds())),
		checked(must("REF-PURG-08", "A held state or pull request is gone after half an hour, and a pull request's ref without its event after twenty minutes.", referenceWorlds())),
		checked(must("REF-PURG-09", "What has expired is refused when a peer sends it again without its data, and held anew when a user does.", referenceWorlds())),
		proven(
			must("REF-PURG-10", "Expired ids are remembered for seven days, then forgotten.", referenceWorlds()),
			"reference/core TestTranscripts", "a client is never asked for them: only what a peer sends is judged by them; testdata/soft.txt shows the marks",
		),
	)
}

// releaseRows say how what is held gets its data.
func releaseRows() []Requirement {
	return section(
		"Purgatory of the reference",
		checked(must("REF-PURG-18", "A held state is matched when git data comes; any number may wait, and data of an older one never moves refs back from a newer one.", referenceWorlds())),
		checked(must("REF-PURG-19", "A pull request whose commit is not the one that was pushed for it is held, and the wrong ref is removed.", referenceWorlds())),
		checked(must("REF-PURG-20", "An announcement is released only once its own repository has a branch or tag that a released, authorized state declares.", referenceWorlds())),
		checked(must("REF-PURG-21", "Store, purgatory, push and alignment compare alike: the newer event wins, among equals the lower id.", referenceWorlds())),
		checked(must("REF-PURG-22", "With a held announcement only those held states go that no other announcement authorizes.", referenceWorlds())),
		checked(must("REF-PURG-23", "A deletion request counts for events that come after it as well.", referenceWorlds())),
	)
}
