package spec

func stateRows() []Requirement {
	return section(
		"Repository state",
		checked(must("N34-ST-01", "A state names its refs, its HEAD and its identifier in tags; further elements of a ref tag are ignored.")),
		checked(should("N34-ST-02", "A peeled entry is no ref: it is neither required nor created.")),
		checked(should("N34-ST-03", "The entry of an annotated tag names the tag object.")),
		checked(must("N34-ST-04", "An entry that is no object id is ignored or refused, and never applied.")),
		checked(must("N34-ST-05", "A HEAD without its usual prefix is taken or ignored.")),
		checked(must("N34-ST-06", "A state gives no authority over refs other than branches and tags.")),
		checked(must("N34-ST-07", "A state without refs permits no ref.")),
		checked(must("N34-ST-08", "A ref that is named twice is handled in one way, or refused.")),
		checked(should("N34-ST-09", "Tags of other forms declare no ref.")),
		checked(must("G01-LAT-01", "The latest state is the newest by any key of the maintainer set, the lowest id among equals, whatever arrived first.")),
		checked(must("G01-LAT-02", "An older state that arrives later moves no ref and authorizes nothing.")),
		checked(observe("G01-LAT-03", "A state from the far future is refused, or acts as the latest.")),
	)
}

func pushRows() []Requirement {
	return section(
		"Push authorization",
		checked(must("G01-PUSH-01", "The first push that makes the repository equal the latest state succeeds.")),
		checked(must("G01-PUSH-02", "Without any state every push of a branch or tag is refused.")),
		checked(must("G01-PUSH-03", "A commit other than the one that the state names is refused.")),
		checked(must("G01-PUSH-04", "A branch that the state does not name is refused.")),
		checked(must("G01-PUSH-05", "A tag is accepted, plain or annotated, if the state names it, and refused if not.")),
		checked(must("G01-PUSH-06", "A branch may be moved to an unrelated commit when the state says so.")),
		checked(must("G01-PUSH-07", "A ref that the state no longer names may be deleted.")),
		checked(must("G01-PUSH-08", "A ref that the state names cannot be deleted.")),
		checked(must("G01-PUSH-09", "Several refs that together equal the state may be pushed at once.")),
		checked(must("G01-PUSH-10", "In a mixed push the ref that is not authorized never changes.")),
		checked(observe("G01-PUSH-11", "A push of a part of the state is accepted or refused.")),
		checked(must("G01-PUSH-12", "Refs that already are as the state says need not be pushed again.")),
		checked(must("G01-PUSH-13", "The state of a direct or recursive maintainer authorizes a push.")),
		checked(must("G01-PUSH-14", "The state of anybody else authorizes nothing.")),
		checked(must("G01-PUSH-15", "A push needs no HTTP authentication.", notGrasp(8))),
		checked(should("G01-PUSH-16", "Pushing what is there already succeeds and changes nothing.")),
		checked(must("G01-PUSH-17", "Refs outside branches, tags and refs/nostr/ are refused.")),
		checked(must("G01-PUSH-18", "Commands inside a push certificate are refused, or judged like any other.")),
		checked(must("G01-PUSH-19", "A push from a shallow clone is handled like any other.")),
		checked(must("G01-PUSH-20", "The commands that are judged are the commands that git would execute, however they are written.")),
		checked(must("G01-PUSH-21", "A broken pack changes nothing and releases nothing, and a correct retry succeeds.")),
		checked(must("G01-PUSH-22", "A pack that leaves objects missing is refused.")),
		checked(should("G01-PUSH-23", "Compressed and chunked request bodies work.")),
		checked(should("G01-PUSH-24", "Large pushes work, or are refused with a clear error.")),
		checked(must("G01-PUSH-25", "Concurrent pushes leave the repository as some order of them would.")),
		checked(must("G01-PUSH-26", "A state that arrives during a push leaves the repository in one of both states, and usable.")),
		checked(observe("G01-PUSH-27", "Branches below pr/ are treated like other branches.")),
		checked(should("G01-PUSH-28", "A refused push tells its user the reason.")),
		checked(should("G01-PUSH-29", "Objects of a refused push cannot be fetched.")),
		checked(must("G01-PUSH-30", "A push releases the state and the announcement.", lineage(LineageB))),
		checked(should("G01-PUSH-31", "Pushes to symbolic refs and to conflicting names end in a clear refusal.")),
	)
}

func headRows() []Requirement {
	return section(
		"HEAD",
		checked(must("G01-HEAD-01", "HEAD follows the state as soon as the data of its branch is there.")),
		checked(must("G01-HEAD-02", "A state that only moves HEAD to another branch moves it without a push.")),
		checked(should("G01-HEAD-03", "HEAD stays when the state points it to a missing branch.")),
		checked(should("G01-HEAD-04", "HEAD stays when the state does not name it.")),
		checked(should("G01-HEAD-05", "A clone starts on the branch that HEAD names, whatever it is called.")),
		checked(must("G01-HEAD-06", "A maintainer's newer state moves HEAD as the owner's does.")),
	)
}

func siblingRows() []Requirement {
	return section(
		"Sibling repositories",
		checked(should("G01-XR-01", "A push to one repository brings the other ones that the same state governs into line.")),
		checked(must("G01-XR-02", "A sibling whose owner does not recognize the author stays as it is.")),
		checked(should("G01-XR-03", "A sibling's held announcement is released when its data comes this way.", ifPurgatory())),
		checked(must("G01-XR-04", "A sibling with a newer state is not rewound.")),
		checked(observe("G01-XR-05", "A pull request to several repositories is served in each.")),
	)
}

func pullRequestRows() []Requirement {
	return section(
		"Pull requests",
		checked(must("G01-PR-01", "Anybody may push to refs/nostr/ below an event id in an accepted repository.")),
		checked(must("G01-PR-02", "A name below refs/nostr/ that is no event id is refused.")),
		checked(should("G01-PR-03", "A push of another commit than a known pull request names is refused.")),
		checked(must("G01-PR-04", "The right commit for a held pull request releases it.", ifPurgatory())),
		checked(must("G01-PR-05", "A pull request update has its own ref and leaves that of the pull request alone.")),
		checked(should("G01-PR-06", "A ref with the wrong commit goes when its pull request arrives.")),
		checked(should("G01-PR-07", "A ref without a matching event is removed after 20 minutes and not before.")),
		checked(must("G01-PR-08", "A ref with a matching event stays.")),
		checked(observe("G01-PR-09", "A push to refs/nostr/ may be refused for size or spam, visibly.")),
		checked(should("G01-PR-10", "A ref named after an event of another kind is refused.")),
		checked(must("G01-PR-11", "Nobody can move or delete the ref of an accepted pull request.")),
		checked(should("G01-PR-12", "A pull request to a repository that is not accepted here is refused, but for what GRASP-06 takes.")),
		checked(should("G01-PR-13", "A pull request that names no commit is refused or never released.")),
		checked(should("G01-PR-14", "One accepted repository among those that a pull request names is enough.")),
		checked(should("G01-PR-15", "In a push of branches and of refs/nostr/ each is judged by its own rule.")),
		checked(must("G01-PR-16", "Refs below refs/nostr/ do not count when a repository is compared with its state.")),
		checked(must("G01-PR-17", "The tip of a pull request can be fetched by ref and by object id.")),
		checked(should("G01-PR-18", "Deleting a pull request frees its ref like an expired one.")),
		checked(should("G01-PR-19", "Statuses and comments on an accepted pull request are accepted.")),
	)
}
