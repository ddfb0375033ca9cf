package spec

// metWireDefects are mistakes of any server that show where one rule meets another, or later.
func metWireDefects() []Defect {
	return []Defect{
		{"timers-of-replaced-announcements-run-on", "G01-PURG-11", nil, "Half an hour after an announcement that was replaced while it waited the one that was released goes."},
		{"states-go-with-replaced-held-announcements", "G01-PURG-15", nil, "A newer announcement takes the states that wait with the one that it replaces."},
		{"states-go-with-replaced-served-announcements", "G01-ANN-16", nil, "A newer version of a served announcement takes the states that wait."},
		{"announcements-reset-head", "G01-ANN-16", nil, "Every announcement points HEAD to the branch of a new repository."},
		{"served-announcements-wait-again", "N01-EV-03", nil, "A served announcement that is sent again waits again."},
		{"replaced-ids-delete-what-follows", "N09-02", nil, "A deletion of a version that was replaced deletes the version in its place."},
		{"announcements-of-deleted-addresses-refused", "N09-02", nil, "Once an announcement was deleted by address no newer one is taken."},
		{"states-of-deleted-addresses-refused", "N09-02", nil, "Once a state was deleted by address no newer one is taken."},
		{"vanished-keys-refused", "N62-01", nil, "Nothing is taken any more of a key that has asked to vanish once."},
		{"last-authentication-counts", "N70-01", nil, "With each key that authenticates on a connection those before it are forgotten."},
		{"deleted-announcements-name-maintainers", "G01-MNT-05", nil, "Whom a deleted announcement named stays a maintainer."},
		{"chains-end-at-other-services", "G01-ANN-14", nil, "Of an announcement that does not list this service the maintainers do not count."},
		{"declarations-before-naming-lost", "G01-MNT-05", nil, "A maintainer who had a state before he was named has no authority."},
	}
}
