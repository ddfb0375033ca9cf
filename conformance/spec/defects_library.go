package spec

// libraryWireDefects are mistakes of any server that speaks git by a library of its language, and keeps refs and events in tables.
func libraryWireDefects() []Defect {
	return []Defect{
		{"packs-without-files-taken", "G01-PUSH-22", nil, "A pack whose commits and trees are whole is taken without the files that they name."},
		{"shallow-pushes-taken-for-whole", "G01-PUSH-22", nil, "A push from a shallow clone is taken without what its commits rest on."},
		{"first-pushes-taken-for-whole", "G01-PUSH-22", nil, "A push to an empty repository is taken without what its commits rest on."},
		{"depths-of-the-first-commit-alone", "G01-GIT-09", nil, "Of several commits that are asked for to a depth only the first one comes."},
		{"depths-that-bring-everything-unended", "G01-GIT-09", nil, "Where a depth leaves nothing out, the list of what it leaves out is not ended."},
		{"branches-folded-by-case", "G01-PUSH-09", nil, "Of branches whose names differ by capital letters alone one is shown."},
		{"branches-folded-by-composition", "G01-PUSH-09", nil, "Of branches whose names differ by the parts of a letter alone one is shown."},
		{"values-compared-as-numbers", "N01-REQ-01", nil, "Values of tags that are numbers are found by any text of the same number."},
		{"numbers-beyond-64-bits-hang-up", "N01-ERR-01", nil, "A kind or a time in a filter that is larger than a table takes ends the connection."},
		{"identifiers-compared-as-numbers", "G01-ANN-11", nil, "The path of an identifier that is a number leads to any that is the same number."},
	}
}
