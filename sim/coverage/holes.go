package coverage

// Why says why something is never reached, "" where that is not known.
func Why(i Item) string { return holes[i] }

const (
	unread   = "refs that cannot be read are asked for again at once and then each minute; nobody has come in that moment"
	early    = "a repository that is being made has no page yet, so no client of this world goes on to push"
	inSearch = "marks of deletions are taken back when the deletion itself goes, which tombstones outlive"
	between  = "tokens are judged between the steps; the monitor of members sees each of them"
	removed  = "a removal is short: one world in a thousand has somebody push meanwhile, or none"
	unmet    = "no server of the swarm looks for what participants have elsewhere"
)

// holes are what the swarm cannot reach, or did not in a thousand seeds, with the reason.
var holes = map[Item]string{
	{Ruling, "G01-ANN-13"}:  "the swarm draws no list of what may be announced; the scenario ruled has one",
	{Ruling, "REF-PURG-09"}: "peers send again within two minutes, and what waits for hosts lives for hours",

	{Ruling, "G03-03"}:     unmet,
	{Ruling, "G06-ADV-01"}: "a server without places answers 404 before anybody can offer a push",
	{Ruling, "G08-06"}:     between,
	{Ruling, "G08-15"}:     "nobody publishes a token",

	{Fact, "connection_refused"}: "nobody opens so many connections",
	{Fact, "hunt_left_out"}:      "a queue of hunts has room for thousands",
	{Fact, "peer_left_out"}:      "a server knows a thousand relays, and twenty of one repository",

	{Record, "unmark 6"}:  inSearch,
	{Record, "unmark 7"}:  inSearch,
	{Record, "unmark 8"}:  inSearch,
	{Record, "unmark 11"}: inSearch,

	{Transition, "creating x push asked"}:   early,
	{Transition, "creating x push offered"}: early,
	{Transition, "reading x push offered"}:  unread,
	{Transition, "removing x push asked"}:   removed,
	{Transition, "removing x push offered"}: removed,

	{Transition, "sweeping x failed"}: "one world in a thousand has a disk fail while old refs go, or none",

	{Limit, "jobs of a repository"}: "nobody pushes to one repository sixty-four times at once",
}
