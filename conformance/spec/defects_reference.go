package spec

// referenceDefects are mistakes that only the rules of the reference itself call so.
func referenceDefects() []Defect {
	return []Defect{
		{"one-phase-only", "REF-PURG-01", nil, "An announcement is forgotten as soon as it has lost its repository."},
		{"soft-phase-long", "REF-PURG-02", nil, "An announcement without a repository is known for an hour too long."},
		{"revival-for-the-day", "REF-PURG-03", nil, "A revived announcement keeps what was left of its day."},
		{"extensions-forgotten", "REF-PURG-04", nil, "Nothing extends what is held."},
		{"duplicates-extend", "REF-PURG-05", nil, "A held event that is sent again has its time anew."},
		{"expiry-by-sweep", "REF-PURG-06", nil, "What has run out counts until a sweep comes by a minute later."},
		{"nothing-pinned", "REF-PURG-07", nil, "What has authorized a push may run out before the push has ended."},
		{"unmatched-refs-late", "REF-PURG-08", nil, "A ref without its event goes two minutes too late."},
		{"expired-events-refused", "REF-PURG-09", []string{
			"G01-PURG-12",
		}, "A state or pull request whose time has run out is refused when its user sends it again."},
		{"newest-state-only", "REF-PURG-18", nil, "Of the states that wait only the newest is matched with git data."},
		{"pushed-refs-win", "REF-PURG-19", nil, "A pull request is refused if another commit was pushed for it."},
		{"any-push-promotes", "REF-PURG-20", []string{
			"N62-01", "G01-GIT-19",
		}, "An announcement is served after any push to its repository."},
		{"first-of-a-tie-wins", "REF-PURG-21", []string{"G01-LAT-01"}, "Of two states of one time the one that came first counts."},
		{"states-go-with-strangers", "REF-PURG-22", []string{
			"G01-DEL-05",
		}, "With any deleted announcement the held states of its identifier go."},
		{"unseen-deletions-forgotten", "REF-PURG-23", nil, "A request to delete an event that is not here is forgotten."},
	}
}
