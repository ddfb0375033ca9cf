package spec

// privateDefects are mistakes of services that are for members alone (GRASP-08). They show where such a service is judged.
func privateDefects() []Defect {
	return []Defect{
		{"members-overheard", "G08-01", nil, "What members hear is sent to every connection that has asked for anything."},
		{"reading-for-everybody", "G08-01", nil, "The advertisement for fetching is answered without a token."},
		{"challenge-on-refusal", "G08-02", nil, "The challenge comes with the first refusal, and not on connecting."},
		{"strangers-events-taken", "G08-02", nil, "Events of who has not authenticated are acknowledged."},
		{"strangers-queries-answered", "G08-02", nil, "Queries of who has not authenticated are answered."},
		{"strangers-counts-answered", "G08-02", nil, "Counts of who has not authenticated are answered."},
		{"strangers-sets-answered", "G08-02", nil, "Reconciliations of who has not authenticated are begun."},
		{"strangers-let-in", "G08-03", nil, "Whoever authenticates is told to be let in."},
		{"stale-authentications-open", "G08-04", nil, "Authentications of any time are accepted."},
		{"tokens-of-any-time", "G08-05", nil, "The time of a token is not looked at."},
		{"tokens-short-lived", "G08-05", nil, "A token counts for ten seconds."},
		{"tokens-of-any-repository", "G08-06", nil, "A token for one repository opens every other one."},
		{"tokens-of-any-method", "G08-06", nil, "The method that a token names is not looked at."},
		{"tokens-of-any-kind", "G08-06", nil, "An event of whatever kind is taken for a token."},
		{"tokens-unverified", "G08-06", nil, "The signature of a token is not looked at."},
		{"tokens-of-anybody", "G08-06", nil, "The token of whoever signs it opens a repository."},
		{"missing-repositories-told", "G08-06", nil, "A repository that is not there is not found, whatever the token."},
		{"tokens-asked-in-words", "G08-06", nil, "The answer to who has no token has a body."},
		{"tokens-unasked", "G08-06", nil, "The answer to who has no token does not say what is wanted."},
		{"members-push-anything", "G08-07", nil, "A member may push what no state names."},
		{"private-without-nip42", "G08-08", nil, "The document of a private service does not list NIP-42."},
		{"preflights-need-tokens", "G08-12", nil, "Preflights are answered 401."},
		{"tokens-asked-of-no-page", "G08-12", nil, "Pages of other origins may not read that a token is missing."},
		{"removed-members-stay", "G08-14", nil, "Who was a member once is one for ever."},
		{"removed-members-untold", "G08-14", nil, "Nothing tells who is a member no more that a subscription is over."},
		{"tokens-served", "G08-15", nil, "Events that authenticate are found by queries if they are published."},
	}
}
