// Package scenarios holds the files that the simulator runs and reads them strictly: whatever it does not know, or
// knows to be out of range, is an error with file, line and column. It runs nothing and opens no file by path.
//
// A scenario file is one YAML mapping. Durations are written as in Go ("90s", "1h30m"), shares in percent with up to
// four decimals ("0.5%"). The fields:
//
//	name          required  what the scenario is called: lower-case letters, digits and dashes, at most 64
//	description   optional  a sentence for the person who reads the file
//	duration      required  how long the actors are at work, 1s to 10000h; a quiet phase follows
//	servers       required  number of GRASP servers, 1 to 16
//	repositories  required  number of repositories, 1 to 1000; each has one actor of each role on every server
//	actors        required  at least one of the roles owner, maintainer and stranger, each with
//	  every       required    mean time between its operations, 1s to 10000h
//	links         optional  the way between an actor and a server; without it everything arrives once and at once
//	  latency     optional    of every message, 0s to 1m
//	  jitter      optional    at most this is added, 0s to 1m
//	  loss        optional    share of messages that never arrive, 0% to 50%
//	  duplicate   optional    share of relay messages that arrive a second time, 0% to 50%
//	constants     optional  settings of the servers that the scenario overrides
//	  purgatory_life  optional  how long an event waits for git data, 1s to 24h, 30m if absent
//	faults        optional  what goes wrong, a list of texts such as "crash server1 at 45m for 2m"; at most 1000
//	invariants    required  which invariants are checked, a list of ids; an empty list checks none
package scenarios

import (
	"time"

	"github.com/graspkit/graspkit/sim/fault"
)

// A Scenario is one world to simulate. See the package comment for units and limits.
type Scenario struct {
	Name         string
	Description  string
	Duration     time.Duration
	Servers      int
	Repositories int
	Owner        Actor
	Maintainer   Actor
	Stranger     Actor
	Links        Links
	Constants    Constants
	Faults       []fault.Crash
	Invariants   []string // in the order of the file
}

// An Actor is a role that somebody plays in every repository. The zero value is a role that nobody plays.
type Actor struct {
	Every time.Duration // mean time between operations
}

// Links is the quality of the ways between actors and servers.
type Links struct {
	Latency   time.Duration
	Jitter    time.Duration
	Loss      int64 // messages of a million
	Duplicate int64 // relay messages of a million
}

// Constants are the settings of the servers. Zero leaves the default.
type Constants struct {
	PurgatoryLife time.Duration
}
