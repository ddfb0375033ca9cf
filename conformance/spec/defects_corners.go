package spec

// cornerDefects are those that show in a corner alone: behind a restart, in the second of another event, with a second repository or
// URL, or for an announcement that lists this service nowhere.
func cornerDefects() []Defect {
	return []Defect{
		{"vouched-announcements-untold", "G01-ANN-14", nil, "Who listens does not hear of a held announcement that is released because another one vouches for it."},
		{"held-pulls-live-anew", "G01-PURG-11", nil, "A held pull request that is sent again waits for its whole time anew."},
		{"held-pulls-served-when-sent-again", "G01-PURG-19", []string{"G01-PURG-11", "G01-PURG-12"}, "A held pull request that is sent again is served."},
		{"served-updates-forgotten-at-a-start", "G01-PR-08", nil, "After a restart the refs of served updates go as those without an event."},
		{"places-anew-at-a-start", "G06-GC-01", nil, "After a restart a ref at a place for contributions waits for its event anew."},
		{"pulls-at-places-forgotten-at-a-start", "G06-EV-04", nil, "After a restart the refs at places for contributions go though their events are served."},
		{"held-updates-go-with-their-pull-request", "G01-PR-04", nil, "Who deletes a held pull request deletes the held updates of it, too."},
		{"references-to-deleted-repositories-taken", "G01-REL-05", nil, "A reference to a repository counts though its announcement was deleted."},
		{"relays-of-vouched-announcements-unheard", "G02-EV-09", nil, "Relays are followed that announcements name which list this service, and no others."},
		{"clone-urls-of-maintainers-unasked", "G02-GIT-04", nil, "Git data is asked for at the clone URLs of the owner alone."},
		{"later-states-unfetched", "G02-GIT-01", nil, "Git data is fetched for a repository that has none, and for no later state."},
		{"first-clone-url-alone-asked", "G02-GIT-02", nil, "Of the clone URLs of a pull request the first one alone is asked."},
		{"tags-unfetched", "G02-GIT-01", []string{"G05-04"}, "Tags that a state names are not fetched."},
		{"listed-later-without-a-room", "G01-ANN-14", nil, "Who was vouched for, and lists this service later, gets no repository."},
		{"pulls-of-two-repositories-freed-in-one", "G01-PR-18", nil, "The ref of a deleted pull request goes in the first of its repositories alone."},
		{"later-states-of-maintainers-forgotten-at-a-start", "G01-LAT-01", nil, "After a restart the state of an owner counts before a later one of a maintainer."},
		{"maintainers-renewed-by-their-number", "G01-MNT-05", nil, "An announcement that names as many maintainers as the one before it changes nobody's authority."},
		{"latest-mention-alone-counts", "G01-REL-03", nil, "Whether an event is named by an accepted one is decided by the latest event that names it."},
		{"vanishing-takes-younger-that-waits", "N62-01", nil, "A request to vanish takes all that waits of its author, whatever its date."},
		{"lower-ids-come-too-late", "G01-LAT-01", nil, "Behind a served state none of its time is taken, whatever the ids."},
		{"vanishing-spares-what-waits-of-its-second", "N62-01", nil, "A request to vanish leaves what waits and has its very time."},
	}
}
