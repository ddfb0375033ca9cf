package spec

// escapableWireDefects are mistakes of any server that does for repositories whose paths need no escape what it does not do for others.
func escapableWireDefects() []Defect {
	return []Defect{
		{"references-to-escaped-repositories-refused", "G01-REL-01", nil, "What refers to a repository whose path has an escape is refused."},
		{"deletions-of-escaped-repositories-ignored", "G01-DEL-06", nil, "A deletion by the address of a repository whose path has an escape has no effect."},
		{"pull-requests-to-escaped-repositories-refused", "G01-REL-01", nil, "Pull requests to a repository whose path has an escape are refused."},
		{"pull-requests-to-escaped-repositories-stay-held", "G01-REL-01", nil, "A pull request is not released by a push to a path with an escape."},
		{"refs-of-pull-requests-to-escaped-repositories-refused", "G01-REL-01", nil, "Refs of pull requests cannot be pushed to a path with an escape."},
		{"states-of-escaped-repositories-need-pushes", "G01-PURG-09", nil, "Where the path has an escape a state whose objects are here waits for a push."},
		{"pages-of-escaped-repositories-not-found", "G01-WEB-01", nil, "A repository whose path has an escape has no page."},
	}
}
