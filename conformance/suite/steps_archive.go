package suite

// archiveSteps speak of repositories that do not list the target, and that it keeps or does not (GRASP-05).
func archiveSteps() []step {
	const at = `(the git hosts?(?:(?:,| and)? "[a-z]+")*)`
	announced := func(w *world, a []string) outcome {
		with := w.kept(w.run.keeps().at(), a[2], false)
		if a[1] != "" {
			with["maintainers"] = w.pubkeys(a[1])
		}
		return w.announceKept(a[0], with)
	}
	return []step{
		{
			text: `the {actor} announces the repository in the archive's scope(?:, naming {actors})?(?:, which is at ` + at + `)?`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "announces what the archive keeps, and does not list it: by a service that the document names, by any if it says that all is kept, and else by the first key of the tester",
			run: func(w *world, a []string, _ [][]string) outcome { return announced(w, a) },
		},
		{
			text: `the {actor} announced the repository in the archive's scope(?:, naming {actors})?(?:, which is at ` + at + `)?`,
			role: setUp, sees: answers, cost: cost{events: 1},
			doc: "the same, and it was accepted",
			run: func(w *world, a []string, _ [][]string) outcome { return announced(w, a).then(w.keptAccepted) },
		},
		{
			text: `the owner's archived repository, which is at ` + at + `( and on the other relay)?, is served with:`,
			role: setUp, sees: servedEvents, within: fetchedWithin, cost: cost{events: 2}, needs: []string{"reachback"},
			doc: "an announcement in the archive's scope and a state were accepted, and are served once the data has come from the host",
			run: func(w *world, a []string, table [][]string) outcome {
				return w.announceKept(archivedName, w.kept(w.run.keeps().at(), a[0], a[1] != "")).then(w.keptAccepted).then(func() outcome {
					return w.fillKept(table)
				})
			},
		},
		{
			text: `somebody announces the repository beside the archive's scope`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "announces what is not kept, and does not list the archive: the owner by another service, or where the tester's key says what is kept the stranger; where all is, the check is not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.announceBeside() },
		},
		{
			text: `somebody announces the repository beside the archive's scope, by {any}`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "the same by a URL that is not that of the service that is kept, and has its text in it; where no service is kept the check is not applicable",
			run: func(w *world, a []string, _ [][]string) outcome { return w.announceAlike(a[0]) },
		},
		{
			text: `the archive keeps what its document says`,
			role: assertion, sees: answers,
			doc: "the announcement in the scope is accepted",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.keepsAsSaid() },
		},
		{
			text: `the archive refuses it`,
			role: assertion, sees: answers, refuses: true,
			doc: "the answer is OK false; nobody looks behind a barrier, for an archive may take nothing that could be one",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.eventRefused() },
		},
		{
			text: `the same announcement in the archive's scope is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "the announcement of the check, by what is kept, is accepted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.announceKept(archivedName, w.kept(w.run.keeps().at(), "", false)).then(w.keptAccepted)
			},
		},
		{
			text: `the {actor} sends (a patch|a comment) on the archived repository`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an event that names the owner's repository by a",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.elsewhereAnswer(a[0], kindOf(a[1]), "owner's repository", "a")
				w.remember("event", "", ev)
				return w.publish(ev)
			},
		},
		{
			text: `the {actor} sends an issue on (the archived repository|the stranger's repository that nobody announced)`,
			role: act, sees: answers, cost: cost{events: 1},
			doc: "publishes an issue on the owner's repository, or on one that is nowhere; neither needs a repository that checks share",
			run: func(w *world, a []string, _ [][]string) outcome {
				ev := w.elsewhereIssue(a[0], w.tick(), "an issue")
				if a[1] != "the archived repository" {
					ev = w.issueOn("stranger", a[0])
				}
				return w.publish(ev)
			},
		},
		{
			text: `the same issue naming the archived repository is accepted`,
			role: twin, sees: answers, cost: cost{events: 1},
			doc: "an issue that differs in the repository that it names is accepted",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.publish(w.elsewhereIssue("contributor", w.tick(), "kept")).then(w.accepted)
			},
		},
		{
			text: `the git host also has:`,
			role: setUp, sees: hostsAsked, needs: []string{"reachback"},
			doc: "the host has the refs of the table from now on",
			run: func(w *world, _ []string, table [][]string) outcome {
				w.put("", table)
				return outcome{}
			},
		},
		{
			text: `the document says that the archive is only read`,
			role: setUp, sees: pages,
			doc: "curation or repo_acceptance_criteria says so; where neither does the check is not applicable",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.saysOnlyRead() },
		},
		{
			text: `the archive takes no push`,
			role: assertion, sees: reports, refuses: true,
			doc: "the push is refused, and no ref moved",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.refused() },
		},
		{
			text: `the same refs come to the repository from the git host within an hour`,
			role: twin, sees: advertised, within: fetchedWithin, needs: []string{"reachback"},
			doc: "the host gets what was pushed, and the refs come to be there",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.comeFromHost() },
		},
		{
			text: `the same refs come to the repository from the git host once a state names them`,
			role: twin, sees: advertised, within: fetchedWithin, cost: cost{events: 1}, needs: []string{"reachback"},
			doc: "the owner publishes a state of what was pushed, the host gets it, and the refs come to be there",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.publishState(archivedName, "", w.tick(), w.git.pushed.rows).then(w.accepted).then(w.comeFromHost)
			},
		},
		{
			text: `curation says so if the archive takes neither this push nor what lists it`,
			role: assertion, sees: answers, cost: cost{events: 1}, // the refusals are what the document is held against
			doc: "an archive that refuses a push that a state has signed, and an announcement that lists it, has text under curation",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.toldOnlyRead() },
		},
		{
			text: `it is recorded how the archive says what it keeps`,
			role: record, sees: pages,
			doc: "notes curation and repo_acceptance_criteria, and how they were read",
			run: func(w *world, _ []string, _ [][]string) outcome {
				w.recordWords()
				return outcome{}
			},
		},
		{
			text: `it is recorded whether the maintainer may announce the repository beside the archive's scope`,
			role: record, sees: answers, cost: cost{events: 1},
			doc: "notes the answer to an announcement of who is named as maintainer",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.recordKept("a maintainer beside the scope", announcing{actor: "maintainer", with: w.kept([]string{otherService}, "", false)})
			},
		},
		{
			text: `it is recorded whether the stranger may announce the repository listing this service`,
			role: record, sees: answers, cost: cost{events: 1},
			doc: "notes the answer to an announcement that lists the archive and is beside its scope",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.recordKept("what lists the archive", announcing{actor: "stranger"})
			},
		},
		{
			text: `it is recorded whether the archive took the push`,
			role: record, sees: reports,
			doc: "notes the answer to the push",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.recordKeptPush() },
		},
	}
}
