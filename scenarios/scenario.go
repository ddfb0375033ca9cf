// Package scenarios holds the files that the simulator runs and reads them strictly: whatever it does not know, or
// knows to be out of range, is an error with file, line and column. It runs nothing and opens no file by path.
//
// A scenario file is one YAML mapping. Durations are written as in Go ("90s", "1h30m"), shares in percent with up to
// four decimals ("0.5%"). The fields:
//
//	name          required  what the scenario is called: lower-case letters, digits, dashes and underscores; at most 64
//	description   optional  a sentence for the person who reads the file
//	duration      required  how long the actors are at work, 1s to 10000h; a quiet phase follows
//	servers       required  number of GRASP servers, 1 to 20
//	origin        optional  where people reach the servers, with %d for the number of each, as "https://server%d.example/git";
//	                        "http://server%d.example" if absent
//	repositories  required  number of repositories, 1 to 1000; each has one actor of each role on every server; may be
//	                        absent, with actors, where there are arrivals
//	actors        required  at least one of the roles owner, maintainer and stranger, each with
//	  every       required    mean time between its operations, 1s to 10000h
//	people        optional  how the actors behave; without it they do the usual, as package workload describes
//	  maintainers optional    of each repository beside its owner, 1 to 6, 1 if absent; one actor plays all of them
//	  chain       optional    who lists whom: line, circle or drawn; if absent the owner all others, and they the owner
//	  identifiers optional    repositories share so many identifiers, 1 to 1000; if absent each has its own
//	  owners      optional    and so many people, 1 to 1000
//	  keys        optional    people of all seeds have the keys of so many of them, 1 to 1000000, so that a sweep makes few;
//	                          if absent each seed has its own
//	  aliases     optional    true for identifiers that differ little
//	  dated       optional    share of events that are dated in the past or in the future, 0% to 100%
//	  partly      optional    share of events and pushes that go to some servers only, 0% to 100%
//	  listing     optional    share of announcements that list one server only, 0% to 100%
//	  retried     optional    share of events that are sent again until they are answered, 0% to 100%
//	  team, stranger optional what owner and maintainers do, and what strangers do: operations with weights from 1 to
//	                          1000; what is not named they never do, and without it they do the usual
//	links         optional  the ways between people, servers and each other; without it everything arrives once and at once
//	  latency     optional    of every message, 0s to 1m
//	  jitter      optional    at most this is added, 0s to 1m
//	  tail        optional    share of messages that are later still, 0% to 50%,
//	  tail_delay  optional    by this, 0s to 1m; half of them by twice as much, a quarter by four times, and so on
//	  bandwidth   optional    bytes that pass in a second, one message behind the other, 1 to 1000000000; all at once if absent
//	  loss        optional    share of messages that never arrive, 0% to 50%
//	  duplicate   optional    share of relay messages that arrive a second time, 0% to 50%
//	constants     optional  settings of the servers that the scenario overrides
//	  purgatory_life  optional  how long an event waits for git data, 1s to 24h, 30m if absent
//	  held_max        optional  events that wait at once, 1 to 1000000, 10000 if absent
//	  held_bytes_max, held_per_key_max, held_bytes_per_key_max
//	                  optional  their bytes, those of one author and the bytes of those
//	  stored_max      optional  events that are served at once, beside those that wait, 1 to 1000000, 100000 if absent
//	  stored_bytes_max optional their bytes
//	  placeholders_max, tombstones_max, expired_max
//	                  optional  refs of pull requests without an event, deletions and expired ids that are remembered
//	  search_at_once  optional  what a question may cost that is answered in its step, 1 to 1000000, 10000 if absent
//	rules         optional  what operators ask for beside the protocol, of all servers or of those that are named
//	  reciprocal  optional    true: maintainers count who list each other
//	  work        optional    leading zero bits of the id of every event, 1 to 16; nobody looks for such an id
//	  authors     optional    of whom nothing is taken, a list of people, such as stranger1
//	  blocked     optional    repositories that are not announced: of somebody, owner1/repository1, or an identifier
//	  allowed     optional    those that may be, all if absent
//	  archive     optional    those that servers keep whatever services they list, none if absent: as above, or all, or a server such
//	                          as server1 for all that list that
//	  archives    optional    the servers that keep them, all if absent
//	  read_only   optional    archives that take no push and host nothing new that only lists them
//	  private     optional    servers that serve their members alone, people and each other
//	  members     optional    the people who are, a list such as [owner1]; private servers have some
//	  dismissed   optional    those of them who are members no more in the second half of the time
//	  contributors optional   servers where anybody may put the commits of pull requests, a list such as [server1]
//	disk          optional  how slow the disks of the servers are, at most
//	  journal     optional    until records are durable, 1ns to 1m, 5ms if absent
//	  order       optional    until git answers, 1ns to 1m, 40ms if absent
//	hosts         optional  git hosts out there, a list of at most 64, each with
//	  name        required    its authority in URLs, as git1.example; each once, and none is a server
//	  absent      optional    true for a name that leads nowhere; then there are no other fields
//	  gone, back  optional    its name leads nowhere from then on, and until then, 0s to 10000h; for ever without back
//	  gone_as     optional    why it is not asked then: name, trust or git; its name leads nowhere if absent
//	  link        optional    the way between a server and the host, as in links
//	  delay       optional    until an answer begins, 0s to 1h
//	  lacking     optional    share of the objects that it is given and does not keep, 0% to 100%
//	  late        optional    how long after it was given an object it has it, 0s to 10000h
//	  per_minute  optional    requests that it answers in any minute, 1 to 1000000; it answers more with "too many"
//	  retry_after optional    what that answer tells to wait, 0s to 1h
//	  trouble     optional    how it misbehaves, a list of at most 100; of those that apply the last counts; each with
//	    mode        required    refuses, drops, denies, lacks, limits, fails, hangs, drips, truncates, corrupts, cheats,
//	                            lies, floods or redirects, as package githost describes them
//	    from, until optional    since the start of the run, 0s to 10000h; for ever without until
//	    period      optional    for a host that flaps: in trouble for one period, well for the next, 1s to 10000h
//	    well        optional    share of requests that it does not touch, 0% to 100%
//	    delay       optional    that answers take longer to begin, 0s to 1h
//	    retry_after optional    of limits, 0s to 1h
//	    redirect_to optional    of redirects, and required there: an origin
//	    slow        optional    of drips, and required there: from the first byte to the last, 1s to 1h
//	relays        optional  relays out there that are no servers, a list of at most 64; sync is required then; each with
//	  name        required    its authority in URLs, as relay1.example; each once, and none is a server or a host
//	  told        optional    true: the operators of all servers name it
//	  listed      optional    share of the announcements that list it under relays, 0% to 100%
//	  given       optional    share of the events of people that are published there, too, 0% to 100%
//	  only        optional    share of those that are published at no server, 0% to 100%
//	  link        optional    the way between a server and the relay, as in links
//	  delay       optional    until it answers, 0s to 1h
//	  negentropy  optional    what it does with NEG-OPEN: unknown, declines or ignores; it answers if absent
//	  page_max    optional    most events of one answer to one filter, 1 to 1000000, 500 if absent
//	  per_minute  optional    questions that it answers in any minute, 1 to 1000000
//	  limiting    optional    notice: it says by a NOTICE alone that it is asked more; by a CLOSED if absent
//	  members     optional    true: it answers nobody who has not authenticated, whatever its trouble; any key will do
//	  challenges  optional    true: it asks who connects to authenticate, and wants nothing by it
//	  trouble     optional    how it misbehaves, a list of at most 100; of those that apply the last counts; each with
//	    mode        required    refuses, drops, hangs, freezes, closes, denies, omits, forges, strays, repeats, sticks, floods, bars or hides, as
//	                            package relayhost describes them
//	    from, until, period   optional    as in the trouble of hosts
//	    delay       optional    that everything takes longer, 0s to 1h
//	    after       optional    of drops, and required there: which message ends a connection, 1 to 1000000
//	    text        optional    of closes: what it says, at most 1000 bytes
//	hunt          optional  servers hunt for the git data that events wait for, at the hosts and at each other
//	  user_delay  optional    from an event of a user to the first request, 1ms to 24h, 180s if absent
//	  sync_delay  optional    from an event of a peer, 1ms to 24h, 500ms if absent
//	  concurrent  optional    requests under way at one host, 1 to 1000, 5 if absent
//	  rate        optional    requests that start at one host within a minute, 1 to 100000, 30 if absent
//	  bound       required    by when whatever needs data has been asked for, and by when, after all trouble of hosts and
//	                          links has ended, the data that a host has is found and its events are served, 1s to 10000h
//	arrivals      optional  repositories whose git data nobody pushes: hosts have it; hosts and hunt are required then
//	  identifiers required    number of repositories, 1 to 20000, each of its own owner
//	  within      required    they are announced within this time from the start, 1ms to the duration
//	  events      optional    states and pull requests of each, 1 to 1000, 1 if absent; the first is a state, which
//	                          comes with the announcement
//	  later       optional    how long after the announcement the others come, 0s to the duration
//	  apart       optional    within how much time they do, 0s to the duration
//	  hosts       optional    hosts that each announcement lists, 1 to all, all if absent
//	  urls        optional    URLs that it lists at each of them, 1 to 200 at all of them, 1 if absent
//	  synced      optional    share of the events that come from a peer and not from a user, 0% to 100%
//	  pull_requests  optional share of the others that are pull requests and not states, 0% to 100%
//	  twice       optional    share of the events that come a second time, 0% to 100%
//	  odd         optional    share of the repositories that name other places, too: the same in another way, names of nobody,
//	                          addresses, and what cannot be read, 0% to 100%
//	  moves       optional    share of the events behind the first that are announcements which name the next hosts in turn
//	sync          optional  servers sync with each other and with relays; there are two servers at least, or relays
//	  bootstrap   optional    of which others each is told by its operator, beside those that announcements name: none, all,
//	                          or ring, which is the next one; none if absent. Where people close their work they tell one
//	  bound       required    by when, after all trouble has ended, a server has what others offer and it has to have, 1s to 10000h
//	faults        optional  what goes wrong, a list of texts such as "crash server1 at 45m for 2m" or "part server1 and owner1
//	                          at 1h for 5m"; at most 1000. See package sim/fault for all of them
//	seed          optional  the seed of a run for which nobody names another, 0 to 18446744073709551615; 0 if absent
//	only          optional  the operations that happen, a list of at most 4096 names such as "owner1/7.0". All others are
//	                        decided as before and not sent, so what is left is what it was. Without it all of them happen
//	invariants    required  which invariants are checked: all, or a list of ids; an empty list checks none
package scenarios

