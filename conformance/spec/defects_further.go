package spec

// furtherWireDefects are mistakes of any server with what is not the first or the only one: another tag of a name, another version,
// another way to name something.
func furtherWireDefects() []Defect {
	return []Defect{
		{"new-events-by-their-first-tags", "N01-REQ-01", nil, "Of several tags of a name the first one decides who gets a new event."},
		{"new-events-by-values-in-any-case", "N01-REQ-01", nil, "Subscriptions get new events whose tag values differ in case from what they ask for."},
		{"new-events-by-names-in-any-case", "N01-REQ-01", nil, "Subscriptions get new events whose tag names differ in case from what they ask for."},
		{"reconciliations-by-first-tags", "N77-01", nil, "Of several tags of a name the first one decides what is reconciled."},
		{"counts-by-first-tags", "N01-CNT-01", nil, "Of several tags of a name the first one decides what is counted."},
		{"replaceable-by-identifier", "N01-REP-02", nil, "A replaceable event that names an identifier stays beside a newer one."},
		{"strangers-delete-what-is-to-come", "N09-03", nil, "What anybody has asked to delete by its id is refused when it comes."},
		{"strangers-delete-addresses-to-come", "N09-03", nil, "What anybody has asked to delete by its address is refused when it comes."},
		{"first-reference-of-each-name", "G01-REL-02", nil, "Of several references by tags of one name the first one counts."},
		{"unknown-references-refuse", "G01-REL-02", nil, "An event that refers to something unknown is refused, whatever it refers to besides."},
		{"mentions-by-patches-ignored", "G01-REL-03", nil, "An event that refers to nothing is refused, though an accepted patch refers to it."},
		{"mentions-by-announcements-ignored", "G01-REL-03", nil, "An event that refers to nothing is refused, though an accepted announcement refers to it."},
		{"mentions-by-pull-requests-ignored", "G01-REL-03", nil, "An event that refers to nothing is refused, though an accepted pull request refers to it."},
		{"second-mentions-ignored", "G01-REL-03", nil, "Of what an accepted event refers to by tags of one name the first one is taken."},
		{"waiting-updates-replaced", "G01-PR-05", nil, "A held update of a pull request takes the place of one that is held already."},
		{"waiting-states-of-one-identifier-replaced", "G01-ANN-19", nil, "A held state takes the place of all that are held of its identifier, whosever they are."},
		{"owners-ask-nothing-of-themselves", "G01-REL-01", nil, "A pull request by the owner of the repository is refused."},
		{"deleted-issues-root-on", "G01-REL-05", nil, "An event that refers to nothing but a deleted issue is taken."},
		{"answers-go-with-what-they-answer", "N09-03", nil, "With an event that its author deletes goes what others have said of it."},
		{"talk-goes-with-former-announcements", "G01-ANN-16", nil, "With an announcement that a newer one replaces go the issues that name the repository."},
		{"announcements-of-nothing-new-dropped", "G01-ANN-16", nil, "A newer announcement that describes the repository as before is answered OK true, and not served."},
		{"refs-behind-head-unread", "N34-ST-01", nil, "Refs of a state that stand behind its HEAD are not read."},
		{"refs-before-the-identifier-unread", "N34-ST-01", nil, "What stands before the identifier of a state is not read."},
		{"tags-of-a-few-elements", "G01-ANN-20", nil, "Events are served with the first five elements of each tag."},
		{"replaced-subscriptions-count-on", "N01-REQ-03", nil, "A subscription that another one has replaced counts among the hundred that a connection may have."},
		{"closed-subscriptions-count-on", "N01-REQ-03", nil, "A subscription that was closed counts among the hundred that a connection may have."},
		{"newer-announcements-root-nothing", "G01-ANN-16", nil, "What refers to a repository is refused once a newer announcement of it has come."},
	}
}
