package spec

// syncDefects are mistakes of servers that get events from other relays.
func syncDefects() []Defect {
	return []Defect{
		{"relays-not-followed", "G02-EV-01", []string{"G02-EV-02", "G02-EV-03"}, "The document lists sync, and no other relay is connected to."},
		{"relays-followed-unlisted", "G02-ADV-01", nil, "Other relays are followed, and the document does not list sync."},
		{"later-events-unheard", "G02-EV-02", []string{"G02-EV-01"}, "What another relay had is asked for, and what it gets later is not."},
		{"relays-trusted", "G02-EV-03", nil, "Signatures of events from other relays are not checked."},
		{"relays-tell-anything", "G02-EV-03", nil, "Everything with a signature that another relay sends is served."},
		{"comments-by-large-a-unheard", "G02-EV-01", nil, "Comments at other relays that name a repository by A alone are not asked for."},
		{"replies-by-e-unheard", "G02-EV-04", nil, "Replies to issues from elsewhere that name these by e alone are not asked for."},
		{"replies-by-large-e-unheard", "G02-EV-04", nil, "Replies to issues from elsewhere that name these by E alone are not asked for."},
		{"replies-by-q-unheard", "G02-EV-04", nil, "Events that quote issues from elsewhere are not asked for."},
		{"newer-relays-ignored", "G02-EV-05", nil, "The relays that the first announcement of a repository lists are followed, whatever newer ones say."},
		{"left-relays-followed", "G02-EV-05", nil, "Relays that no announcement lists any more are followed."},
		{"relay-gaps-left", "G02-EV-06", nil, "After an outage of a relay only its later events are asked for."},
		{"relays-tried-once", "G02-EV-06", nil, "A relay that could not be connected to, or was lost, is never connected to again."},
		{"relays-tried-without-pause", "G02-EV-06", nil, "A relay that is down is tried every half minute for ever."},
		{"relay-silence-unnoticed", "G02-EV-06", nil, "A connection to a relay that has gone without a word is taken for one on which nothing happens."},
		{"relay-answers-awaited-forever", "G02-EV-07", nil, "The end of a relay's answer is waited for without a limit."},
		{"pages-unturned", "G02-EV-07", nil, "What a relay has beyond the first page is not asked for."},
		{"pages-turned-forever", "G02-EV-07", nil, "A page that brings nothing new is asked for again until it is empty, which it never is."},
		{"cut-answers-whole", "G02-EV-07", nil, "Of what a comparison names that is asked for and which an answer leaves out nothing is asked for again."},
		{"negentropy-alone", "G02-EV-07", nil, "A relay that knows no negentropy is taken for one that has nothing."},
		{"relay-refusals-final", "G02-EV-07", nil, "A relay that has ended a subscription is not listened to any more."},
		{"relay-notices-final", "G02-EV-07", nil, "A relay that has sent a notice is not listened to any more."},
		{"relays-that-repeat-dropped", "G02-EV-07", nil, "A relay that sends an event twice is not listened to any more."},
		{"relay-waits-for-relay", "G02-EV-07", nil, "Relays are asked one by one, and one that never answers keeps the others waiting."},
		{"deletions-unheard", "G02-EV-08", nil, "Requests to delete and to vanish of other relays are not asked for."},
		{"deletions-heard-of-anybody", "G02-EV-08", nil, "A request to delete that another relay has is followed whoever wrote it."},
		{"relays-taken-for-users", "REF-HUNT-02", []string{"REF-HUNT-03", "REF-PURG-09"}, "What other relays send is treated as what users send."},
		{"announcements-unheard", "G02-EV-09", nil, "Announcements of other relays are not asked for."},
	}
}
