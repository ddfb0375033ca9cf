package spec

import "slices"

// Core1 is the name of the profile that every implementation meets first: the main path of GRASP-01.
const Core1 = "core-1"

// core1 are the ids of the profile core-1 in the catalogue's order.
func core1() []string {
	return []string{
		"G01-N11-01", "G01-N11-02", "G01-N11-03", "G01-N11-04",
		"G01-CORS-01", "G01-CORS-02", "G01-CORS-03", "G01-CORS-04",
		"N01-WS-01", "N01-EV-01", "N01-EV-02", "N01-EV-03",
		"N01-REQ-01", "N01-REQ-02", "N01-REQ-03", "N01-REP-01",
		"G01-ANN-01", "G01-ANN-02", "G01-ANN-03", "G01-ANN-04", "G01-ANN-05", "G01-ANN-09",
		"G01-ANN-10", "G01-ANN-14", "G01-ANN-15", "G01-ANN-16", "G01-ANN-17",
		"G01-REL-01", "G01-REL-02", "G01-REL-03", "G01-REL-05",
		"G01-MNT-01", "G01-MNT-03", "G01-MNT-04", "G01-MNT-08", "G01-MNT-09",
		"G01-PURG-01", "G01-PURG-02", "G01-PURG-05", "G01-PURG-06", "G01-PURG-07", "G01-PURG-08",
		"G01-PURG-09", "G01-PURG-11", "G01-PURG-15", "G01-PURG-16", "G01-PURG-17", "G01-PURG-18",
		"N34-ST-01", "N34-ST-02", "G01-LAT-01", "G01-LAT-02",
		"G01-PUSH-01", "G01-PUSH-02", "G01-PUSH-03", "G01-PUSH-04", "G01-PUSH-05", "G01-PUSH-06",
		"G01-PUSH-07", "G01-PUSH-08", "G01-PUSH-09", "G01-PUSH-12", "G01-PUSH-13", "G01-PUSH-14",
		"G01-PUSH-15", "G01-PUSH-16", "G01-PUSH-17", "G01-PUSH-18", "G01-PUSH-21", "G01-PUSH-28",
		"G01-HEAD-01", "G01-HEAD-02", "G01-HEAD-05",
		"G01-GIT-01", "G01-GIT-02", "G01-GIT-04", "G01-GIT-06", "G01-GIT-10", "G01-GIT-11", "G01-GIT-16",
		"G01-WEB-01", "G01-WEB-02",
	}
}

// InCore1 reports whether a requirement belongs to the profile core-1.
func InCore1(id string) bool { return slices.Contains(core1(), id) }

// Profile returns the requirements of the named profile in the catalogue's order, and whether there is
// such a profile. The only one so far is core-1.
func Profile(name string) ([]Requirement, bool) {
	if name != Core1 {
		return nil, false
	}
	member := make(map[string]bool)
	for _, id := range core1() {
		member[id] = true
	}
	var rows []Requirement
	for _, r := range All() {
		if member[r.ID] {
			rows = append(rows, r)
		}
	}
	return rows, true
}
