package spec

// contextWireDefects are plain mistakes that are made in one context alone.
func contextWireDefects() []Defect {
	return []Defect{
		{"rare-kinds-unfound", "N01-REQ-01", nil, "Events of a kind that few clients use are served to no query."},
		{"rare-kinds-unheard", "N01-REQ-01", nil, "Events of a kind that few clients use are sent to no subscription."},
		{"rare-letters-unfound", "N01-REQ-01", nil, "A query by a tag that few clients ask by leaves out the newest event."},
		{"rare-letters-unheard", "N01-REQ-01", nil, "A subscription by a tag that few clients ask by gets nothing new."},
		{"rare-letters-uncounted", "N01-CNT-01", nil, "A count by a tag that few clients ask by is one too low."},
		{"long-lists-unheard", "N01-REQ-01", nil, "A subscription that names more than a hundred ids or kinds gets nothing new."},
		{"broad-queries-bring-repositories-alone", "N01-REQ-01", nil, "A query by next to nothing leaves out issues."},
		{"second-subscriptions-begin-without-the-oldest", "N01-REQ-03", nil, "What takes the place of a subscription begins without the oldest event that is stored."},
		{"marked-repositories-take-no-push", "G01-PUSH-01", nil, "No push is taken where the announcement has an earliest unique commit, the mark of a fork or other git hosts."},
		{"marked-repositories-take-any-push", "G01-PUSH-03", nil, "Any push is taken where the announcement has an earliest unique commit, the mark of a fork or other git hosts."},
		{"last-of-two-odd-refs-let-in", "G01-PUSH-03", nil, "Behind a ref with a dot or a slash more that a state names, one is taken that none names."},
		{"dozens-of-refs-refused", "G01-PUSH-01", nil, "A push of twelve refs is refused."},
		{"long-identifiers-take-no-push", "G01-PUSH-01", nil, "No push is taken where the identifier has more than sixty letters."},
	}
}
