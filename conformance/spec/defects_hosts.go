package spec

// hostDefects are mistakes of a server that gets git data from elsewhere, in how much, where and for what it asks.
func hostDefects() []Defect {
	return []Defect{
		{"a-sixth-request-at-once", "REF-HUNT-08", nil, "Six requests are under way at one host."},
		{"one-request-more-in-a-minute", "REF-HUNT-09", nil, "One request more than the limit begins at one host within a minute."},
		{"requests-forgotten-in-a-crash", "REF-HUNT-09", nil, "What a host was asked before a crash does not count after it."},
		{"hosts-woken-late", "REF-HUNT-10", nil, "What waits for a host begins half a minute after the host has capacity again."},
		{"turns-not-taken", "REF-HUNT-11", nil, "The identifier that was just served at a host is served next."},
		{"urls-asked-twice-at-once", "REF-HUNT-12", nil, "Every request is made twice at once."},
		{"failures-asked-again-at-once", "REF-HUNT-13", nil, "A URL that has failed is asked again in the same attempt."},
		{"busy-hosts-passed-by", "REF-HUNT-14", nil, "A host without capacity is passed by until the next attempt."},
		{"look-alikes-left-out", "REF-HUNT-21", nil, "A URL whose path looks like those of the own service counts as the own service."},
		{"any-text-asked-for", "REF-HUNT-22", []string{"SEC-05", "SEC-02"}, "Hosts are asked for what is no object id."},
		{"users-make-urls", "REF-HUNT-23", nil, "A URL with a user is asked beside the same without."},
		{"slow-hosts-keep-their-places", "REF-HUNT-24", []string{"G02-GIT-09"}, "A request that took too long keeps its place for ever."},
		{"broken-hosts-asked-on", "REF-HUNT-25", nil, "A host without a certificate counts as one that was not reached."},
		{"schemes-taken-for-http", "SEC-02", []string{"REF-HUNT-23"}, "A URL of any scheme is asked over http."},
		{"refs-of-others-made", "SEC-05", []string{
			"G02-GIT-01", "G02-GIT-02", "G02-GIT-06", "G02-GIT-09",
		}, "What another host has sent becomes a branch."},
	}
}
