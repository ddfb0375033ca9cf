package coverage

// Why says why something is never reached, "" where that is not known.
func Why(i Item) string { return holes[i] }

const (
	noFaults  = "no disk of this world fails yet"
	noOrderly = "no server of this world is ended in order"
	setting   = "a setting that no scenario has"
	brief     = "a moment of at most a disk's delay at which a crash would have to strike; crashes come at drawn times"
	early     = "a repository that is being made has no page yet, so no client of this world goes on to push"
	inSearch  = "marks of deletions are taken back when the deletion itself goes, which tombstones outlive"
)

// holes are what the swarm cannot reach, or did not in a thousand seeds, with the reason.
var holes = map[Item]string{
	{Ruling, "G01-ANN-13"}:  setting,
	{Ruling, "G01-PURG-06"}: noFaults,
	{Ruling, "G01-PUSH-18"}: "no client of this world signs pushes",
	{Ruling, "G01-PUSH-28"}: noOrderly,
	{Ruling, "N13-01"}:      setting,
	{Ruling, "INV-28"}:      noFaults,
	{Ruling, "REF-PURG-09"}: "peers send again within two minutes, and what waits for hosts lives for hours",

	{Fact, "repository_broken"}:  noFaults,
	{Fact, "connection_refused"}: "nobody opens so many connections",
	{Fact, "key_authenticated"}:  "connections of this world have no challenge",
	{Fact, "hunt_left_out"}:      "a queue of hunts has room for thousands",

	{Record, "unmark 6"}:  inSearch,
	{Record, "unmark 7"}:  inSearch,
	{Record, "unmark 8"}:  inSearch,
	{Record, "mark 9"}:    noOrderly,
	{Record, "unmark 9"}:  noOrderly,
	{Record, "mark 11"}:   "addresses of this world are short",
	{Record, "unmark 11"}: "addresses of this world are short",

	{Transition, "creating x push asked"}:     early,
	{Transition, "creating x push offered"}:   early,
	{Transition, "reading x push asked"}:      noFaults,
	{Transition, "reading x push offered"}:    noFaults,
	{Transition, "creating x failed"}:         noFaults,
	{Transition, "copying x objects missing"}: noFaults,
	{Transition, "swapping x failed"}:         noFaults,
	{Transition, "sweeping x failed"}:         noFaults,
	{Transition, "removing x failed"}:         noFaults,
	{Transition, "reading x done"}:            noFaults,
	{Transition, "reading x failed"}:          noFaults,
	{Transition, "removing x push asked"}:     brief,

	{Limit, "jobs of a repository"}: "nobody pushes to one repository sixty-four times at once",

	{Crash, "swapping"}: brief,
	{Crash, "sweeping"}: brief,
	{Crash, "removing"}: brief,
	{Crash, "reading"}:  noFaults,
	{Crash, "tidying"}:  brief,
}
