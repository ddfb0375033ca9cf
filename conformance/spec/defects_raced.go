package spec

// racedDefects are mistakes that show where several clients do things at once, or one behind the other's back: it takes the
// history of what all of them saw to tell.
func racedDefects() []Defect {
	return []Defect{
		{"replaced-states-authorize", "G01-PUSH-25", []string{"G01-PUSH-26"}, "A push is judged by the state that was the latest when somebody asked for the repository before."},
		{"deleted-states-authorize", "G01-DEL-01", nil, "A deleted state authorizes the next push of who asked for the repository before."},
		{"newest-author-lost-at-stop", "G01-LAT-02", nil, "Where several maintainers have states, the newest one is not known after a restart."},
	}
}
