package spec

// aloneWireDefects are mistakes of any server with what a state does without a push, with names one below the other, and with the refs of
// pull requests behind a restart.
func aloneWireDefects() []Defect {
	return []Defect{
		{"maintainers-states-leave-head-without-a-push", "G01-HEAD-02", nil, "A maintainer's state moves HEAD with a push alone."},
		{"maintainers-states-move-nothing-without-a-push", "G01-PURG-09", nil, "A maintainer's state whose objects are all there waits for a push."},
		{"head-stays-where-a-branch-goes", "G01-HEAD-01", nil, "A state that drops a branch without a push leaves HEAD where it is."},
		{"branches-below-former-ones-not-made", "G01-PURG-09", nil, "A state makes no branch without a push whose name is below that of one that it drops."},
		{"pull-requests-forgotten-at-start", "G01-PR-11", nil, "Behind a start the refs of served pull requests are anybody's."},
		{"refs-wait-anew-behind-a-start", "G01-PR-07", nil, "A start gives a ref that waits for its event twenty minutes more."},
	}
}
