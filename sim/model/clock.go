package model

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
)

// How many pushed refs may wait for their events (G01-PR-09): so many in all, a quarter of what is left of that in one
// repository, and ten of them whatever is left.
const (
	clocksMost     = 10_000
	clocksRoomMost = 1_000
	clocksSure     = 10
	clocksShare    = 4
)

// clocksLeft reports whether a push would make more refs below refs/nostr/ than may wait. That is not sure while one has run out
// whose ref is not removed yet.
func (m *Model) clocksLeft(p *push) (few, sure bool) {
	x := m.repository(p.repo)
	more := 0
	for _, c := range p.commands {
		event, is := strings.CutPrefix(c.Ref, "refs/nostr/")
		e := m.entries[event]
		known := isPlace(p.repo) && e != nil && e.phase != nowhere // what an event is known of has its room at a place with that
		if is && x.at(c.Ref) == "" && !known {
			more++
		}
	}
	if isPlace(p.repo) {
		return m.placesLeft(p, more)
	}
	most := m.cfg.Limits.Clocks
	if most == 0 {
		most = clocksMost
	}
	run, over := 0, false
	for _, name := range m.names {
		for _, y := range m.rooms[name].repositories {
			if isPlace(y.id) != isPlace(p.repo) { // they have no room of each other
				continue
			}
			run += len(y.clocks)
			over = over || slices.ContainsFunc(y.clocks, func(k core.Mark) bool { return k.Until <= m.now })
		}
	}
	left := most - run
	share := min(clocksRoomMost, max(clocksSure, left/clocksShare))
	return more > 0 && (more > left || len(x.clocks)+more > share), !over
}
