package explore

import "time"

const tenMinutes = 10 * time.Minute

// deletions are about what goes: events that are deleted, and repositories that leave.
func deletions() []Family {
	return []Family{
		{
			Name:    "delete-waiting",
			About:   "an announcement that waits for git data is deleted beside the state and the push that it waits for",
			Crashes: 2, Lost: 1,
			Script: func(s *Script) {
				announcement := s.Announcement("owner", 1)
				s.Actor("owner", Publish(announcement), Publish(s.Deletion("owner", 3, announcement)).AtOnce())
				s.Actor("owner's second client", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
			},
		},
		{
			Name:    "delete-served",
			About:   "a served announcement is deleted and made anew, beside a new state and its push",
			Crashes: 2,
			Script: func(s *Script) {
				announcement := s.Announcement("owner", 1)
				s.Before(
					Publish(announcement), Publish(s.State("owner", 2, s.Branch("main", "A"))),
					Push(s.Repository("owner"), s.Branch("main", "A")),
				)
				s.Actor("owner", Publish(s.Deletion("owner", 5, announcement)), Publish(s.Announcement("owner", 6)))
				s.Actor("owner's second client", Publish(s.State("owner", 4, s.Branch("main", "B"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "B")))
			},
		},
		{
			Name:    "delete-state",
			About:   "a state is deleted beside the push that it declares, and an older one is there",
			Crashes: 2,
			Script: func(s *Script) {
				s.served()
				state := s.State("owner", 3, s.Branch("main", "B"))
				s.Actor("owner", Publish(state), Publish(s.Deletion("owner", 4, state)).AtOnce())
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "B")))
				s.Actor("owner's second git", Push(s.Repository("owner"), s.Branch("main", "A")))
			},
		},
		{
			Name:    "delete-pull-request",
			About:   "a pull request is deleted beside its push, and sent again",
			Crashes: 2,
			Script: func(s *Script) {
				s.served()
				pr := s.PullRequest("contributor", 3, "owner", "P")
				s.Actor("contributor", Publish(pr), Publish(s.Deletion("contributor", 4, pr)).AtOnce())
				s.Actor("contributor's git", Push(s.Repository("owner"), s.PullRef(pr, "P")))
				s.Actor("somebody", Publish(pr))
			},
		},
		{
			Name:    "withdraw",
			About:   "a served repository leaves for another service and comes back, beside a new state and its push",
			Crashes: 2,
			Script: func(s *Script) {
				s.served()
				s.Actor("owner", Publish(s.Withdrawal("owner", 4)), Publish(s.Announcement("owner", 5)))
				s.Actor("owner's second client", Publish(s.State("owner", 3, s.Branch("main", "B"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "B")))
			},
		},
	}
}

// lives are about time, orderly ends and crashes.
func lives() []Family {
	return []Family{
		{
			Name:    "deadline",
			About:   "the time of an announcement and its state runs out beside the push that they wait for",
			Crashes: 2, Lost: 1,
			Script: func(s *Script) {
				s.Actor("owner", Publish(s.Announcement("owner", 1)), Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("time", Pass(tenMinutes), Tick(), Tick())
			},
		},
		{
			Name:    "second-phase",
			About:   "an announcement has lost its repository; a state revives it, is pushed, and time goes on",
			Crashes: 2,
			Script: func(s *Script) {
				s.Before(Publish(s.Announcement("owner", 1)), Tick())
				s.Actor("owner", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("time", Tick(), Tick())
			},
		},
		{
			Name:    "second-announcement",
			About:   "an announcement has lost its repository; beside the state that revives it a newer one comes",
			Crashes: 1,
			Script: func(s *Script) {
				s.Before(Publish(s.Announcement("owner", 1)), Tick())
				s.Actor("owner", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's second client", Publish(s.Announcement("owner", 3)))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("time", Tick(), Tick())
			},
		},
		{
			Name:    "pull-request-expires",
			About:   "the time of a pull request and of a ref without one runs out beside what they wait for",
			Crashes: 2,
			Script: func(s *Script) {
				s.served()
				pr := s.PullRequest("contributor", 3, "owner", "P")
				s.Actor("contributor", Publish(pr))
				s.Actor("contributor's git", Push(s.Repository("owner"), s.PullRef(pr, "P")))
				s.Actor("time", Tick(), Tick())
			},
		},
		{
			Name:    "restart",
			About:   "the server ends in order and starts again, and crashes at any point of that, beside a first push",
			Crashes: 2, Lost: 1,
			Script: func(s *Script) {
				s.Actor("owner", Publish(s.Announcement("owner", 1)))
				s.Actor("owner's second client", Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("operator", Restart(), Restart())
			},
		},
		{
			Name:    "outage",
			About:   "the server crashes beside a first push and is down until the next deadline has come",
			Crashes: 2,
			Script: func(s *Script) {
				s.Actor("owner", Publish(s.Announcement("owner", 1)), Publish(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("operator", Outage(), Outage())
			},
		},
	}
}

// siblings are repositories of one identifier.
func siblings() []Family {
	return []Family{
		{
			Name:    "siblings",
			About:   "two owners announce repositories of one identifier that list each other; one declares, one pushes",
			Crashes: 2, Same: true,
			Script: func(s *Script) {
				s.Actor("owner", Publish(s.Announcement("owner", 1, "maintainer")))
				s.Actor("maintainer", Publish(s.Announcement("maintainer", 2, "owner")))
				s.Actor("owner's second client", Publish(s.State("owner", 3, s.Branch("main", "A"))))
				s.Actor("maintainer's git", Push(s.Repository("maintainer"), s.Branch("main", "A")))
			},
		},
		{
			Name:  "siblings-two-states",
			About: "two owners with repositories of one identifier declare different things, and push to both",
			Same:  true,
			Script: func(s *Script) {
				s.Before(Publish(s.Announcement("owner", 1, "maintainer")), Publish(s.Announcement("maintainer", 2, "owner")))
				s.Actor("owner", Publish(s.State("owner", 3, s.Branch("main", "A"))))
				s.Actor("maintainer", Publish(s.State("maintainer", 4, s.Branch("main", "B"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("maintainer's git", Push(s.Repository("maintainer"), s.Branch("main", "B")))
			},
		},
		{
			Name:    "siblings-deleted",
			About:   "of two repositories of one identifier one is deleted while the other gets its objects from it",
			Crashes: 2,
			Script: func(s *Script) {
				announcement := s.Announcement("maintainer", 2, "owner")
				s.Before(Publish(announcement), Publish(s.State("maintainer", 3, s.Branch("main", "A"))),
					Push(s.Repository("maintainer"), s.Branch("main", "A")))
				s.Actor("owner", Publish(s.Announcement("owner", 4, "maintainer")))
				s.Actor("maintainer", Publish(s.Deletion("maintainer", 5, announcement)))
				s.Actor("owner's second client", Publish(s.State("owner", 6, s.Branch("main", "A"), s.Branch("dev", "A"))))
			},
		},
	}
}
