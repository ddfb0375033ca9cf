package spec

// patternWireDefects are mistakes of any server with what databases make of identifiers and lists, and with what is kept of an answer.
func patternWireDefects() []Defect {
	return []Defect{
		{"identifiers-in-filters-are-patterns", "N01-REQ-01", nil, "An identifier in a filter is a pattern, in which _ stands for any letter and % for any text."},
		{"identifiers-replace-by-pattern", "G01-ANN-11", nil, "An event takes the place of those whose identifiers fit its own as a pattern with _ and %."},
		{"identifiers-of-one-long-beginning-replaced", "G01-ANN-11", nil, "Of identifiers the first sixty-four letters count for what is replaced."},
		{"addresses-of-deletions-are-patterns", "G01-DEL-06", nil, "An address that is to be deleted is a pattern, in which _ stands for any letter and % for any text."},
		{"identifiers-in-pushes-are-patterns", "G01-ANN-11", nil, "A push is judged by any state of the owner whose identifier fits that of the repository as a pattern."},
		{"pushes-judged-by-what-stands-before-a-colon", "G01-ANN-11", nil, "A push is judged, too, by the state of the identifier that stands before a colon."},
		{"identifiers-begin-behind-the-last-colon", "G01-ANN-11", nil, "Of an identifier in a path what stands behind the last colon counts."},
		{"since-compared-as-texts", "N01-REQ-01", nil, "The bound since is compared as a text is."},
		{"until-compared-as-texts", "N01-REQ-01", nil, "The bound until is compared as a text is."},
		{"until-in-32-bits", "N01-REQ-01", nil, "Of the bound until the last 32 bits count."},
		{"copies-under-way-refused", "N01-EV-03", nil, "A copy of an event that is not answered yet is answered OK false."},
		{"first-of-versions-under-way-wins", "G01-LAT-01", nil, "Of two versions that come together the first is kept, and the second answered OK true."},
		{"last-of-versions-under-way-wins", "N01-REP-01", nil, "Of two versions that come together the last is kept, and the first answered OK true."},
		{"what-is-under-way-not-deleted", "N09-01", nil, "A request to delete an event that is not answered yet has no effect."},
		{"queries-beside-events-forgotten", "N01-REQ-01", nil, "A subscription that is opened before an event is answered ends at once, and gets nothing."},
		{"closes-overtake-queries", "N01-REQ-03", nil, "A subscription that is closed before its query was answered stays open."},
		{"a-hundred-ids-at-most", "N01-REQ-01", nil, "Of the ids of a filter the first hundred count."},
		{"a-hundred-authors-at-most", "N01-REQ-01", nil, "Of the authors of a filter the first hundred count."},
		{"a-hundred-tag-values-at-most", "N01-REQ-01", nil, "Of the values of a tag filter the first hundred count."},
		{"authors-and-identifiers-paired", "N01-REQ-01", nil, "Of a filter with as many authors as identifiers the first author goes with the first identifier alone."},
		{"services-of-pages-count-as-listed", "G01-ANN-02", nil, "A service that an announcement names for its pages alone counts as one to clone from."},
		{"deletions-take-announcements-of-namesakes", "N09-03", nil, "With an announcement that is deleted go those of others for its identifier."},
		{"advertisements-unchanged-since-a-day", "G01-GIT-01", nil, "Who has an advertisement of whatever time is told that nothing has changed since."},
		{"advertisements-marked-for-good", "G01-GIT-01", nil, "An advertisement has the same mark whatever is in it, and who has one is told that it is still right."},
		{"fetch-results-said-to-be-compressed", "G01-GIT-20", nil, "The result of a fetch by who takes compressed answers is said to be compressed, and is not."},
		{"advertisements-outlive-announcements", "G01-DEL-06", nil, "Who has listed a repository lists it when its announcement was deleted, too."},
		{"what-has-gone-stays-away", "G01-PURG-06", nil, "A path where a repository was, and where it was not found once, stays empty when it is announced anew."},
		{"deletions-by-address-of-states-during-pushes-ignored", "G01-DEL-02", nil, "A request to delete a state by address has no effect while a push is under way."},
		{"deletions-by-address-of-held-announcements-during-pushes-ignored", "G01-DEL-03", nil, "A request to delete an announcement that waits by address has no effect while a push is under way."},
		{"deletions-by-address-of-served-announcements-during-pushes-ignored", "G01-DEL-06", nil, "A request to delete a served announcement by address has no effect while a push is under way."},
	}
}
