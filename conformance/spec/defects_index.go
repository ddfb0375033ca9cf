package spec

// indexWireDefects are mistakes of any server in what it keeps beside its events to answer by, where one of the ways in which events come
// and go has left that as it was.
func indexWireDefects() []Defect {
	return []Defect{
		{"released-events-not-reconciled", "N77-01", nil, "What has waited for git data is part of no reconciliation."},
		{"released-events-not-counted", "N01-CNT-01", nil, "What has waited for git data is not counted."},
		{"reconciliations-forgotten-at-start", "N77-01", nil, "Behind a restart what was there before is part of no reconciliation."},
		{"counts-forgotten-at-start", "N01-CNT-01", nil, "Behind a restart what was there before is not counted."},
		{"replaced-versions-reconciled", "N77-04", nil, "Versions that were replaced stay part of reconciliations."},
		{"deleted-events-reconciled", "N77-04", nil, "Deleted events stay part of reconciliations."},
		{"vanished-events-reconciled", "N77-01", nil, "Events of who has vanished stay part of reconciliations."},
		{"expired-events-reconciled", "N77-04", nil, "Events that have expired stay part of reconciliations."},
		{"replaced-versions-counted", "N01-CNT-01", nil, "Versions that were replaced are counted on."},
		{"vanished-events-counted", "N01-CNT-01", nil, "Events of who has vanished are counted on."},
		{"limits-count-what-has-expired", "N40-01", nil, "What has expired takes a place among the newest that a query asks for."},
		{"empty-tag-values-unread", "N01-REQ-01", nil, "A filter by a tag whose value is empty finds what has no such tag."},
	}
}
