package spec

// unlikeWireDefects are mistakes of any server that treats events of one kind, or that came in one way, unlike others for which the same
// holds.
func unlikeWireDefects() []Defect {
	return []Defect{
		{"released-repositories-found-by-no-tag", "G01-PURG-07", nil, "No query by a tag brings an announcement or a state that has waited."},
		{"released-states-found-by-no-tag", "G01-PURG-07", nil, "No query by a tag brings a state that has waited."},
		{"released-pull-requests-found-by-no-tag", "G01-PR-04", nil, "No query by a tag brings a pull request that has waited."},
		{"pull-requests-behind-their-commits-root-nothing", "G01-PR-19", nil, "What refers to a pull request is refused if its commit came before it."},
		{"announcements-with-text-refused", "G01-ANN-01", nil, "Announcements that have a text are refused."},
		{"pull-requests-with-unknown-tags-refused", "N34-01", nil, "Pull requests with tags that the server does not know are refused."},
		{"discarded-states-refused", "G01-PURG-12", nil, "A discarded state is never taken again."},
		{"served-pull-requests-undeletable", "N09-01", nil, "A served pull request cannot be deleted."},
		{"served-pull-requests-outlast-vanishing", "N62-01", nil, "The served pull requests of who has vanished are served on."},
		{"updates-go-with-their-pull-requests", "N09-03", nil, "With a pull request that is deleted go the updates of others that name it."},
		{"updates-beside-branches-unserved", "G01-PR-15", nil, "An update whose commit is pushed together with a branch is not served."},
		{"updates-to-several-repositories-refused", "G01-PR-14", nil, "An update that names two repositories is refused."},
		{"held-updates-outlast-vanishing", "N62-01", nil, "An update that waits is served by its commit although its author has vanished."},
		{"updates-of-unknown-pull-requests-refused", "G01-PURG-03", nil, "An update is refused if its pull request is not here, though its repository is."},
		{"answers-to-unknown-issues-refused", "G01-REL-01", nil, "A status, a patch, a reply or a label is refused if what it names beside the repository is not here."},
		{"updates-lost-at-stop", "G01-PR-08", nil, "A stop loses updates that were served."},
	}
}
