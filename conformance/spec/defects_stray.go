package spec

// strayWireDefects are mistakes with what clients seldom write.
func strayWireDefects() []Defect {
	return []Defect{
		{"halves-of-characters-hang", "N01-EV-01", nil, "An event with half of a character in its content or its tags is not answered."},
		{"odd-expirations-hang", "N01-EV-01", nil, "An event whose expiration is no number is not answered."},
		{"bare-tags-unanswered", "G01-REL-01", nil, "An event that has a tag of one letter without a value is not answered."},
		{"bare-tags-end-connections", "G01-REL-01", nil, "An event that has a tag of one letter without a value ends its connection."},
		{"queries-by-two-tags-unanswered", "N01-REQ-01", nil, "A query by the values of two tags has no end."},
		{"unnamed-versions-all-served", "N01-REP-01", nil, "Versions of an address without an identifier are all served."},
		{"empty-values-unfound", "N01-REQ-01", nil, "A query by an empty value of a tag brings nothing."},
		{"closes-end-ids-that-begin-so", "N01-REQ-03", nil, "CLOSE ends all subscriptions of the connection whose ids begin with its own."},
		{"folders-before-their-branches-go", "G01-PURG-09", nil, "Where a state has a branch in place of a folder, or a folder in place of a branch, the old one goes and the new one does not come."},
	}
}