import (
	"time"

	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/workload"
)

// A Scenario is one world to simulate. See the package comment for units and limits.
type Scenario struct {
	Name         string
	Description  string
	Duration     time.Duration
	Servers      int
	Origin       string // of each, with %d for its number; "" is the usual one
	Repositories int
	Owner        Actor
	Maintainer   Actor
	Stranger     Actor
	People       workload.Profile // how all of them behave
	Links        Links
	Constants    Constants
	Disk         Disk
	Rules        Rules
	Faults       []fault.Fault
	Hosts        []Host
	Relays       []Relay
	Hunt         Hunt
	Arrivals     Arrivals
	Sync         Sync
	Seed         uint64   // of a run for which nobody names another
	Only         []string // operations that happen, by their names; nil is all
	Invariants   []string // in the order of the file
}

// An Actor is a role that somebody plays in every repository. The zero value is a role that nobody plays.
type Actor struct {
	Every time.Duration // mean time between operations
}

// Links is the quality of the ways between people, servers and each other.
type Links = network.Link

// Disk is how slow the disks of the servers are, at most. Zero leaves the usual.
type Disk struct {
	Journal time.Duration // until records are durable
	Order   time.Duration // until a question about objects or an order for a repository is answered
}

// Constants are the settings of the servers. Zero leaves the default.
type Constants struct {
	PurgatoryLife      time.Duration
	HeldMax            int
	HeldBytesMax       int
	HeldPerKeyMax      int
	HeldBytesPerKeyMax int
	StoredMax          int
	StoredBytesMax     int
	PlaceholdersMax    int
	TombstonesMax      int
	ExpiredMax         int
	SearchAtOnce       int // beyond it a question is answered outside the step
}

// GoneAs are the words for what is wrong with a host that is gone: its name leads nowhere, it is not to be trusted, or it is no
// git host.
func GoneAs() []string { return []string{"name", "trust", "git"} }

// A Host is a git host out there.
type Host struct {
	githost.Config
	Absent bool          // its name leads nowhere
	Gone   time.Duration // from then on, if not 0
	Back   time.Duration // until then
	GoneAs string        // what is wrong then, one of GoneAs; "" is the first
}

// Hunt is how servers hunt. Of the settings zero leaves the default; without Bound they do not hunt.
type Hunt struct {
	UserDelay  time.Duration
	SyncDelay  time.Duration
	Concurrent int
	Rate       int
	Bound      time.Duration
}

// Arrivals are the repositories whose data hosts have. The zero value is none.
type Arrivals struct {
	Identifiers  int
	Within       time.Duration
	Events       int // of each identifier
	Later        time.Duration
	Apart        time.Duration
	Hosts        int   // of each announcement
	URLs         int   // at each of them
	Synced       int64 // events of a million
	PullRequests int64 // events of a million
	Twice        int64 // events of a million
	Odd          int64 // repositories of a million that name other places, too
	Moves        int64 // events of a million are announcements that name other hosts
}
