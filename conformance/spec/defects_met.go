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
		{"unchanged-answers-without-cors", "G01-CORS-01", nil, "Who has the page already is told so without CORS headers."},
		{"compressed-answers-without-cors", "G01-CORS-01", nil, "Who takes compressed answers gets no CORS headers."},
		{"parts-without-cors", "G01-CORS-01", nil, "Who asks for a part gets no CORS headers."},
		{"moves-without-cors", "G01-CORS-01", nil, "What leads elsewhere has no CORS headers."},
		{"options-without-questions-refused", "G01-CORS-04", nil, "OPTIONS that asks no leave is refused."},
		{"options-of-plain-paths-only", "G01-CORS-04", nil, "OPTIONS of an escaped path is answered 404."},
		{"pages-outlive-announcements", "G01-DEL-06", nil, "The page of a repository stays when its announcement was deleted."},
		{"absence-remembered", "G01-PURG-06", nil, "A path at which nothing was found once stays empty."},
		{"quotes-unescaped-in-links", "G01-WEB-01", nil, "Quotation marks are not escaped on pages."},
		{"letters-composed", "G01-ANN-11", nil, "A letter in two parts in a path leads to the neighbor with the composed one."},
		{"blanks-trimmed", "G01-ANN-11", nil, "A blank at the end of an identifier in a path counts for nothing."},
		{"limits-count-what-waits", "N01-REQ-02", nil, "What waits takes a place among the newest that a query asks for."},
		{"limits-count-live-events", "N01-REQ-01", nil, "A subscription gets no more new events than its limit."},
		{"expirations-of-states-unread", "N40-01", nil, "The expiration of a state is not looked at."},
		{"authentications-count-everywhere", "N70-01", nil, "Who has authenticated on one connection publishes protected events on every other."},
	}
}
