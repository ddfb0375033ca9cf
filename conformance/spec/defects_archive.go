package spec

// archiveDefects are mistakes of archives (GRASP-05). They show where an archive is judged.
func archiveDefects() []Defect {
	return []Defect{
		{"archived-announcements-refused", "G05-01", nil, "What does not list the archive is refused, whatever the document says."},
		{"archives-listed-without-sync", "G05-02", []string{"G02-ADV-01"}, "The document of an archive does not list the sync that it rests on."},
		{"archives-leave-issues", "G05-02", nil, "Issues are not taken from the relays that archived announcements list."},
		{"archives-keep-anything", "G05-03", nil, "Announcements beside the scope are acknowledged."},
		{"archives-hunt-late", "G05-04", nil, "Two hours pass until an archive looks for missing git data."},
		{"read-only-archives-take-pushes", "G05-04", nil, "An archive that says that it is only read takes pushes."},
		{"read-only-untold", "G05-05", nil, "An archive that takes no push does not say so under curation."},
		{"archived-states-of-anybody", "G05-06", []string{"G01-MNT-03"}, "States of strangers are acknowledged for archived repositories."},
		{"archived-issues-refused", "G05-06", nil, "Issues on archived repositories are refused."},
		{"archived-orphans-taken", "G05-06", nil, "An archive acknowledges issues on repositories that are nowhere."},
		{"archived-pull-requests-refused", "G05-06", nil, "Pull requests to archived repositories are refused."},
		{"read-only-archives-take-new-branches", "G05-04", nil, "An archive that is only read takes pushes that make branches and move nothing."},
		{"read-only-archives-take-first-pushes", "G05-04", nil, "An archive that is only read takes pushes to what it has no data of yet."},
		{"archived-look-alikes-kept", "G05-03", nil, "The service of which all is archived is looked for in URLs as a text."},
		{"archived-repositories-take-any-push", "G05-06", nil, "Pushes to archived repositories are taken, whatever states say."},
		{"archives-leave-patches", "G05-02", nil, "An archive does not get patches."},
		{"archives-leave-comments", "G05-02", nil, "An archive does not get comments."},
		{"archived-patches-refused", "G05-06", nil, "Patches for an archived repository are refused."},
		{"archived-comments-refused", "G05-06", nil, "Comments on an archived repository are refused."},
		{"archived-heads-left", "G05-04", nil, "HEAD of an archived repository stays where a new one has it."},
		{"archived-at-any-port-kept", "G05-03", nil, "A service is kept at any port."},
		{"newer-archived-announcements-refused", "G05-06", nil, "A repository that is archived cannot be announced anew."},
	}
}
