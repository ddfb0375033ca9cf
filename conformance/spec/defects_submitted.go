package spec

// submittedDefects are mistakes of servers that take contributions (GRASP-06).
func submittedDefects() []Defect {
	return []Defect{
		{"submission-paths-unescaped", "G06-URL-01", nil, "Nothing is there at places of pull requests whose identifiers are escaped."},
		{"malformed-submission-paths-answered", "G06-URL-02", nil, "Malformed paths of the place for pull requests are empty repositories."},
		{"submissions-not-there-before", "G06-FETCH-01", []string{
			"G06-PUSH-01", "G06-PUSH-02", "G06-PUSH-04", "G06-ADV-01",
		}, "A place for pull requests is there once something was pushed to it."},
		{"submissions-not-offered-before", "G06-FETCH-02", nil, "A place for pull requests offers pushes once something was pushed to it."},
		{"submissions-need-an-event", "G06-PUSH-01", []string{
			"G06-URL-01", "G06-PUSH-02",
		}, "A pull request's commit is taken at its place once the event has come."},
		{"submission-names-unchecked", "G06-PUSH-02", []string{"G06-PUSH-04"}, "Any ref may be pushed to places for pull requests."},
		{"submissions-unmatched", "G06-PUSH-03", nil, "A place for pull requests takes commits for events that say otherwise."},
		{"submission-branches-unseen", "G06-PUSH-04", []string{"G06-PUSH-02"}, "Branches are made at places for pull requests before the push is judged."},
		{"submissions-refused", "G06-EV-01", []string{
			"G06-URL-01", "G06-EV-04",
		}, "Pull requests that name their own place are refused."},
		{"submissions-to-elsewhere-taken", "G06-EV-02", nil, "Pull requests are taken whatever place they name."},
		{"issues-with-a-place-taken", "G06-EV-03", nil, "An issue is taken for the place of its signer that it names."},
		{"submissions-stay-held", "G06-EV-04", []string{"G06-URL-01", "G06-EV-02"}, "A pull request is not released by its commit at its place."},
		{"wrong-submissions-stay", "G06-EV-05", nil, "At its place a ref with another commit than its event names stays."},
		{"unmatched-submissions-kept", "G06-GC-01", nil, "A ref at a place for pull requests stays without its event."},
		{"emptied-submissions-gone", "G06-GC-02", nil, "A place for pull requests is not there any more once its last ref has gone."},
		{"submissions-not-copied", "G06-MIR-01", nil, "The refs at places for pull requests do not come to the repositories here that they are for."},
		{"submissions-judged-by-the-first", "G06-PUSH-02", []string{"G06-PUSH-04"}, "Of a push to a place for pull requests the first ref alone is looked at."},
		{"submissions-copied-everywhere", "G06-MIR-01", nil, "The ref of a pull request comes from its place to every repository of the identifier."},
		{"submissions-named-anywhere", "G06-EV-02", nil, "A pull request is taken if a clone value has this host and the path of its place somewhere in it."},
		{"places-for-the-like", "G06-PUSH-01", nil, "The places for identifiers that differ in case or at their end are one place."},
		{"places-show-repositories", "G06-FETCH-01", nil, "The place of an owner for a served repository shows what is in that."},
		{"places-release-what-waits", "G06-PUSH-01", nil, "An announcement that waits is served once something was pushed to a place for its identifier."},
		{"places-lost-at-restart", "G06-PUSH-01", nil, "What is at places for pull requests does not outlive a restart."},
		{"wrong-submissions-served", "G06-EV-05", nil, "A pull request at whose place another commit is is served."},
		{"pull-requests-backed-up", "G06-SYNC-01", nil, "The commit of a pull request that was got from elsewhere is put at the place of its signer."},
	}
}
