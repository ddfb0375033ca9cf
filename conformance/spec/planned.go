package spec

// The titles of the work that brings checks which are still to come.
const (
	// planSync brings what servers do with each other.
	planSync = "GRASP-02: servers that heal each other, relay to relay"
	// planFamily brings what the documents beside GRASP-01 and GRASP-02 say.
	planFamily = "The rest of the family: contributor repositories (GRASP-06), archives (05), private services (08), sync plus (03)"
)

// planned marks rows whose check is still to come; title is that of the work that brings it.
func planned(title string, rows ...Requirement) []Requirement {
	for i := range rows {
		rows[i].Coverage = Coverage{Kind: Planned, Text: title}
	}
	return rows
}
