package policy

import (
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// ProfileBytesMax is how large a profile or a relay list of a participant may be, by repo.Size.
const ProfileBytesMax = 32 << 10

// IsProfile reports whether events of a kind say who a participant is, and where he writes.
func IsProfile(kind int) bool { return kind == KindProfile || kind == KindRelayList }

// Profile judges who a participant of an accepted repository is and where he writes, which a server of sync plus takes and serves
// (G03-03, G03-06). What it says of anybody else is judged by the other rules.
func Profile(ev *nostr.Event) Ruling {
	if repo.Size(ev) > ProfileBytesMax {
		return refuse("G03-03", "invalid", "a profile or a relay list has at most "+strconv.Itoa(ProfileBytesMax)+" bytes")
	}
	return Ruling{Decision: Accept, Requirement: "G03-06"}
}
