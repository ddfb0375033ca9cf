package defect

import "github.com/graspkit/graspkit/reference/core"

// sourceDefects are mistakes of the core that show in a corner alone: behind a restart, in the second of another event, with a second
// repository, or for an announcement that lists this service nowhere.
func sourceDefects() []Defect {
	var all []Defect
	for _, name := range []string{
		"vouched-announcements-untold", "held-pulls-live-anew", "held-pulls-served-when-sent-again", "served-updates-forgotten-at-a-start",
		"held-updates-go-with-their-pull-request",
		"references-to-deleted-repositories-taken", "relays-of-vouched-announcements-unheard", "clone-urls-of-maintainers-unasked",
		"later-states-unfetched", "first-clone-url-alone-asked", "tags-unfetched", "listed-later-without-a-room",
		"pulls-of-two-repositories-freed-in-one", "lower-ids-come-too-late",
		"maintainers-renewed-by-their-number", "vanishing-takes-younger-that-waits", "latest-mention-alone-counts",
		"later-states-of-maintainers-forgotten-at-a-start", "vanishing-spares-what-waits-of-its-second",
	} {
		all = append(all, inSource(name))
	}
	for _, name := range []string{"places-anew-at-a-start", "pulls-at-places-forgotten-at-a-start"} {
		d := inSource(name)
		planted := d.Config
		d.Config = func(c *core.Config) { c.Contributions.On = true; planted(c) }
		all = append(all, d)
	}
	return all
}

// coreEdits are the places of these mistakes.
func coreEdits(before, after func(file, line, insert string) Edit, mistake func(name, does string) string) []Edit {
	const (
		start    = "reference/core/start.go"
		deletion = "reference/core/deletion.go"
		hunted   = "reference/core/huntneed.go"
		next     = "{\ncontinue\n}"
	)
	return []Edit{
		after("reference/core/promotion.go", "if !entry.Vouched {\n\t\ts.restored(now, entry.Announcement.ID, out)\n\t}",
			mistake("vouched-announcements-untold", "if entry.Vouched {\nreturn true\n}")),
		before("reference/core/event.go", "s.duplicate(conns, ev, textHeldAlready, out)",
			mistake("held-pulls-live-anew", "if entry.PullRequest != nil {\ns.extend(now, entry, out)\n}")+
				mistake("held-pulls-served-when-sent-again", "if entry.PullRequest != nil {\ns.held.Drop(entry)\ns.saveHeld(ev, out)\n"+
					"s.pulls.add(entry.PullRequest)\ns.broadcast(ev, out)\ns.duplicate(conns, ev, textStoredAlready, out)\nreturn\n}")),
		before("reference/core/announcement.go", "if !known || old.Event.ID != a.Event.ID {",
			"if known && len(old.Maintainers) == len(a.Maintainers) {\n"+mistake("maintainers-renewed-by-their-number", "old.Maintainers = a.Maintainers")+"}\n"),
		after("reference/core/view.go", "limit := MentionsMax", "s := v.s\n"+mistake("latest-mention-alone-counts", "limit = 1")),
		before("reference/core/vanish.go", "if entry.Event.CreatedAt <= ev.CreatedAt && s.held.Get(entry.Event.ID) == entry {",
			mistake("vanishing-takes-younger-that-waits", "if s.held.Get(entry.Event.ID) == entry {\ns.deleteHeld(now, entry, out)\n}\ncontinue")),
		before(start, "s.startPictures(now, in.Repositories)",
			mistake("later-states-of-maintainers-forgotten-at-a-start", "for id, state := range s.states {\nfor _, m := range s.announced[id].Maintainers {\n"+
				"other := repo.ID{Owner: m, Identifier: id.Identifier}\n"+
				"if later := s.states[other]; later != nil && later.Event.CreatedAt > state.Event.CreatedAt {\ndelete(s.states, other)\n}\n}\n}")),
		before(start, "if pr, reason := s.parsePullRequest(ev); reason == \"\" {",
			mistake("served-updates-forgotten-at-a-start", "if ev.Kind == policy.KindPullRequestUpdate "+next)+
				mistake("pulls-at-places-forgotten-at-a-start", "if pr, reason := repo.ParsePullRequest(ev); reason == \"\" {\ns.pulls.add(&pr)\n}\ncontinue")),
		after(start, "r := s.repositories[m.Repo]\n\t\tif r == nil {\n\t\t\treturn false\n\t\t}\n\t\toid := r.at(repo.PullRequestPrefix + m.Event)",
			mistake("places-anew-at-a-start", "if m.Repo.IsContribution() {\nreturn false\n}")),
		after(deletion, "if entry := s.held.Get(id); entry != nil && entry.Event.PubKey == signer {",
			mistake("held-updates-go-with-their-pull-request", "if pr := entry.PullRequest; pr != nil && len(pr.Repos) > 0 {\n"+
				"for _, e := range slices.Clone(s.held.PullRequests(pr.Repos[0].Identifier)) {\n"+
				"if e.Event.PubKey == signer && e.Event.Tags.FindWithValue(\"E\", id) != nil {\ns.deleteHeld(now, e, out)\n}\n}\n}")),
		before(deletion, "for _, named := range pr.Repos {\n\t\tfor _, owner := range s.owners[named.Identifier] {",
			mistake("pulls-of-two-repositories-freed-in-one", "one := *pr\none.Repos = one.Repos[:min(1, len(one.Repos))]\npr = &one")),
		before("reference/core/view.go", "return v.s.store.Latest(kind, author, identifier)",
			"if s := v.s; kind == policy.KindAnnouncement && s.store.Latest(kind, author, identifier) == nil {\n"+
				mistake("references-to-deleted-repositories-taken",
					"return s.deletedVersions[slot{kind, repo.ID{Owner: repo.PubKey(author), Identifier: identifier}}]")+"}\n"),
		before("reference/core/replicating.go", "if was && known == next {", mistake("relays-of-vouched-announcements-unheard", "next.idle = a.vouched")),
		before(hunted, "seen := map[repo.PubKey]bool{}\n\tfor _, owner := range owners {",
			mistake("clone-urls-of-maintainers-unasked", "owners = []repo.PubKey{id.Owner}")),
		before(hunted, "lacks, looked := s.hunting.lacks[id][entry.Event.ID]",
			mistake("later-states-unfetched", "if entry.State != nil && len(r.refs) > 0 "+next)),
		after(hunted, "list = append(list, tag[1:]...)", mistake("first-clone-url-alone-asked", "list = list[:1]")),
		after(hunted, "for _, ref := range entry.State.Refs {\n\t\t\tif !l.has(ref.OID) {", mistake("tags-unfetched", "if len(ref.Name) > 10 && ref.Name[:10] == \"refs/tags/\" "+next)),
		before("reference/core/announcement.go", "if hosted {\n\t\ts.host(now, a.ID, out)\n\t}\n\tif withdrawn {", mistake("listed-later-without-a-room", "hosted = false")),
		before("reference/core/state.go", "return kept != nil && !repo.Newer(state.Event, kept.Event)",
			mistake("lower-ids-come-too-late", "return kept != nil && state.Event.CreatedAt <= kept.Event.CreatedAt")),
		before("reference/core/vanish.go", "if entry.Event.CreatedAt <= ev.CreatedAt && s.held.Get(entry.Event.ID) == entry {",
			mistake("vanishing-spares-what-waits-of-its-second", "if entry.Event.CreatedAt == ev.CreatedAt "+next)),
	}
}
