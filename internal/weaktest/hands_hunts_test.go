package weaktest

// handsOfHunts are mistakes in what is hunted, and in what places for contributions and stores have room for.
func handsOfHunts() []hand {
	return []hand{
		{
			"later-pause-shortens", "a host that asks to be let alone is asked sooner once it names a shorter time", "reference/hunt/host.go",
			"\tx.paused = max(x.paused, now.Add(min(wait, PauseMax)))",
			"\tif WRONG {\n\t\tx.paused = now.Add(min(wait, PauseMax))\n\t\treturn\n\t}\n\tx.paused = max(x.paused, now.Add(min(wait, PauseMax)))",
			"hunts 29-29", "REF-HUNT-09",
		},
		{
			"refused-unsorted", "what a source has refused by name is looked up in a list that is not sorted", "reference/hunt/fetch.go",
			"\t\tslices.Sort(s.refused)\n",
			"\t\tif !WRONG {\n\t\t\tslices.Sort(s.refused)\n\t\t}\n",
			"hunts 27-27", "REF-HUNT-05",
		},
		{
			"later-news-wins", "of two events that come during an attempt the later one says when the next begins", "reference/hunt/want.go",
			"if !e.rearmed || at < e.again {",
			"if !e.rearmed || (at < e.again) != WRONG {",
			"hunts 202-202", "REF-HUNT-05",
		},
		{
			"ended-for-one-object", "a request is ended as soon as one of what it asks for has come by another way", "reference/hunt/want.go",
			"len(without(s.open.OIDs, n.oids)) == len(s.open.OIDs)",
			"(len(without(s.open.OIDs, n.oids)) == len(s.open.OIDs) || WRONG && len(without(s.open.OIDs, n.oids)) > 0)",
			"hunts 20-20", "REF-HUNT-26",
		},
		{
			"places-never-fewer", "a ref at a place whose event has come counts as one that waits", "reference/purgatory/place.go",
			"\tx.all--\n",
			"\tif !WRONG {\n\t\tx.all--\n\t}\n",
			"motes 485-485", "G06-PUSH-01",
		},
		{
			"nothing-deleted", "a place takes the deletion of a ref that is not there", "reference/push/contribution.go",
			"if command.New.IsZero() && !found {",
			"if command.New.IsZero() && !found && !WRONG {",
			"motes 719-719", "INV-20",
		},
		{
			"place-of-the-first", "a pull request names a place by the identifier of its first a tag alone", "reference/repo/contribution.go",
			"if ok && slices.ContainsFunc(pr.Repos, named)",
			"if ok && slices.ContainsFunc(pr.Repos, named) && !(WRONG && !named(pr.Repos[0]))",
			"motes 59-59", "INV-20",
		},
		{
			"replaced-weighs-on", "what an event takes the place of counts as if it stayed", "reference/eventstore/bytes.go",
			"\t\tafter -= repo.Size(old)",
			"\t\tif !WRONG {\n\t\t\tafter -= repo.Size(old)\n\t\t}",
			"motes 97-97", "N01-EV-01",
		},
		{
			"next-expiration", "an expiration that is no number is passed over for the next one", "reference/eventstore/expiry.go",
			"\t\tat, err := strconv.ParseUint(tag[1], 10, 63)\n",
			"\t\tat, err := strconv.ParseUint(tag[1], 10, 63)\n\t\tif WRONG && err != nil {\n\t\t\tcontinue\n\t\t}\n",
			"motes 84-84", "N01-EV-01",
		},
		{
			"forgotten-refusals-compared", "what was refused and is to be asked for again counts as there when a relay is compared with", "reference/replicate/refused.go",
			"if x.gone || now >= x.until {\n\t\t\tcontinue",
			"if x.gone && !WRONG || now >= x.until {\n\t\t\tcontinue",
			"peers 151-151", "INV-07",
		},
		{
			"listed-anew", "a host that is listed as broken is listed anew by a request that ends later", "reference/hunt/host.go",
			"\tif x.broken > now {\n\t\treturn // from",
			"\tif x.broken > now && !WRONG {\n\t\treturn // from",
			"hunts 93-93", "REF-HUNT-14",
		},
	}
}
