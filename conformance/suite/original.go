package suite

import (
	"crypto/sha1"
	"encoding/hex"
	"path"
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/features"
)

// original sees to it that there is a pull request that an update can be of: a server may refuse an update of nothing (NIP-34), and
// what one misses that refuses an update of what it has not says G01-PURG-03.unknown alone. Where the check has published none, its
// actor publishes one of a commit that nobody has, so that it waits and changes nothing. Checks of the reference alone count what
// waits, and have updates of nothing.
func (w *world) original(p pulling) outcome {
	if p.label != "update" || w.root() != nil || slices.Contains(features.FoldersOfTheReference(), path.Dir(w.check.File)) {
		return outcome{}
	}
	nowhere := sha1.Sum([]byte(w.check.ID + "/original"))
	ev := client.Build(w.key(p.actor), client.KindPullRequest, append([][]string{
		{"a", w.addresses("")[0]}, {"c", hex.EncodeToString(nowhere[:])}, {"p", w.key("owner").Pubkey}, {"subject", "the original"},
	}, w.markers()...), w.run.purpose(), w.tick())
	w.sent.original = ev
	return w.publish(ev) // where that is refused, the update is of nothing
}

// root is the pull request that the next update is of, nil without one that was taken.
func (w *world) root() *nostr.Event {
	for _, ev := range []*nostr.Event{w.sent.byLabel["pull request"], w.sent.original} {
		if ev != nil {
			if _, taken := w.sent.taken[ev.ID]; taken {
				return ev
			}
		}
	}
	return nil
}

// updated is the id of the pull request that an update to a repository names: what is for one that is not here names none that was taken,
// for that alone would have it accepted (G01-REL-02).
func updated(root *nostr.Event, to string) string {
	if to == "an unknown repository" {
		return unknownID
	}
	return root.ID
}
