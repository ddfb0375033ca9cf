package suite

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/features"
)

// keyOf is the key of somebody in a check: one of those that the tester gave, in the order of the actors, or a fresh one.
func (r *run) keyOf(c features.Check, name string, again bool) client.Key {
	at := slices.Index(actors(), name)
	given := len(r.cfg.Keys)
	if given > 1 {
		given-- // the last one is the lighthouse's
	}
	if ofPrivate(c) {
		at, given = slices.Index(memberNames(), name), len(r.cfg.Keys) // whoever else had one of these keys would be a member
		if r.cfg.Members != nil {                                      // and who is dismissed in one check would be so in all of them
			at = -1
		}
	}
	if members := r.entry.members; showsKeys(c) && len(members) > 1 {
		if at = slices.Index(shownNames(), name); at >= 0 {
			return members[at].Working(r.facts.work)
		}
	}
	if ofArchive(c) { // whoever else had one of these keys might be archived
		at, given = slices.Index([]string{archivedName}, name), len(r.cfg.Keys)
	}
	if at < 0 || at >= given || countsAuthors(c) {
		return r.newKey(c.ID+"/"+name, again).Working(r.facts.work)
	}
	return r.cfg.Keys[at].Working(r.facts.work)
}

// countsAuthors reports whether a check asks for all that somebody has ever written, or erases it, which no key may share. What
// somebody has one of, such as a profile, is such a thing: the tester's own is not replaced.
func countsAuthors(c features.Check) bool {
	return slices.Contains([]string{"grasp03", "nip01", "nip40", "nip45", "nip62", "nip77"}, path.Dir(c.File)) ||
		slices.ContainsFunc(c.Steps, func(s features.Step) bool {
			kind := kindInStep.FindStringSubmatch(s.Text)
			return strings.Contains(s.Text, "vanish") || kind != nil && nostr.IsReplaceableKind(int(number(kind[1])))
		})
}

// kindInStep finds the number of the kind that a step publishes.
var kindInStep = regexp.MustCompile(`\bof kind (\d+)\b`)

// lighthouseKey is the key of a try of the lighthouse: the last one that the tester gave, or a fresh one.
func (r *run) lighthouseKey(try int) client.Key {
	if n := len(r.cfg.Keys); n > 0 {
		return r.cfg.Keys[n-1].Working(r.facts.work)
	}
	return r.newKey(numbered("lighthouse", try), false).Working(r.facts.work)
}

// sharesKeys reports whether checks have keys in common: those that the tester gave, or those that a door opens to.
func (r *run) sharesKeys() bool { return len(r.cfg.Keys) > 0 || len(r.entry.members) > 0 }

// own reports whether an event that was seen is the check's: a key that several checks have has written others.
func (w *world) own(id string) bool {
	if !w.run.sharesKeys() {
		return true
	}
	_, taken := w.sent.taken[id]
	return taken || (w.sent.last != nil && w.sent.last.ID == id)
}

// policyFact begins the fact that the target refuses us by policy.
const policyFact = "policy: "

// refusesUs makes a refusal by policy a fact of the run, told once.
func (r *run) refusesUs(why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.unwelcome {
		r.unwelcome = true
		hint := "--keys FILE writes as somebody whom the server knows"
		if len(r.cfg.Keys) > 0 {
			hint = "it is written by keys that were made up as well: give more keys that the server knows, one for each of five actors and one more"
		}
		r.measured = append(r.measured, policyFact+why+"; what was refused so is not judged; "+hint)
	}
}

// policy tells a refusal of who writes, or how much, from one of what is written: an event that nothing is wrong with, of a
// fresh key and of the same one, is refused likewise.
func (w *world) policy(o client.OKFrame) bool {
	if !policyPrefix(o.Prefix) {
		return false
	}
	key := w.key("owner")
	for _, a := range actors() {
		if k := w.key(a); w.sent.last != nil && k.Pubkey == w.sent.last.PubKey {
			key = k
		}
	}
	fresh := w.run.newKey(w.check.ID+"/nobody", false).Working(w.run.facts.work)
	asked := []client.Key{fresh, key}
	if w.sent.erased { // who was let in, and is shut out because of a request to delete or to vanish, is refused for no policy
		asked = asked[:1]
	}
	for _, k := range asked {
		relay, broken := w.client.Relay(w.ctx)
		if broken != nil {
			return false
		}
		w.steady++
		identifier := w.identifier + "-control-" + strconv.Itoa(w.steady)
		plain := client.Announce(k, client.AnnounceOpts{
			Identifier: identifier, Description: w.run.purpose(), Clone: []string{w.client.CloneURL(k.Pubkey, identifier)},
			Relays: []string{w.client.RelayURL()}, CreatedAt: w.tick(), Extra: w.markers(),
		})
		again, is := relay.Publish(w.ctx, plain).(client.OKFrame)
		relay.Close()
		if is && !again.Accepted && policyPrefix(again.Prefix) {
			return true
		}
	}
	return false
}
