package spec

// WireDefects are mistakes of any server in git over HTTP, in pushes and in what they release. They are judged as a
// stranger is, by what its URL shows.
func WireDefects() []Defect {
	return []Defect{
		// Git as git does it.
		{"rounds-unanswered", "G01-GIT-02", nil, "A fetch that negotiates in rounds gets no answer before its last one."},
		{"many-haves-unanswered", "G01-GIT-02", nil, "A fetch from a clone with more than thirty-two commits of its own is not answered."},
		{"first-prefix-only", "G01-GIT-02", nil, "Of several prefixes that a listing asks for only the first one counts."},
		{"symrefs-unsaid", "G01-HEAD-01", []string{"G01-HEAD-05"}, "A listing in protocol version 2 does not say which branch HEAD names."},
		{"tags-unpeeled", "G01-GIT-02", nil, "The advertisement does not say what annotated tags point to."},
		{"tags-unpeeled-in-version-2", "G01-GIT-02", nil, "A listing in protocol version 2 does not say what annotated tags point to."},
		{"reports-unannounced", "G01-PUSH-28", nil, "The advertisement for pushes does not offer reports, so git shows no refusal."},
		{"deletions-unannounced", "G01-PUSH-07", nil, "The advertisement for pushes does not offer deletions, so git sends none."},
		{"empty-push-advertisement-bare", "G01-PUSH-01", nil, "The advertisement for pushes of an empty repository has no capabilities."},
		{"empty-push-advertisement-without-capabilities", "G01-PUSH-01", nil, "The advertisement for pushes of an empty repository has an empty list of capabilities."},
		{"probes-refused", "G01-PUSH-24", nil, "The empty push that git sends before a large one is refused."},
		{"shallow-pushes-cut", "G01-PUSH-19", nil, "A push from a shallow clone ends the connection."},
		{"shallow-pushes-fail", "G01-PUSH-19", nil, "A push from a shallow clone is answered 500."},
		{"accepted-shallow-pushes-cut", "G01-PUSH-19", nil, "A push from a shallow clone is judged, and ends the connection if it is accepted."},
		{"shallow-pushes-unanswered", "G01-PUSH-19", nil, "A push from a shallow clone is answered with nothing."},

		// Spellings.
		{"connection-of-one-token", "N01-WS-01", nil, "A header Connection of two tokens is not taken for an upgrade."},
		{"accept-of-one-type", "G01-N11-01", nil, "The relay document is served only to who accepts nothing else."},
		{"git-protocol-of-one-key", "G01-GIT-02", nil, "A header Git-Protocol with a second key is not read."},
		{"content-types-without-parameters", "G01-GIT-02", nil, "A content type with a parameter is not known."},
		{"service-first-in-the-query", "G01-GIT-01", nil, "The service has to be the first parameter of the query."},
		{"service-unescaped", "G01-GIT-01", nil, "The service must not have an escape in the query."},

		// Sizes.
		{"pushes-above-a-megabyte-cut", "G01-PUSH-24", nil, "A push of more than a megabyte ends the connection."},
		{"pushes-above-a-megabyte-fail", "G01-PUSH-24", nil, "A push of more than a megabyte is answered 500."},
		{"fetches-above-a-megabyte-cut", "G01-GIT-19", nil, "An answer to a fetch ends after a megabyte."},
		{"large-broken-packs-fail", "G01-PUSH-21", nil, "A broken pack that does not fit into a pipe is answered 500."},
		{"long-refusals-cut", "G01-PUSH-28", nil, "A refusal that does not fit into a pipe ends the connection."},
		{"long-negotiations-block", "G01-GIT-19", nil, "A fetch request that does not fit into a pipe is not answered."},
		{"packs-in-memory", "G01-PUSH-24", nil, "A push is held in memory, several times over."},
		{"fetches-in-memory", "G01-GIT-19", nil, "An answer to a fetch is held in memory, several times over, before its first byte is sent."},
		{"bombs-in-memory", "SEC-07", nil, "Whatever a compressed request unpacks to is held in memory."},
		{"large-bombs-kill", "SEC-07", nil, "A compressed request that unpacks to more than a hundred megabytes stops the server."},
		{"bombs-behind-commands-kill", "SEC-07", nil, "A compressed push whose pack unpacks to more than eight megabytes stops the server."},

		// Answers.
		{"done-pushes-fail", "G01-PUSH-01", nil, "A push is done and answered 500."},
		{"done-pushes-cut", "G01-PUSH-01", nil, "A push is done and the connection ends."},
		{"done-pushes-unanswered", "G01-PUSH-01", nil, "A push is done and answered with nothing."},
		{"reports-torn", "G01-PUSH-01", nil, "A push is done and its report breaks off."},
		{"refusals-out-of-band", "G01-PUSH-28", nil, "A refusal comes without the side-band that the client asked for."},
		{"refusals-without-end", "G01-PUSH-28", nil, "A refusal has no end."},
		{"refusals-as-text", "G01-PUSH-28", nil, "A refusal is plain text where git expects a report."},
		{"cors-missing-on-accepted-pushes", "G01-CORS-01", nil, "The answer to an accepted push has no CORS headers."},
		{"cors-missing-on-the-landing-page", "G01-CORS-01", nil, "The landing page has no CORS headers."},
		{"cors-missing-on-refused-fetches", "G01-CORS-01", nil, "The answer to a refused fetch has no CORS headers."},
		{"cors-missing-on-probes", "G01-CORS-01", nil, "The answer to a push without a command has no CORS headers."},

		// What is not judged, and moves refs.
		{"commands-behind-flushes-unjudged", "G01-PUSH-20", []string{"SEC-10"}, "Commands behind a flush are carried out unjudged."},
		{"commands-behind-delimiters-unjudged", "G01-PUSH-20", []string{"SEC-10"}, "Commands behind a delimiter are carried out unjudged."},
		{"commands-behind-response-ends-unjudged", "G01-PUSH-20", nil, "Commands behind a response end are carried out unjudged."},
		{"commands-behind-empty-lines-unjudged", "G01-PUSH-20", nil, "Commands behind an empty line are carried out unjudged."},
		{"commands-beyond-a-thousand-unjudged", "G01-PUSH-20", []string{"SEC-10"}, "Of a long list only the first thousand commands are judged."},
		{"second-commands-of-refs-unjudged", "G01-PUSH-20", []string{"SEC-10"}, "Of two commands for a ref the second one is carried out unjudged."},
		{"commands-in-upper-case-unjudged", "G01-PUSH-20", nil, "Commands with ids in upper case are carried out unjudged."},
		{"commands-with-line-feeds-unjudged", "G01-PUSH-20", []string{"SEC-10"}, "Commands that end in a line feed are carried out unjudged."},
		{"commands-with-carriage-returns-unjudged", "G01-PUSH-20", nil, "Commands with a carriage return are carried out unjudged."},
		{"commands-with-two-blanks-unjudged", "G01-PUSH-20", nil, "Commands with two blanks between their parts are carried out unjudged."},
		{"commands-with-tabs-unjudged", "G01-PUSH-20", nil, "Commands with tabs between their parts are carried out unjudged."},
		{"commands-with-late-capabilities-unjudged", "SEC-10", nil, "Commands with capabilities that are not the first ones are carried out unjudged."},
		{"commands-with-tight-capabilities-unjudged", "G01-PUSH-20", nil, "Commands whose capabilities begin without a gap are carried out unjudged."},
		{"commands-without-capabilities-unjudged", "G01-PUSH-20", nil, "Commands without capabilities are carried out unjudged."},
		{"atomic-commands-unjudged", "G01-PUSH-20", nil, "Commands of an atomic push are carried out unjudged."},
		{"commands-with-options-unjudged", "G01-PUSH-20", nil, "Commands of a push with options are carried out unjudged."},
		{"commands-among-shallow-lines-unjudged", "G01-PUSH-20", nil, "Commands of a list with shallow lines are carried out unjudged."},
		{"lengths-in-upper-case-unjudged", "G01-PUSH-20", nil, "Commands whose length is in upper case are carried out unjudged."},
		{"equal-zero-ids-delete", "G01-PUSH-20", nil, "A command from nothing to nothing counts as no change, and deletes the ref."},
		{"equal-ids-move", "G01-PUSH-20", nil, "A command whose two ids are the same counts as no change, and moves the ref there."},
		{"old-ids-unread", "G01-PUSH-20", nil, "A deletion of a ref that is elsewhere counts as no change, and deletes the ref."},
		{"foreign-blanks-in-names-kept", "SEC-04", nil, "A ref is judged by its name without blanks of any script at its ends, and made with them."},
		{"invisible-letters-in-names-kept", "SEC-04", nil, "A ref is judged by its name without invisible letters at its ends, and made with them."},
		{"abbreviated-ids-applied", "N34-ST-04", nil, "An abbreviated object id in a state moves the ref."},
		{"names-as-ids-applied", "N34-ST-04", nil, "The name of a ref in place of an object id in a state moves the ref."},
		{"ids-in-upper-case-applied", "N34-ST-04", nil, "An object id in upper case in a state moves the ref."},
		{"pushes-of-one-key-mixed", "G01-PUSH-25", nil, "Of pushes at once to two repositories of a key one goes to the wrong repository."},
		{"pushes-of-one-identifier-mixed", "G01-PUSH-25", nil, "Of pushes at once to two repositories of an identifier one goes to the wrong repository."},

		// Paths.
		{"dumb-heads-shown", "G01-GIT-01", nil, "HEAD of a repository can be read as a file, as the dumb protocol does."},
		{"dumb-packs-listed", "G01-GIT-01", nil, "The packs of a repository are listed, as the dumb protocol does."},
		{"dumb-listing-by-default", "G01-GIT-11", nil, "Without a service the refs are listed as the dumb protocol does."},
		{"files-of-repositories-shown", "G01-GIT-16", nil, "The configuration of a repository can be read."},
		{"files-beside-repositories-shown", "G01-GIT-16", nil, "A path that begins in a repository leads to files of the machine."},
		{"paths-leave-keys", "G01-GIT-16", nil, "An escaped path leads from below a key that is known here to the repository of another."},
		{"escaped-slashes-leave-keys", "G01-GIT-16", nil, "An escaped slash behind a parent folder leads from below a key that is known here to the repository of another."},
		{"pushes-leave-keys", "G01-GIT-16", nil, "A push to an escaped path below a key that is known here goes to the repository of another."},

		// Refs of pull requests.
		{"pull-request-refs-in-upper-case", "G01-PR-02", nil, "A ref below refs/nostr/ may be an id in upper case."},
		{"pull-request-refs-below-refs", "G01-PR-02", nil, "A ref may lie below that of a pull request."},
		{"known-events-in-upper-case", "G01-PR-02", nil, "A ref below refs/nostr/ may be the id of a known event in upper case."},
		{"names-below-known-events", "G01-PR-02", nil, "A ref may lie below that of a pull request whose event is known."},
		{"events-first-and-upper-case", "G01-PR-02", nil, "A ref needs its event, whose id may be in upper case."},
		{"events-first-and-other-kinds", "G01-PR-10", nil, "A ref needs its event, which may be of any kind."},
		{"events-first-and-accepted-unguarded", "G01-PR-11", nil, "A ref needs its event, and anybody may move or delete that of an accepted pull request."},

		// What releases.
		{"probes-release", "G01-PURG-05", nil, "A push without a command releases what is held."},
		{"broken-packs-release-announcements", "G01-PUSH-21", nil, "A broken pack releases the held announcement."},
		{"refused-pushes-release", "G01-PURG-05", nil, "A refused push releases what is held."},
		{"refused-pushes-release-announcements", "G01-PURG-05", nil, "A refused push releases the held announcement."},
		{"pull-request-pushes-release-announcements", "G01-PURG-05", nil, "A push of the ref of a pull request releases the held announcement."},
		{"pull-request-pushes-release-states", "G01-PURG-05", nil, "A push of the ref of a pull request releases the held state."},
		{"pushes-of-namesakes-release", "G01-PURG-05", nil, "A push to a repository of the same identifier releases what is held of another key."},

		// What takes the server down.
		{"broken-text-kills", "SEC-01", nil, "A message that is not UTF-8 stops the server."},
		{"broken-messages-kill", "SEC-01", nil, "A message that is no JSON stops the server."},
		{"many-tags-kill", "SEC-01", nil, "An event of very many tags stops the server."},
		{"binary-frames-kill", "SEC-01", nil, "A frame of bytes stops the server."},
		{"small-reconciliations-kill", "SEC-01", nil, "A short reconciliation that claims a long list stops the server."},
		{"reconciliations-of-many-ranges-kill", "SEC-01", nil, "A reconciliation of very many ranges stops the server."},
		{"many-held-announcements-exhaust", "G01-PURG-23", nil, "Once a key has announced five hundred repositories nothing is taken any more."},
		{"many-keys-exhaust", "G01-PURG-23", nil, "Once nine hundred keys have announced repositories nothing is taken any more."},
	}
}
