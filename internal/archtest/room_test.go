package archtest_test

import "strings"

// module is the import path of this module, with the slash that its packages continue.
const module = "github.com/graspkit/graspkit/"

// A purity says what a room under reference/ or sim/ may do.
type purity int

const (
	// unlisted is the zero value: a room that nobody has thought about.
	unlisted purity = iota
	// pure rooms are functions of their inputs: no clock, no randomness, no I/O, no map order.
	pure
	// pureGit rooms are pure and speak to go-git, whose signatures carry time values: they may make
	// such a value from a number, but neither name its type nor read a clock.
	pureGit
	// shell rooms own goroutines, sockets, disks and clocks.
	shell
)

// rooms lists every package that may exist under reference/ and sim/. A new package is added here
// first, so that nothing escapes the rules by being new.
var rooms = map[string]purity{
	"reference/core":       pure,
	"reference/eventstore": pure,
	"reference/gitproto":   pureGit,
	"reference/gitserve":   pureGit,
	"reference/gitstore":   pureGit,
	"reference/hunt":       pure,
	"reference/instant":    pure,
	"reference/negentropy": pure,
	"reference/policy":     pure,
	"reference/purgatory":  pure,
	"reference/push":       pure,
	"reference/relay":      pure,
	"reference/replicate":  pure,
	"reference/repo":       pure,
	"reference/web":        pure,

	"reference":            shell,
	"reference/fetch":      shell,
	"reference/gitdisk":    shell,
	"reference/gitexec":    shell,
	"reference/gitlayout":  shell,
	"reference/gitlock":    shell,
	"reference/gitread":    shell,
	"reference/gitspool":   shell,
	"reference/gitturn":    shell,
	"reference/httpd":      shell,
	"reference/node":       shell,
	"reference/peer":       shell,
	"reference/servicekey": shell,

	"sim":           pure,
	"sim/coverage":  pure,
	"sim/disk":      pure,
	"sim/fault":     pure,
	"sim/githost":   pureGit,
	"sim/invariant": pure,
	"sim/kernel":    pure,
	"sim/model":     pure,
	"sim/network":   pure,
	"sim/queue":     pure,
	"sim/relayhost": pure,
	"sim/shrink":    pure,
	"sim/timeline":  pure,
	"sim/swarm":     pure,
	"sim/trace":     pure,
	"sim/workload":  pureGit,

	"sim/explore":   shell, // by sim/snapshot; it owns no goroutine, socket, disk or clock
	"sim/simtarget": shell,
	"sim/snapshot":  shell, // it reads values by reflection, in the order of their keys
}

// isPure reports whether the purity bans bind the room.
func isPure(room string) bool { return rooms[room] == pure || rooms[room] == pureGit }

// within reports whether the room is root or lies below it. A root that ends in "/" excludes itself.
func within(room, root string) bool {
	return room == root || strings.HasPrefix(room, strings.TrimSuffix(root, "/")+"/")
}

// withinAny reports whether the room is one of roots or lies below one of them.
func withinAny(room string, roots []string) bool {
	for _, root := range roots {
		if within(room, root) {
			return true
		}
	}
	return false
}
