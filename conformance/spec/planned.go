package spec

// planFamily is the title of the work that brings what the documents beside GRASP-01 and GRASP-02 say.
const planFamily = "The rest of the family: contributor repositories (GRASP-06), archives (05), private services (08), sync plus (03)"

// planned marks rows whose check is still to come.
func planned(rows ...Requirement) []Requirement {
	for i := range rows {
		rows[i].Coverage = Coverage{Kind: Planned, Text: planFamily}
	}
	return rows
}
