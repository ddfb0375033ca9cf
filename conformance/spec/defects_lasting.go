package spec

// lastingWireDefects are mistakes of any server in which values of events and filters count, and in how long subscriptions do.
func lastingWireDefects() []Defect {
	return []Defect{
		{"long-tag-values-not-found", "N01-REQ-01", nil, "A filter by a tag value of more than 255 bytes finds nothing."},
		{"tag-values-in-any-case", "N01-REQ-01", nil, "Tag values are compared in any case of their letters."},
		{"later-values-of-tags-found", "N01-REQ-01", nil, "A filter finds events by the second value of a tag."},
		{"ten-ids-at-most", "N01-REQ-01", nil, "Of the ids of a filter the first ten count."},
		{"last-id-of-several-counts", "N01-REQ-01", []string{"N01-REQ-02", "N01-CNT-01"}, "Of the ids of a filter the last one counts."},
		{"ten-authors-at-most", "N01-REQ-01", nil, "Of the authors of a filter the first ten count."},
		{"ten-kinds-at-most", "N01-REQ-01", nil, "Of the kinds of a filter the first ten count."},
		{"ten-tag-values-at-most", "N01-REQ-01", nil, "Of the values of a tag filter the first ten count."},
		{"ten-filters-at-most", "N01-REQ-01", nil, "Of the filters of a query the first ten count."},
		{"until-zero-unread", "N01-REQ-01", nil, "An until of 0 is taken for none."},
		{"large-limits-bring-nothing", "N01-REQ-01", nil, "A query with a limit above a thousand brings nothing."},
		{"first-limit-for-all-filters", "N01-REQ-02", nil, "The limit of the first filter of a query is that of all."},
		{"counts-end-at-a-hundred", "N01-CNT-01", nil, "No count is above a hundred."},
		{"reconciliations-of-a-hundred", "N77-01", nil, "Of a set the newest hundred events are reconciled."},
		{"references-with-hints-unread", "G01-REL-01", []string{"G01-REL-02"}, "A reference with more than what it refers to is none."},
		{"replies-with-hints-unread", "G01-REL-02", nil, "A reference to an event that has more than its id is none."},
		{"deletions-with-hints-unread", "N09-01", nil, "A tag of a deletion request with more than an id or an address is none."},
		{"protected-by-the-first-tag-only", "N70-01", nil, "An event is protected only if its first tag says so."},
		{"ties-of-replaceable-by-arrival", "N01-REP-02", nil, "Of two versions of a replaceable event of one second the first that came is kept."},
		{"articles-by-arrival", "N01-REP-02", nil, "Of an addressable event the version that came last is kept."},
		{"vanished-keys-blocked", "N62-01", nil, "Nothing is taken any more of a key that has asked to vanish once, and the refusal is worded as a policy."},
		{"subscription-ids-shared-by-all", "N01-REQ-03", nil, "A subscription takes the place of those of its id on all connections."},
		{"closes-end-subscriptions-of-others", "N01-REQ-03", nil, "CLOSE ends the subscriptions of its id on all connections."},
		{"leaving-ends-subscriptions-of-others", "N01-REQ-03", nil, "Who leaves ends the subscriptions of all that have ids of his."},
		{"closed-ids-stay-dead", "N01-REQ-03", nil, "Under an id that was closed nothing new is sent any more, though it is opened again."},
		{"nonsense-ends-subscriptions", "N01-REQ-01", nil, "After a malformed message the subscriptions of a connection get nothing new."},
		{"refusals-end-subscriptions", "N01-REQ-01", nil, "After a refused event the subscriptions of a connection get nothing new."},
		{"closes-of-nothing-hang-up", "N01-ERR-01", nil, "CLOSE of a subscription that is not open ends the connection."},
		{"subscriptions-of-twenty-events", "N01-REQ-01", nil, "A subscription gets twenty new events, and no more."},
		{"subscriptions-of-a-hundred-events", "N01-REQ-01", nil, "A subscription gets a hundred new events, and no more."},
		{"subscriptions-of-two-minutes", "N01-REQ-01", nil, "A subscription gets new events for two minutes."},
		{"subscriptions-of-ten-minutes", "N01-REQ-01", nil, "A subscription gets new events for ten minutes."},
	}
}
