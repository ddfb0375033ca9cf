package spec

// dressedWireDefects are mistakes with events for something beside what their kind asks for.
func dressedWireDefects() []Defect {
	return []Defect{
		{"events-with-work-refused", "G01-REL-01", nil, "An event with a nonce is refused."},
		{"crowded-events-unfound", "N01-REQ-01", nil, "No query brings an event with more than fifty tags."},
		{"events-in-lines-unheard", "N01-REQ-01", nil, "Events with several lines of content are sent to no subscription."},
		{"events-to-several-undeletable", "N09-01", nil, "An event that names two people cannot be deleted by its id."},
		{"events-with-other-words-lost-at-stop", "G01-REL-01", nil, "Events with an alt tag do not outlive a restart."},
		{"comments-on-long-values-refused", "G01-REL-02", nil, "What refers to an event with a long value in a tag is refused."},
	}
}
