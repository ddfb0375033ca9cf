package explore

import "slices"

// Families lists what comes with the program. Each is small enough to be looked at whole, but for the last one.
func Families() []Family {
	return slices.Concat(families(), deletions(), lives(), siblings(), syncing(), []Family{everything()})
}

// families are about repositories that are announced, declared and pushed.
func families() []Family {
	return []Family{
		{
			Name:    "first-push",
			About:   "a repository is announced, declared and pushed, by three clients at a time",
			Crashes: 3, Lost: 1, Broken: 1, Same: true,
			Script: func(s *Script) {
				s.Actor("owner", Publish(s.Announcement("owner", 1)))
				s.Actor("owner's second client", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
			},
		},
		{
			Name:    "two-maintainers",
			About:   "two maintainers declare and push different things at a time",
			Crashes: 2, Lost: 1, Same: true,
			Script: func(s *Script) {
				s.Actor("owner", Publish(s.Announcement("owner", 1, "maintainer")))
				s.Actor("owner's second client", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("maintainer", Publish(s.State("maintainer", 3, s.Branch("main", "B"), s.Branch("dev", "C"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("maintainer's git", Push(s.Repository("owner"), s.Branch("main", "B"), s.Branch("dev", "C")))
			},
		},
		{
			Name:    "one-second",
			About:   "two maintainers declare different things in one second, and both push",
			Crashes: 2, Same: true,
			Script: func(s *Script) {
				s.Before(Publish(s.Announcement("owner", 1, "maintainer")))
				s.Actor("owner", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("maintainer", Publish(s.State("maintainer", 2, s.Branch("main", "B"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("maintainer's git", Push(s.Repository("owner"), s.Branch("main", "B")))
			},
		},
		{
			Name:    "second-push",
			About:   "a served repository gets two newer states and their pushes, of which one goes back",
			Crashes: 2, Lost: 1, Broken: 1, Same: true,
			Script: func(s *Script) {
				s.served()
				s.Actor("owner", Publish(s.State("owner", 3, s.Branch("main", "B"), s.Branch("dev", "A"))))
				s.Actor("owner's second client", Publish(s.State("owner", 4, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "B"), s.Branch("dev", "A")))
				s.Actor("owner's second git", Push(s.Repository("owner"), s.Branch("main", "A"), s.Gone("dev")))
			},
		},
		{
			Name:    "pull-request",
			About:   "a pull request comes before, beside and behind its push, and somebody pushes another commit to its ref",
			Crashes: 2, Lost: 1, Same: true,
			Script: func(s *Script) {
				s.served()
				pr := s.PullRequest("contributor", 3, "owner", "P")
				s.Actor("contributor", Publish(pr))
				s.Actor("contributor's git", Push(s.Repository("owner"), s.PullRef(pr, "P")))
				s.Actor("somebody's git", Push(s.Repository("owner"), s.PullRef(pr, "X")))
			},
		},
		{
			Name:    "pull-request-early",
			About:   "a pull request and its push come while the repository is still announced, declared and pushed",
			Crashes: 2, Same: true,
			Script: func(s *Script) {
				pr := s.PullRequest("contributor", 3, "owner", "P")
				s.Before(Publish(s.Announcement("owner", 1)))
				s.Actor("owner", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("contributor", Publish(pr))
				s.Actor("contributor's git", Push(s.Repository("owner"), s.PullRef(pr, "P")))
			},
		},
		{
			Name:    "stale-push",
			About:   "a push is overtaken by a newer state while its pack is under way, beside a pull request and its push",
			Crashes: 2, Same: true,
			Script: func(s *Script) {
				s.served()
				pr := s.PullRequest("contributor", 5, "owner", "P")
				s.Before(Publish(s.State("owner", 3, s.Branch("main", "B"))))
				s.Actor("owner", Publish(s.State("owner", 4, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "B")))
				s.Actor("contributor", Publish(pr))
				s.Actor("contributor's git", Push(s.Repository("owner"), s.PullRef(pr, "P")))
			},
		},
		{
			Name:    "new-announcement",
			About:   "an announcement is replaced by one with another maintainer, beside the state and the push of that one",
			Crashes: 2, Same: true,
			Script: func(s *Script) {
				s.Before(Publish(s.Announcement("owner", 1)))
				s.Actor("owner", Publish(s.Announcement("owner", 3, "maintainer")))
				s.Actor("owner's second client", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("maintainer", Publish(s.State("maintainer", 4, s.Branch("main", "B"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("maintainer's git", Push(s.Repository("owner"), s.Branch("main", "B")))
			},
		},
	}
}

// served has a repository announced, declared and pushed before anything else: main is at A.
func (s *Script) served() {
	s.Before(
		Publish(s.Announcement("owner", 1)),
		Publish(s.State("owner", 2, s.Branch("main", "A"))),
		Push(s.Repository("owner"), s.Branch("main", "A")),
	)
}

// everything is all of it at a time, which is too much to be looked at whole.
func everything() Family {
	return Family{
		Name:    "everything",
		About:   "two maintainers declare and push, a pull request comes with its push, the announcement is deleted, time passes",
		Crashes: 1,
		Script: func(s *Script) {
			announcement, pr := s.Announcement("owner", 1, "maintainer"), s.PullRequest("contributor", 4, "owner", "P")
			s.Actor("owner", Publish(announcement), Publish(s.Deletion("owner", 5, announcement)))
			s.Actor("owner's second client", Publish(s.State("owner", 2, s.Branch("main", "A"))))
			s.Actor("maintainer", Publish(s.State("maintainer", 3, s.Branch("main", "B"), s.Branch("dev", "C"))))
			s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
			s.Actor("maintainer's git", Push(s.Repository("owner"), s.Branch("main", "B"), s.Branch("dev", "C")))
			s.Actor("contributor", Publish(pr))
			s.Actor("contributor's git", Push(s.Repository("owner"), s.PullRef(pr, "P")))
			s.Actor("time", Tick())
		},
	}
}
