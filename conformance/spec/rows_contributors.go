package spec

import "slices"

// contributorRows say how pull requests of people without a repository here are hosted (GRASP-06).
func contributorRows() []Requirement {
	return section("Contributors' pull requests", slices.Concat(
		[]Requirement{
			checked(must("G06-URL-01", "Below /prs/ the signer's npub and the identifier of the repository meant, encoded, make the path.", grasp(6))),
			checked(should("G06-URL-02", "A malformed path below /prs/ is answered with a client error.", grasp(6))),
			checked(must("G06-FETCH-01", "Every well-formed path answers fetches as an empty repository until a ref was taken there.", grasp(6))),
			checked(should("G06-FETCH-02", "Every well-formed path advertises pushes as an empty repository does.", grasp(6))),
			checked(must("G06-PUSH-01", "Anybody may push a ref named after an event there, unless a stated policy is against it.", grasp(6))),
			checked(must("G06-PUSH-02", "Every other ref is refused there, and a push that holds one is refused as a whole.", grasp(6))),
			checked(should("G06-PUSH-03", "A push is refused there if the known event has another signer, identifier or commit.", grasp(6))),
			checked(must("G06-PUSH-04", "No form of writing a command passes a ref there that would be refused otherwise.", grasp(6))),
			checked(must("G06-EV-01", "A pull request without an accepted repository is taken if it names a repository and its own path here.", grasp(6))),
			checked(must("G06-EV-02", "Without exactly its own path here among its clone URLs it is refused as elsewhere.", grasp(6))),
			checked(should("G06-EV-03", "Only pull requests and their updates are taken in this way.", grasp(6))),
			checked(must("G06-EV-04", "Event first or push first: with both there the pull request is served.", grasp(6), ifPurgatory())),
			checked(should("G06-EV-05", "When the event names another commit than was pushed, the ref goes and the event is not served.", grasp(6))),
			checked(should("G06-GC-01", "A ref there without its event goes after its time.", grasp(6))),
			checked(should("G06-GC-02", "A path whose last ref has gone is an empty repository again.", grasp(6))),
			checked(should("G06-MIR-01", "A released ref is copied to the accepted repositories here that its event names.", grasp(6))),
			checked(observe("G06-MIR-02", "A push to an accepted repository does not show below /prs/.", grasp(6))),
			checked(observe("G06-MIR-03", "A repository that is accepted later gets no earlier refs from below /prs/.", grasp(6))),
			checked(must("G06-ADV-01", "Below /prs/ there is something exactly if GRASP-06 is listed, and 404 if it is not.")),
			checked(observe("G06-WEB-01", "A path below /prs/ is not listed as a repository's page.", grasp(6))),
		},
		[]Requirement{
			checked(observe("G06-SYNC-01", "Other servers do not copy what is below /prs/.", grasp(6))),
			checked(observe("G06-DEL-01", "When its signer deletes a pull request it is served no more, and its ref goes in the end.", grasp(6))),
		},
	)...)
}
