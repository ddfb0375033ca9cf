package spec

// sequelWireDefects are mistakes of any server that show in the third step of a story: what was right when it came first, and when it went,
// is wrong when it comes again.
func sequelWireDefects() []Defect {
	return []Defect{
		{"states-deleted-with-announcements-authorize-again", "G01-PUSH-02", nil, "A state that was deleted together with its announcement authorizes a push once the repository is announced anew."},
		{"vanished-maintainers-name-others", "G01-MNT-05", nil, "Whom a maintainer has named who has vanished stays a maintainer."},
		{"third-maintainers-unread", "G01-MNT-01", nil, "Of the maintainers of an announcement the first two count."},
		{"missing-lists-keep-maintainers", "G01-MNT-05", nil, "An announcement that names no maintainers leaves those of the one before it."},
		{"commits-of-deleted-pull-requests-refused", "G01-PR-04", nil, "A pull request is refused if one of its commit was deleted."},
		{"collected-refs-never-again", "G01-PR-01", nil, "A ref that was removed because its event did not come cannot be pushed again."},
		{"branches-deleted-by-a-push-stay-away", "G01-PUSH-01", nil, "A branch that a push has deleted cannot be pushed again."},
		{"branches-dropped-by-a-state-stay-away", "G01-PURG-09", nil, "A branch that a state has dropped without a push is made by no later state without one."},
		{"states-that-drop-branches-take-refs-of-pull-requests", "G01-PR-08", nil, "With a branch that a state drops without a push go all refs of pull requests."},
		{"head-that-was-named-before-not-set", "G01-HEAD-01", nil, "HEAD stays if the state names the branch that the one before it has named, which was not there then."},
		{"fourth-versions-unserved", "G01-ANN-16", nil, "Of an announcement three versions are taken, and those that follow are answered OK true and dropped."},
		{"fourth-states-unserved", "G01-PUSH-01", nil, "Of a state three versions are taken, and those that follow are answered OK true and dropped."},
		{"served-updates-replaced", "G01-PR-05", nil, "An update takes the place of the one that its author has made to the same pull request before."},
		{"deletions-of-held-pull-requests-take-others", "G01-PR-04", nil, "With a pull request that is deleted while it waits goes all that its author has waiting."},
		{"deletions-sent-again-delete-anew", "N09-02", nil, "A request to delete an address that is sent again deletes newer versions."},
		{"states-beside-pull-requests-unserved", "G01-PR-15", nil, "A state is not served if the ref of a pull request comes with the push that releases it."},
		{"early-deletions-close-repositories", "N09-02", nil, "With a request to delete an announcement that is dated before it, it stays served, and git finds its repository no more."},
		{"deletions-by-strangers-close-repositories", "N09-03", nil, "With a stranger's request to delete an announcement it stays served, and git finds its repository no more."},
		{"deletions-of-former-announcements-close-repositories", "N09-02", nil, "With a request to delete a replaced announcement git finds the repository no more."},
		{"early-deletions-of-states-end-their-authority", "N09-02", nil, "With a request to delete states that are older than the one that is here, that authorizes no push any more."},
		{"deletions-of-former-states-end-their-authority", "N09-02", nil, "With a request to delete a replaced state, by its id, the one in its place authorizes no push any more."},
		{"deleted-repositories-stay-closed", "N09-02", nil, "A repository whose announcement was deleted is announced anew, and git never finds it again."},
		{"repositories-lend-objects", "G01-GIT-01", nil, "What one repository has from another one it lacks when that is deleted."},
		{"heads-are-the-first-branch-of-a-commit", "G01-HEAD-01", nil, "Of branches at one commit HEAD is the first one, whichever the state names."},
		{"heads-are-the-last-branch-of-a-commit", "G01-HEAD-01", nil, "Of branches at one commit HEAD is the last one, whichever the state names."},
		{"heads-stay-at-their-commit", "G01-HEAD-02", nil, "HEAD does not move to another branch of the commit that it is at."},
		{"next-versions-of-held-announcements-served", "G01-PURG-01", nil, "An announcement that takes the place of one that waits is served at once."},
		{"next-versions-of-held-states-served", "G01-PURG-02", nil, "A state that follows one that waits is served at once."},
		{"refused-pull-requests-remembered", "G01-REL-11", nil, "A pull request that was refused once is refused for ever."},
		{"refused-announcements-remembered", "G01-REL-11", nil, "An announcement that was refused once is refused for ever."},
		{"new-events-to-two-connections", "N01-REQ-01", nil, "Of the connections two that want a new event get it."},
	}
}
