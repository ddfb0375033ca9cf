package explore

import (
	"time"

	"github.com/graspkit/graspkit/sim/relayhost"
)

const (
	windowOver = 6 * time.Second // in which what is new is collected
	cooled     = 3 * time.Minute // behind which a refused event is not at hand any more
	longAgo    = -7200           // seconds since the beginning, before what is asked for behind any gap
)

// syncing are about a relay that has what the server lacks.
func syncing() []Family {
	return []Family{
		{
			Name:    "sync",
			About:   "a relay of a served repository gets an issue and an answer to it while the connection to it ends, and the server crashes",
			Crashes: 1,
			Relay:   &relayhost.Config{},
			Script: func(s *Script) {
				s.synced()
				issue := s.Issue("contributor", 3, "owner")
				s.Actor("contributor", Offer(issue), Offer(s.Answer("owner", 4, issue)))
				s.Actor("network", Cut())
				s.Actor("time", Pass(windowOver))
			},
		},
		{
			Name:    "sync-first",
			About:   "a relay gets an announcement and its state, which come and wait for the push, while the server crashes",
			Crashes: 1,
			Relay:   &relayhost.Config{},
			Script: func(s *Script) {
				s.relays = []string{"ws://" + peerName}
				s.Actor("owner", Offer(s.Announcement("owner", 1)), Offer(s.State("owner", 2, s.Branch("main", "A"))))
				s.Actor("owner's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("time", Pass(windowOver))
			},
		},
		{
			Name:  "sync-refused",
			About: "a relay gets the announcement of a maintainer before that of the owner, who lists him, while the server ends in order and starts again",
			Relay: &relayhost.Config{},
			Script: func(s *Script) {
				s.relays = []string{"ws://" + peerName}
				s.Before(Offer(s.Withdrawal("maintainer", 1)), Pass(windowOver), Pass(cooled))
				s.Actor("owner", Offer(s.Announcement("owner", 2, "maintainer")))
				s.Actor("maintainer", Offer(s.State("maintainer", 3, s.Branch("main", "A"))))
				s.Actor("maintainer's git", Push(s.Repository("owner"), s.Branch("main", "A")))
				s.Actor("operator", Restart())
				s.Actor("time", Pass(windowOver))
			},
		},
		{
			Name:  "sync-pages",
			About: "a relay that answers in pages of three has issues of long ago, some of one second, when it is listed, and the connection to it ends",
			Relay: &relayhost.Config{Negentropy: relayhost.Unknown, PageMax: 3},
			Script: func(s *Script) {
				s.served()
				for _, who := range []string{"somebody", "stranger"} {
					s.Before(Offer(s.Issue(who, longAgo, "owner")), Offer(s.Issue(who, longAgo+1, "owner")))
				}
				s.relays = []string{"ws://" + peerName}
				s.Actor("owner", Publish(s.Announcement("owner", 5)))
				s.Actor("contributor", Offer(s.Issue("contributor", 6, "owner")))
				s.Actor("network", Cut())
				s.Actor("time", Pass(windowOver))
			},
		},
		{
			Name:    "sync-deletion",
			About:   "an issue that is served here is deleted at a relay, and somebody sends it here again, while the connection to the relay ends",
			Crashes: 1,
			Relay:   &relayhost.Config{},
			Script: func(s *Script) {
				s.synced()
				issue := s.Issue("contributor", 3, "owner")
				s.Before(Publish(issue), Pass(windowOver))
				s.Actor("contributor", Offer(s.Deletion("contributor", 4, issue)))
				s.Actor("somebody", Publish(issue))
				s.Actor("network", Cut())
				s.Actor("time", Pass(windowOver))
			},
		},
	}
}

// synced has a repository served that lists the relay, and the relay asked about it.
func (s *Script) synced() {
	s.relays = []string{"ws://" + peerName}
	s.served()
	s.Before(Pass(windowOver), Pass(windowOver))
}
