package spec

// takenWireDefects are mistakes of any server that takes one thing for all: one form of a request, the first ref of a push, the answer to
// one client, a list as it was first.
func takenWireDefects() []Defect {
	return []Defect{
		{"compressed-pushes-unjudged", "SEC-10", nil, "A compressed push is carried out unjudged."},
		{"pushes-in-chunks-unjudged", "SEC-10", nil, "A push in chunks is carried out unjudged."},
		{"pushes-with-a-query-unjudged", "SEC-10", nil, "A push to a path with a query is carried out unjudged."},
		{"pushes-of-other-types-unjudged", "SEC-10", nil, "A push with another content type than git's is carried out unjudged."},
		{"pushes-that-wait-to-go-on-unjudged", "SEC-10", nil, "A push that waits until it may go on is carried out before it is judged."},
		{"deletions-behind-pull-requests-unjudged", "G01-PR-15", nil, "What a push deletes behind the ref of a pull request is not judged."},
		{"pushes-judged-by-their-first-fifty-refs", "G01-PUSH-03", nil, "Of a push of many refs the first fifty are judged."},
		{"pushes-judged-by-their-first-64-kilobytes", "G01-PUSH-03", nil, "Of a push of many refs those are judged that begin in the first 64 kilobytes."},
		{"states-cut-behind-five-hundred-refs", "G01-PURG-09", nil, "A state of many refs that needs no push moves the first five hundred."},
		{"pushes-judged-by-their-first-ref", "G01-PR-15", nil, "A push whose first ref is that of a pull request is judged by that alone."},
		{"listings-kept-for-any-version", "G01-GIT-02", nil, "Who lists a repository gets the answer to the one before him, in whatever version that asked."},
		{"further-elements-of-refs-authorize", "N34-ST-01", nil, "The further elements of a ref in a state authorize pushes, too."},
		{"maintainers-of-maintainers-kept", "G01-MNT-05", nil, "Whom a maintainer has named at some time keeps the authority."},
		{"maintainers-of-maintainers-added-in-vain", "G01-MNT-05", nil, "Whom a maintainer names later than at first has no authority."},
		{"head-moves-with-its-branch-alone", "G01-HEAD-01", nil, "HEAD moves behind a push only if that has moved the branch to which HEAD goes."},
		{"tags-stay-without-a-push", "G01-PURG-09", nil, "A state that needs no push makes and moves no tag."},
		{"pushes-beside-one-fail", "G01-PUSH-25", nil, "A push that comes while another one is carried out is answered by a failure."},
	}
}
