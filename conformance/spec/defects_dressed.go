package spec

// dressedWireDefects are mistakes with events for something beside what their kind asks for.
func dressedWireDefects() []Defect {
	return []Defect{
		{"crowded-states-authorize-nothing", "G01-PUSH-01", nil, "A state with more than fifty tags authorizes no push."},
		{"crowded-events-shown-while-held", "G01-PURG-05", nil, "Events with more than fifty tags are served while they wait."},
		{"events-with-work-refused", "G01-REL-01", nil, "An event with a nonce is refused."},
		{"crowded-events-unfound", "N01-REQ-01", nil, "No query brings an event with more than fifty tags."},
		{"events-in-lines-unheard", "N01-REQ-01", nil, "Events with several lines of content are sent to no subscription."},
		{"events-to-several-undeletable", "N09-01", nil, "An event that names two people cannot be deleted by its id."},
		{"events-with-other-words-lost-at-stop", "G01-REL-01", nil, "Events with an alt tag do not outlive a restart."},
		{"comments-on-long-values-refused", "G01-REL-02", nil, "What refers to an event with a long value in a tag is refused."},
		{"labels-outlive-their-expiration", "N40-01", nil, "Events of kind 1985 are served when they have expired."},
		{"odd-identifiers-unreplaced", "N01-REP-01", nil, "Versions of an address whose identifier has a colon or a percent sign are all served."},
		{"odd-identifiers-unheard", "N01-REQ-01", nil, "Events whose identifier has a plus or an underscore are sent to no subscription."},
		{"numbered-articles-undeletable", "N09-02", nil, "Events whose identifier is one character cannot be deleted by their address."},
	}
}
