package spec

// namedWireDefects are mistakes of any server with names: of refs, of branches, of people and places; and of what an answer of
// git is called.
func namedWireDefects() []Defect {
	return []Defect{
		{"refs-in-any-case-authorized", "G01-PUSH-04", nil, "A ref may be pushed where a state names one that differs in capitals."},
		{"declared-refs-are-globs", "G01-PUSH-04", nil, "A ref may be pushed where a state names it by stars, question marks and brackets."},
		{"declared-refs-are-expressions", "G01-PUSH-04", nil, "A ref may be pushed where a state names it by a regular expression."},
		{"declared-refs-are-patterns", "G01-PUSH-04", nil, "A ref may be pushed where a state names it by the signs of SQL."},
		{"longer-refs-authorized", "G01-PUSH-04", nil, "A ref may be pushed where a state names one that it begins with."},
		{"shorter-refs-authorized", "G01-PUSH-04", nil, "A ref may be pushed where a state names one that begins with it."},
		{"refs-compared-by-their-last-part", "G01-PUSH-04", nil, "A tag may be pushed where a state names a branch that is called so, and the other way round."},
		{"states-without-branches-refused", "N34-ST-01", nil, "A state that names tags alone is refused."},
		{"branches-with-slashes-refused", "G01-PUSH-01", nil, "A state that names a branch with a slash in its name is refused."},
		{"branches-with-dots-refused", "G01-PUSH-01", nil, "A state that names a branch with a dot in its name is refused."},
		{"branches-with-signs-refused", "G01-PUSH-01", nil, "A state that names a branch with signs in its name is refused."},
		{"branches-beyond-ascii-refused", "G01-PUSH-01", nil, "A state that names a branch with letters beyond ASCII in its name is refused."},
		{"long-branches-refused", "G01-PUSH-01", nil, "A state that names a branch of more than a hundred letters is refused."},
		{"odd-states-fail", "N34-ST-04", nil, "A state with an entry that is none makes the server fail."},
		{"people-are-maintainers", "G01-MNT-03", nil, "Whom an announcement names by p is a maintainer."},
		{"maintainers-one-by-one-count", "G01-MNT-03", nil, "Whom an announcement names in a tag maintainer is one."},
		{"authors-are-maintainers", "G01-MNT-03", nil, "Whom an announcement names as an author is a maintainer."},
		{"paths-of-relays-unread", "G01-ANN-05", nil, "A relay below another path of the host is taken for this one."},
		{"pull-request-refs-of-several-unjudged", "G01-PR-11", nil, "Of a push of several refs of pull requests none is judged."},
		{"advertisements-may-be-kept", "G01-GIT-01", nil, "Who gets an advertisement may keep it for five minutes."},
		{"fetch-results-of-another-type", "G01-GIT-02", nil, "Results of fetches have the content type of any bytes."},
		{"push-results-of-another-type", "G01-GIT-02", nil, "Results of pushes have the content type of any bytes."},
	}
}
