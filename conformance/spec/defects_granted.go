package spec

// grantedWireDefects are mistakes of any server in whom something is granted: by who has authenticated, by what a browser asks leave for, by
// what a client says to take, by how long an id may be.
func grantedWireDefects() []Defect {
	return []Defect{
		{"held-events-shown-to-their-authors", "G01-PURG-05", nil, "What waits is shown to who has authenticated as its author."},
		{"protected-events-shown-to-their-authors-alone", "N70-01", nil, "Protected events are shown to nobody but who has authenticated as their author."},
		{"challenges-spent-at-once", "N42-01", nil, "On a connection where a key has authenticated no other one can."},
		{"subscription-ids-counted-in-bytes", "N01-REQ-03", nil, "The id of a subscription may have sixty-four bytes, and fewer letters if these are not ASCII."},
		{"subscription-ids-of-sixty-four-refused", "N01-REQ-03", nil, "The id of a subscription may have sixty-three letters."},
		{"subscription-ids-beyond-ascii-refused", "N01-REQ-03", nil, "The id of a subscription may have letters of ASCII alone."},
		{"preflights-for-other-headers-without-cors", "G01-CORS-01", nil, "Who asks leave for a header that is not allowed gets no CORS headers at all."},
		{"preflights-for-get-refused", "G01-CORS-04", nil, "Preflights for GET are refused."},
		{"documents-compressed-unsaid", "G01-N11-01", nil, "Who takes compressed answers gets a compressed relay document that does not say so."},
		{"heads-of-advertisements-untyped", "G01-GIT-12", nil, "The answer to HEAD of an advertisement has no content type."},
		{"ten-repositories-of-a-key-answer", "G01-GIT-01", nil, "Of the repositories of a key the newest ten answer."},
		{"letters-composed-in-replacing", "G01-ANN-11", nil, "An event takes the place of one whose identifier differs in how its letters are composed."},
	}
}
