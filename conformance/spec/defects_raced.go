package spec

// racedDefects are mistakes that show where several clients do things at once, or one behind the other's back: it takes the
// history of what all of them saw to tell.
func racedDefects() []Defect {
	return []Defect{
		{"replaced-states-authorize", "G01-PUSH-25", []string{"G01-PUSH-26"}, "A push is judged by the state that was the latest when somebody asked for the repository before."},
		{"deleted-states-authorize", "G01-DEL-01", nil, "A deleted state authorizes the next push of who asked for the repository before."},
		{"newest-author-lost-at-stop", "G01-LAT-02", nil, "Where several maintainers have states, the newest one is not known after a restart."},
		{"copies-of-announcements-from-two-connections-refused", "N01-EV-03", nil, "Of two copies of an announcement that two connections send at once the second one is refused for what the first one has left."},
		{"copies-from-two-connections-refused", "N01-EV-03", nil, "Of two copies of an event that two connections send at once the second one meets an error."},
		{"versions-from-two-connections-lost", "N01-REP-01", nil, "Of two versions that two connections send at once the second one is taken and not kept."},
		{"states-from-two-connections-lost", "G01-LAT-01", nil, "Of two states of a repository that two connections send at once the second one is taken and not kept."},
		{"announcements-from-two-connections-lost", "G01-ANN-17", nil, "Of two announcements of a repository that two connections send at once the second one is taken and not kept."},
		{"deletions-from-two-connections-lost", "N09-05", nil, "A deletion request that comes from another connection than its event, and at once, removes nothing."},
		{"events-between-query-and-listening-lost", "N01-REQ-01", nil, "What comes from another connection while a query is looked up is sent neither as stored nor as new."},
	}
}
