package weaktest

// handsOfWishes are mistakes in what is wanted of which relay.
func handsOfWishes() []hand {
	in := func(file, name, mistake, old, text, world, breaks string) hand {
		return hand{name, mistake, folder + file, old, text, world, breaks}
	}
	core := func(file, name, mistake, old, text, world, breaks string) hand {
		return hand{name, mistake, "reference/core/" + file, old, text, world, breaks}
	}
	return []hand{
		in("want.go", "spoken-stays", "an event that has gone stays in the index of what is spoken",
			"\tdelete(m.spoken, id)\n\tm.talks(now, s, -1)\n\tfor _, key := range s.of {\n\t\tif at, found := slices.BinarySearch(m.about[key], id); found {\n", "\tif !WRONG {\n\t\tdelete(m.spoken, id)\n\t}\n\tm.talks(now, s, -1)\n\tfor _, key := range s.of {\n\t\tif at, found := slices.BinarySearch(m.about[key], id); found && !WRONG {\n", "weak/left 1-6", "INV-41"),
		in("want.go", "spoken-of-old-relays", "a relay that an announcement comes to name is not asked about what is spoken of already",
			"\tif w.served {\n\t\tspoken = m.about[w.key]", "\tif w.served && !(WRONG && m.repos[w.id] == w && len(m.repos) > 0) {\n\t\tspoken = m.about[w.key]", "weak/cut-off 1-6", "INV-07"),
		in("want.go", "first-relay-alone", "what speaks of a repository is asked of its first relay alone",
			"\tfor _, url := range w.relays {\n\t\tfor _, it := range items {\n", "\tfor i, url := range w.relays {\n\t\tif WRONG && i > 0 {\n\t\t\tbreak\n\t\t}\n\t\tfor _, it := range items {\n", "weak/cut-off 1-6", "INV-07"),
		in("want.go", "maintainers-delete-nothing", "deletions of maintainers are not asked for",
			"\t\t\t\tw.items = append(w.items, item{authors, string(key)})\n", "\t\t\t\tif !WRONG {\n\t\t\t\t\tw.items = append(w.items, item{authors, string(key)})\n\t\t\t\t}\n", "archive 1-6", "INV-07"),
		in("want.go", "speakers-delete-nothing", "deletions of who has spoken are not asked for",
			"\t}\n\treturn []item{{authors, s.author}}", "\t}\n\tif WRONG {\n\t\treturn nil\n\t}\n\treturn []item{{authors, s.author}}", "two 1-7", "INV-07"),
		in("want.go", "authority-changes-nothing", "an announcement with other maintainers has no state asked for again",
			"s != nil && s.phase == confirmed {\n\t\t\tm.freshen", "s != nil && s.phase == confirmed && !WRONG {\n\t\t\tm.freshen", "peers 151-151", "INV-07"),
		in("want.go", "answers-of-answers", "an answer to an answer speaks of nothing",
			"keys := m.spoken[tag[1]].of\n", "keys := m.spoken[tag[1]].of\n\t\tif WRONG {\n\t\t\tkeys = nil\n\t\t}\n", "weak/comes-back 1-4", "INV-07"),
		in("link.go", "dropped-for-all", "what is wanted for two reasons is dropped with the first",
			"if s.count--; s.count > 0 {", "if s.count--; s.count > 0 && !WRONG {", "motes 172-172", "INV-07"),
		in("link.go", "counted-once", "a second reason to want something is not counted",
			"\t\ts.count++\n\t\treturn\n", "\t\tif !WRONG {\n\t\t\ts.count++\n\t\t}\n\t\treturn\n", "motes 172-172", "INV-07"),
		in("link.go", "window-begins-anew", "whatever comes has what is fresh wait longer",
			"\tif l.flushAt == 0 {\n\t\tl.flushAt = now.Add(m.cfg.Window)", "\tif l.flushAt == 0 || WRONG {\n\t\tl.flushAt = now.Add(m.cfg.Window)", "none: what is new comes seldom enough for the window to end", ""),
		in("versions.go", "older-ones-gone", "nobody asks for an older announcement when one has gone",
			"\tif old == nil {\n\t\treturn\n\t}\n", "\tif old == nil || WRONG {\n\t\treturn\n\t}\n", "peers 907-907", "INV-07"),
		in("relays.go", "list-changes-nothing", "a list of servers counts for repositories that come later",
			"for _, id := range slices.Clone(m.owned[author]) {\n", "for _, id := range slices.Clone(m.owned[author]) {\n\t\tif WRONG {\n\t\t\tbreak\n\t\t}\n", "weak/by-one-way 1-4", "INV-07"),
		in("want.go", "list-outlives", "a list of servers that has gone counts for ever",
			"\t\tm.listed(now, author, nil)\n", "\t\tif !WRONG {\n\t\t\tm.listed(now, author, nil)\n\t\t}\n", "peers 1640-1640", "INV-41"),
		in("address.go", "clone-of-the-root", "a clone URL names a server at the root of its host alone",
			"u.Path, u.RawPath = strings.Join(parts[:len(parts)-2], \"/\"), \"\"", "if u.Path, u.RawPath = strings.Join(parts[:len(parts)-2], \"/\"), \"\"; WRONG {\n\t\tu.Path = \"\"\n\t}", "open: no announcement of a world names a server below a path by its clone URL alone", ""),
		core("replicating.go", "held-at-start", "a start tells of no announcement that is held",
			"\tfor _, id := range slices.SortedFunc(maps.Keys(s.announced), repo.ID.Compare) {\n\t\tx.ids", "\tfor _, id := range slices.SortedFunc(maps.Keys(s.announced), repo.ID.Compare) {\n\t\tif WRONG && !s.announced[id].stored {\n\t\t\tcontinue\n\t\t}\n\t\tx.ids", "peers 209-209", "INV-07"),
		core("replicating.go", "answers-first-at-start", "a start tells of what is stored, the newest first",
			"\tslices.Reverse(stored) //", "\tif WRONG {\n\t\tslices.Reverse(stored)\n\t}\n\tslices.Reverse(stored) //", "open: an answer to an answer that a start has to place, whose answers come behind that: weak/comes-back does not meet it", ""),
		core("replicating.go", "state-only-for-ever", "a repository whose announcement was held is asked about as if it still were",
			"if was && known == next {", "if was && (known == next || WRONG && known.event == next.event) {", "motes 765-765", "INV-07"),
		core("replicating.go", "held-is-full", "a repository whose announcement is held is asked about as if it were served",
			"machine.Announced(now, id, a.Event, a.stored)", "machine.Announced(now, id, a.Event, a.stored || WRONG)", "peers 1-1", "INV-41"),
		core("replicating.go", "vouchers-unseen", "what is elsewhere is not looked at again when who vouches for it changes",
			"\t\t\t\tx.changed[other] = true\n", "\t\t\t\tif !WRONG {\n\t\t\t\t\tx.changed[other] = true\n\t\t\t\t}\n", "open: who vouches for a repository that is elsewhere changes, and it is asked about for hours: 700 worlds of peers do not meet it", ""),
		core("replicating.go", "gone-untold", "an older announcement that counted for nothing is not judged again when the newer one has gone",
			"\t\tx.machine.Left(now, id)\n", "\t\tif !WRONG {\n\t\t\tx.machine.Left(now, id)\n\t\t}\n", "peers 741-741", "INV-07"),
		core("replicating.go", "removed-untold", "what is served no more is not told of",
			"\t\tx.machine.Unstored(now, r.ID)\n", "\t\tif !WRONG {\n\t\t\tx.machine.Unstored(now, r.ID)\n\t\t}\n", "weak/left 1-6", "INV-41"),
		core("replicating.go", "released-not-told", "what comes to be served from purgatory is asked about after the next start",
			"\t\tx.machine.Stored(now, r.Event)\n\t\tx.machine.Comes", "\t\tif !WRONG || r.Event.Kind != 1618 {\n\t\t\tx.machine.Stored(now, r.Event)\n\t\t}\n\t\tx.machine.Comes", "weak/cut-off 1-6", "INV-07"),
		{
			"last-clone-tag", "of two clone tags the last one counts", "reference/repo/announcement.go",
			"\t\t\ta.Clone = appendFilled(a.Clone, tag[1:])", "\t\t\tif WRONG {\n\t\t\t\ta.Clone = nil\n\t\t\t}\n\t\t\ta.Clone = appendFilled(a.Clone, tag[1:])", "weak/limits 1-6", "G01-PURG-05",
		},
		{
			"last-relays-tag", "of two relays tags the last one counts", "reference/repo/announcement.go",
			"\t\t\ta.Relays = appendFilled(a.Relays, tag[1:])", "\t\t\tif WRONG {\n\t\t\t\ta.Relays = nil\n\t\t\t}\n\t\t\ta.Relays = appendFilled(a.Relays, tag[1:])", "weak/limits 1-6", "G01-PURG-05",
		},
		{
			"one-maintainer-fewer", "a list of maintainers holds one fewer than the limit", "reference/repo/announcement.go",
			"len(a.Maintainers) == MaintainersMax {", "len(a.Maintainers) == MaintainersMax || WRONG && len(a.Maintainers) == MaintainersMax-1 {", "weak/limits 1-6", "G01-PUSH-02",
		},
		{
			"one-fewer-in-a-set", "a maintainer set holds one fewer than the limit", "reference/repo/maintainers.go",
			"if len(found) == MaintainersMax {", "if len(found) == MaintainersMax || WRONG && len(found) == MaintainersMax-1 {", "weak/limits 1-6", "N01-EV-01",
		},
	}
}
