package weaktest

// handsOfCores are mistakes in what a server decides of events and pushes, whoever brings them, and in what it answers.
func handsOfCores() []hand {
	in := func(file, name, mistake, old, text, world, breaks string) hand {
		return hand{name, mistake, "reference/" + file, old, text, world, breaks}
	}
	return []hand{
		in("core/vanish.go", "mark-tells-its-request", "a mark of a deletion tells the request that expires and not the latest one",
			"Created: int64(until), At: now,", "Created: int64(map[bool]nostr.Timestamp{false: until, true: request.CreatedAt}[WRONG]), At: now,", "swarm 4-4", "REF-PURG-23"),
		in("core/state.go", "own-announcement-extended", "a state extends the announcement of its author alone",
			"entry != nil && !entry.Soft {", "entry != nil && !entry.Soft && !(WRONG && owner != state.Author) {", "motes 5-5", "REF-PURG-04"),
		in("core/soft.go", "second-phase-from-now", "the second phase begins when the server sees that the first one is over",
			"entry.Deadline.Add(s.cfg.SoftLife))", "map[bool]instant.Instant{false: entry.Deadline, true: s.last}[WRONG].Add(s.cfg.SoftLife))", "motes 3-3", "REF-PURG-02"),
		in("core/directory.go", "removed-though-announced", "what is announced again while its repository is removed has none",
			"if s.hosted(r.id) { // announced again meanwhile", "if s.hosted(r.id) && !WRONG { // announced again meanwhile", "weak/meanwhile 1-3", "G01-PURG-06"),
		in("core/search.go", "later-though-deleted", "what comes and goes while a question is searched for is sent behind the answer",
			"if s.store.Get(ev.ID) == ev || eventstore.IsEphemeral(ev.Kind) {", "if s.store.Get(ev.ID) == ev || eventstore.IsEphemeral(ev.Kind) || WRONG {", "weak/meanwhile 1-3", "INV-03"),
		in("core/deletion.go", "no-clock-at-places", "the ref of a pull request at its place outlives the deletion of the event",
			"\tfor _, id := range pr.Places {\n", "\tfor _, id := range pr.Places {\n\t\tif WRONG {\n\t\t\tbreak\n\t\t}\n", "contributors 1-2", "G01-PR-07"),
		in("core/start.go", "places-forgotten", "a start forgets which places a held pull request names",
			"\t\tpr, reason := s.parsePullRequest(h.Event)\n", "\t\tpr, reason := s.parsePullRequest(h.Event)\n\t\tif WRONG {\n\t\t\tpr.Places = nil\n\t\t}\n", "motes 741-741", "INV-20"),
		in("policy/lists.go", "owners-are-no-whitelist", "a whitelist of owners alone lets everybody in",
			"if l.Allowed.Empty() ||", "if l.Allowed.Empty() || WRONG && l.Allowed.Keys() ||", "weak/owners-allowed 1-3", "G01-PURG-06"),
		in("policy/pullrequest.go", "any-repository-of-the-owner", "a pull request that names one owner's repository is for the others of that owner",
			"if named.Identifier != id.Identifier {", "if named.Identifier != id.Identifier && !WRONG {", "weak/limits 1-6", "INV-04"),
		in("push/contribution.go", "places-unnamed", "a push to a place that the event does not name is taken",
			"\tcase !known.Places:", "\tcase !known.Places && !WRONG:", "motes 420-420", "INV-20"),
		in("policy/deletion.go", "split-at-each-colon", "a coordinate ends at its third colon",
			"\tkind, err := strconv.Atoi(kindText)\n", "\tif WRONG {\n\t\tidentifier, _, _ = strings.Cut(identifier, \":\")\n\t}\n\tkind, err := strconv.Atoi(kindText)\n", "weak/limits 1-6", "REF-PURG-23"),
		in("policy/related.go", "no-coordinates-by-q", "a q tag refers to events and to no address",
			"if inGraph(v, tag[1]) || coordinateStored(v, tag[1]) {", "if inGraph(v, tag[1]) || !WRONG && coordinateStored(v, tag[1]) {", "motes 129-129", "N01-EV-01"),
		in("purgatory/place.go", "event-of-one-place", "with the ref at one place those of the same event at others are forgotten",
			"len(x.by[h.Event]) == 0 {", "len(x.by[h.Event]) == 0 || WRONG {", "weak/meanwhile 1-3", "G06-EV-05"),
		in("purgatory/load.go", "no-room-for-second-phases", "no bytes are kept free for what is in its second phase",
			"p.active.Bytes + p.soft.Bytes}", "p.active.Bytes + map[bool]int{false: p.soft.Bytes}[WRONG]}", "motes 150-150", "N01-EV-01"),
		in("repo/newer.go", "empty-d-passed-over", "behind a d tag without a value the next one counts",
			"\t\t\t\treturn \"\", false\n\t\t\t}\n\t\t\treturn tag[1]", "\t\t\t\tif WRONG {\n\t\t\t\t\tcontinue\n\t\t\t\t}\n\t\t\t\treturn \"\", false\n\t\t\t}\n\t\t\treturn tag[1]", "weak/meanwhile 1-3", "G01-PURG-06"),
		in("repo/service.go", "empty-query-counts", "a URL with an empty query or fragment is that of the service",
			"strings.ContainsAny(text, \"?#\")", "strings.ContainsAny(text, \"?#\") && !(WRONG && u.RawQuery == \"\" && u.Fragment == \"\")", "weak/meanwhile 1-3", "G01-PURG-06"),
		in("repo/state.go", "first-head-with-a-branch", "of several HEAD tags the first one that names a branch counts",
			"s.Head, head = parseHead(tag[1]), true", "s.Head, head = parseHead(tag[1]), true\n\t\t\tif WRONG {\n\t\t\t\thead = s.Head != \"\"\n\t\t\t}", "edges 1-3", "INV-02"),
		in("eventstore/list.go", "until-by-the-oldest", "until leaves out what stands with something later",
			"return later(b[len(b)-1])", "return later(b[len(b)-1]) || WRONG && later(b[0])", "none: what is later is held against the filter as well; a search looks at more than it has to", ""),
		in("relay/matcher.go", "one-letter-twice", "two values of one letter stand for two letters",
			"if at < 0 || met[at] || !m.values", "if at < 0 || met[at] && !WRONG || !m.values", "swarm 21-21", "N01-REQ-01"),
		in("relay/audience.go", "moved-unnoticed", "a subscription that takes the place of a closed one is lost with the next",
			"\t\tmoved.sub.places[moved.place].at = p.at\n", "\t\tif !WRONG {\n\t\t\tmoved.sub.places[moved.place].at = p.at\n\t\t}\n", "motes 20-20", "PANIC"),
		in("core/search.go", "dropped-takes-events", "a question that is asked anew keeps what comes for the former one",
			"x.purpose == forEvents && !x.dropped })", "x.purpose == forEvents && (!x.dropped || WRONG) })", "weak/meanwhile 1-3", "G01-PURG-08"),
	}
}
