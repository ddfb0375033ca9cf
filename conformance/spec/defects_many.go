package spec

// manyWireDefects are mistakes of any server that show where there is much at once: clients that leave or do not read, values, questions.
func manyWireDefects() []Defect {
	return []Defect{
		{"who-left-cuts-off-others", "N01-REQ-01", nil, "The first event for a subscription whose client has left does not come to those who connected later."},
		{"who-left-fails-publishers", "N01-REQ-01", nil, "The first event for a subscription whose client has left is answered with an error."},
		{"one-writer-for-all-clients", "SEC-08", nil, "While a client does not read nobody gets a message of the relay."},
		{"one-writer-of-events-for-all-clients", "SEC-08", nil, "While a client does not read nobody gets an event."},
		{"queries-end-those-before", "N01-REQ-01", nil, "Of queries that come in one breath the last one is answered."},
		{"queries-beside-others-cut-off", "N01-REQ-01", nil, "Of queries that come in one breath all but the last one bring ten events at most."},
		{"first-of-replacing-queries-wins", "N01-REQ-03", nil, "Of two queries of one id that come in one breath the first one counts."},
		{"closes-fall-behind-queries", "N01-REQ-03", nil, "A subscription that is closed and opened again in one breath is closed."},
		{"five-hundred-ids-at-most", "N01-REQ-01", nil, "Of the ids of a filter the first five hundred count."},
		{"five-hundred-authors-at-most", "N01-REQ-01", nil, "Of the authors of a filter the first five hundred count."},
		{"nine-hundred-tag-values-at-most", "N01-REQ-01", nil, "Of the values of a tag filter the first nine hundred count."},
		{"nine-hundred-kinds-at-most", "N01-REQ-01", nil, "Of the kinds of a filter the first nine hundred count."},
		{"new-events-of-two-filters-sent-twice", "N01-REQ-01", nil, "A new event is sent once for each filter of a subscription that it matches."},
		{"early-expirations-compared-as-texts", "N40-01", nil, "An expiration of fewer digits than the present has, and a greater first one, is to come."},
		{"late-expirations-compared-as-texts", "N40-01", nil, "An expiration of more digits than the present has, and no greater first ones, has passed."},
		{"texts-cut-at-a-zero", "N01-EV-01", nil, "An event is served with its texts up to the first character 0."},
		{"texts-cut-at-a-zero-at-start", "N01-EV-01", nil, "A restart leaves of the texts of events what stands before a character 0."},
		{"letters-composed-at-start", "N01-EV-01", nil, "A restart puts letters and their accents together."},
		{"line-breaks-unified-at-start", "N01-EV-01", nil, "A restart makes all line breaks in events alike."},
		{"blanks-trimmed-at-start", "N01-EV-01", nil, "A restart takes the blanks away at the ends of texts."},
		{"control-characters-dropped-at-start", "N01-EV-01", nil, "A restart drops characters below the blank."},
	}
}
