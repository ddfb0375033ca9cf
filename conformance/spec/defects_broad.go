package spec

import "slices"

// Broad reports whether a mistake is one of everything at once: it violates far more than the requirement that names it,
// and each of the checks that only it violates is on a list of the tests.
func (d Defect) Broad() bool {
	return slices.ContainsFunc(broadDefects(), func(b Defect) bool { return b.Name == d.Name })
}

// broadDefects are mistakes of everything at once.
func broadDefects() []Defect {
	return []Defect{
		{"every-push-admitted", "G01-PUSH-03", nil, "No push is refused."},
		{"refused-pushes-move-refs", "G01-PUSH-03", nil, "What a refused push asks for is done, and said not to be."},
		{"every-push-refused", "G01-PUSH-01", nil, "Every push is refused."},
		{"every-ref-stays", "G01-PUSH-01", nil, "Pushes are answered as done, and no ref moves."},
		{"every-fetch-refused", "G01-GIT-02", nil, "Every fetch is refused."},
		{"packs-without-objects", "G01-GIT-02", nil, "Fetches bring packs of no object."},
		{"capabilities-unannounced", "G01-GIT-03", nil, "Advertisements name no capability that a client needs to fetch less than all."},
		{"internal-refs-shown-to-fetches", "G01-GIT-14", nil, "A ref of the server's own is advertised for fetches."},
		{"plain-requests-only", "G01-GIT-01", nil, "Git requests with another parameter, with an accepted encoding or a body in chunks are refused."},
		{"no-repository-exists", "G01-ANN-11", nil, "No repository answers."},
		{"failures-as-success", "G01-WEB-02", nil, "What fails is answered with status 200."},
		{"failures-as-server-errors", "G01-GIT-11", nil, "What fails is answered with status 500."},
		{"cors-on-the-document-alone", "G01-N11-06", nil, "Only the relay document has CORS headers."},
		{"every-event-acknowledged", "G01-ANN-05", nil, "Every event is answered OK true, whatever becomes of it."},
		{"every-acknowledgement-refused", "G01-ANN-11", nil, "Every event is answered OK false, whatever becomes of it."},
		{"refused-events-served", "G01-ANN-05", nil, "What is refused is found by queries."},
		{"held-events-served", "G01-PURG-05", nil, "What waits for git data is found by queries."},
		{"removed-events-served", "N09-01", nil, "What was served once is found by queries forever."},
		{"deletions-without-effect", "N09-01", nil, "Requests to delete and to vanish are answered OK true and have no effect."},
		{"contributions-refused", "G01-REL-01", nil, "Everything but announcements, states, pull requests and deletions is refused."},
		{"comments-refused", "N22-01", nil, "Comments are refused."},
		{"nothing-found", "N01-REQ-01", nil, "Queries find no event."},
		{"filters-match-everything", "N01-REQ-01", nil, "Of a filter without ids only the authors are looked at."},
		{"counts-off-by-one", "N01-CNT-01", nil, "Every count is one too high."},
		{"reconciliations-empty", "N77-01", nil, "Every reconciliation ends at once, as if both sides had the same."},
		{"protected-events-refused", "N70-01", nil, "Protected events are refused to their authors, too."},
		{"closes-on-oddities", "N01-ERR-01", nil, "A malformed message ends the connection without an answer."},
		{"dies-of-oddities", "SEC-01", nil, "A malformed message, an odd reconciliation or an odd identifier ends the server."},
		{"dies-of-reconciliations", "SEC-01", nil, "Any reconciliation ends the server."},
		{"every-url-asked", "SEC-02", nil, "Every host that any event names is asked for git data."},
		{"everything-lost-at-stop", "REF-PURG-11", nil, "Nothing that came since the first start is there after a restart."},
		{"lives-halved", "REF-PURG-06", nil, "Everything is kept for half of its time."},
		{"lives-doubled", "REF-PURG-06", nil, "Everything is kept for twice its time."},
	}
}
