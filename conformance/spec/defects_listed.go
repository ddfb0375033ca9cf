package spec

// listedDefects are documents that list what is not there, or do not list what is.
func listedDefects() []Defect {
	return []Defect{
		{"archive-listed-alone", "G02-ADV-01", nil, "The relay document lists archives without the sync that they rest on."},
		{"sync-listed-idle", "G02-ADV-01", []string{
			"G02-GIT-01", "G02-GIT-02", "G02-GIT-03", "G02-GIT-04", "G02-GIT-06", "G02-GIT-09", "SEC-02", "SEC-05",
		}, "The relay document lists sync, and other hosts are asked for nothing until two hours have passed."},
		{"submissions-unlisted", "G06-ADV-01", []string{
			"G01-N11-05",
		}, "Pull requests are taken at a place of their own, and the document does not say so."},
		{"submissions-not-offered", "G06-ADV-01", []string{
			"G01-N11-05",
		}, "The document lists a place for pull requests, and there is none."},
		{"submissions-shown-anywhere", "G06-ADV-01", []string{
			"G01-N11-05",
		}, "Every path of the place for pull requests, which the document does not list, is advertised as an empty repository."},
		{"submissions-taken-silently", "G06-ADV-01", nil, "The place for pull requests, which the document does not list, is not advertised and answers what is posted."},
	}
}
