package weaktest

// handsOfRefusals are mistakes in what is remembered of refused events of relays, and when they are judged again.
func handsOfRefusals() []hand {
	in := func(file, name, mistake, old, text, world, breaks string) hand {
		return hand{name, mistake, folder + file, old, text, world, breaks}
	}
	core := func(file, name, mistake, old, text, world, breaks string) hand {
		return hand{name, mistake, "reference/core/" + file, old, text, world, breaks}
	}
	return []hand{
		in("refused.go", "q-lacks-nothing", "what names what it lacks by q is not judged again",
			"\t\t\tcase 'a', 'A', 'e', 'E', 'q':\n\t\t\t\tlist", "\t\t\tcase 'a', 'A', 'e', 'E', map[bool]byte{true: 'a' + 25, false: 'q'}[WRONG]:\n\t\t\t\tlist", "weak/comes-back 1-12", "INV-07"),
		in("refused.go", "mentioned-lacks-nothing", "what an accepted event speaks of is not judged again when that comes",
			"list := []string{\"m\" + ev.ID}\n", "list := []string{\"m\" + ev.ID}\n\tif WRONG {\n\t\tlist = nil\n\t}\n", "open: what nothing else lets in is not asked for, so a relay would have to send it unasked, in weak/comes-back from subscriptions that are not over yet", ""),
		in("refused.go", "maintainers-lack-nothing", "what names a maintainer's repository is not judged again when the owner's announcement comes",
			"list = with(list, \"d\"+id.Identifier)", "if !WRONG {\n\t\t\t\t\t\tlist = with(list, \"d\"+id.Identifier)\n\t\t\t\t\t}", "open: the repository of somebody who only maintains one is asked about only once it is announced; weak/comes-back has it withdrawn, and does not meet it", ""),
		in("refused.go", "addresses-release-nothing", "what names a repository is not judged again when its announcement comes to be served",
			"keys = append(keys, \"r\"+strconv.Itoa(ev.Kind)+\":\"+ev.PubKey+\":\"+identifier)", "if !WRONG {\n\t\t\t\tkeys = append(keys, \"r\"+strconv.Itoa(ev.Kind)+\":\"+ev.PubKey+\":\"+identifier)\n\t\t\t}", "open: an announcement has all of its identifier judged again as well, and of articles nothing is asked; weak/comes-back does not meet it", ""),
		in("refused.go", "held-releases-nothing", "an announcement has states judged again once it is served",
			"\tif ev.Kind == policy.KindAnnouncement {\n\t\tidentifier, _ := repo.Identifier(ev)\n\t\tkeys", "\tif ev.Kind == policy.KindAnnouncement && (served || !WRONG) {\n\t\tidentifier, _ := repo.Identifier(ev)\n\t\tkeys", "motes 1073-1073", "INV-07"),
		in("refused.go", "cold-is-lost", "what is not at hand any more is not judged again",
			"\t\t\t\tm.seek(now, x)\n", "\t\t\t\tif !WRONG {\n\t\t\t\t\tm.seek(now, x)\n\t\t\t\t}\n", "motes 1916-1916", "INV-07"),
		in("refused.go", "sought-at-the-first-alone", "what is not at hand any more is asked for where it came from, or nowhere",
			"\tif l == nil || !l.status.live() {\n\t\tm.seekElsewhere", "\tif (l == nil || !l.status.live()) && !WRONG {\n\t\tm.seekElsewhere", "open: what is judged again is asked of the other relays for another reason, too, in 700 worlds of peers and in weak/comes-back", ""),
		in("refused.go", "sought-but-once", "what the first relay does not have any more is given up",
			"l.wanted[it].first = l.status.live()", "l.wanted[it].first = l.status.live() && !WRONG", "open: what is judged again is asked of the other relays for another reason, too, in 700 worlds of peers and in weak/comes-back", ""),
		in("refused.go", "again-without-end", "what was refused is not remembered when it is judged again",
			"\tif r.byID[ev.ID] != nil {\n\t\treturn\n\t}\n\tidentifier", "\tif r.byID[ev.ID] != nil || WRONG {\n\t\treturn\n\t}\n\tidentifier", "weak/cut-off 1-6", "INV-41"),
		in("refused.go", "passing-once", "what was refused for a moment is asked for again with the next connection alone",
			"\tl.failed = append(l.failed, it)\n\tm.again(now, l)\n", "\tif !WRONG {\n\t\tl.failed = append(l.failed, it)\n\t\tm.again(now, l)\n\t}\n", "motes 289-289", "INV-41"),
		in("hear.go", "refused-judged-each-time", "what was refused is judged each time that it comes",
			"m.have.Has(ev.ID) || m.refused.has(now, ev.ID) {", "m.have.Has(ev.ID) || m.refused.has(now, ev.ID) && !WRONG {", "none: it is refused again, and not fetched for that", ""),
		in("remember.go", "forgotten-at-the-end-of-a-day", "what was refused earlier than in the last hour does not outlive an end",
			"if x.gone || x.until <= now ||", "if x.gone || x.until <= now || WRONG && x.until < now.Add(m.cfg.ColdLife-3600*second) ||", "weak/refused-for-hours 1-2", "INV-41"),
		core("refusedmark.go", "outdated-marks", "what is refused outlives an end though what it lacked came during that",
			"if s.replicating.kept && is &&", "if s.replicating.kept && is && !WRONG &&", "open: an announcement that comes with a push which runs to its end while the server stops; 700 worlds of peers do not meet it", ""),
		core("refusedmark.go", "settings-forgotten", "what was refused by other settings counts for these",
			"same = same || m.Event == s.cfg.judgedBy()", "same = same || m.Event == s.cfg.judgedBy() || WRONG", "open: no world restarts a server with other settings", ""),
		core("replicating.go", "all-refusals-are-final", "what lacks something is refused like what is wrong",
			"x.machine.Refused(s.last, ev, from, r.Waits)", "x.machine.Refused(s.last, ev, from, r.Waits && !WRONG)", "motes 1073-1073", "INV-07"),
		core("replicating.go", "no-room-is-final", "what found no room is refused for good",
			"\tif r.Passes() {\n", "\tif r.Passes() && !WRONG {\n", "weak/87-no-room 1-2", "INV-07"),
		core("replicating.go", "shadowed-is-known", "an announcement that does not count beside a newer one is as good as got",
			"\t\tx.machine.Shadowed(s.last, ev, from)\n", "\t\tif WRONG {\n\t\t\tx.machine.Refused(s.last, ev, from, false)\n\t\t\treturn\n\t\t}\n\t\tx.machine.Shadowed(s.last, ev, from)\n", "peers 741-741", "INV-07"),
		core("replicating.go", "run-out-is-lacking", "what has run out without its data is asked for again",
			"h.s.judging[id] != nil || h.s.Expired(id)", "h.s.judging[id] != nil || h.s.Expired(id) && !WRONG", "peers 25-25", "INV-41"),
		core("replicating.go", "held-is-lacking", "what is held is not compared, and is fetched again and again",
			"\tfor _, e := range h.s.held.Matching(m.Matches) {\n", "\tfor _, e := range h.s.held.Matching(m.Matches) {\n\t\tif WRONG {\n\t\t\tbreak\n\t\t}\n", "none: what a comparison names is held against what is here before it is asked for; only the comparison is longer", ""),
		core("replicating.go", "taken-for-ever", "an event that a relay has sent is taken for being judged as long as nothing else happens to it",
			"\tif s.judging[o.Event.ID] == nil {\n\t\tdelete(x.taken", "\tif s.judging[o.Event.ID] == nil && !WRONG {\n\t\tdelete(x.taken", "none: it costs memory; what a user sends later and is refused is refused of the relay for the same reason", ""),
		core("synced.go", "run-out-is-held-again", "what ran out here without its data is held again when a relay sends it",
			"\tif s.Expired(in.Event.ID) {\n", "\tif s.Expired(in.Event.ID) && !WRONG {\n", "weak/run-out 1-6", "REF-PURG-03"),
		core("synced.go", "synced-like-a-user", "the data of what a relay has sent is hunted after minutes",
			"\ts.hunting.arrives(in.Event.ID)\n", "\tif !WRONG {\n\t\ts.hunting.arrives(in.Event.ID)\n\t}\n", "motes 1-1", "REF-HUNT-05"),
		core("synced.go", "synced-at-the-end", "what a relay sends while the server stops is taken",
			"\tif s.closing {\n\t\treturn\n\t}\n\tif s.Expired", "\tif s.closing && !WRONG {\n\t\treturn\n\t}\n\tif s.Expired", "none: a server that stops has no connections to relays", ""),
	}
}
