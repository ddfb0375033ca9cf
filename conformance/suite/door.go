package suite

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// An entry is how the run gets into a service that is for its members alone (GRASP-08): every check goes through one door, but for
// those that are about the door itself, which knock as whom they are about.
type entry struct {
	door    *client.Door // nil where everybody is let in, or nobody of us
	members []client.Key // the first keys that are let in, two at most; the door is that of the first one
	shut    string       // why nobody of us is let in, "" if that is not so
}

// membersKnown is how many keys of members a run has a use for: one for the door, and one for who is let in beside.
const membersKnown = 2

// findDoor shows the tester's keys to a service that turns away whoever comes, or has two of the run's own made members where it may.
func (r *run) findDoor(ctx context.Context) {
	keys, listed := r.cfg.Keys, r.facts.grasps[graspPrivate]
	membered := r.membered() != nil
	switch {
	case membered && (r.apart != "" || !listed): // checks of private services name the members of their target themselves
		return
	case membered && len(keys) == 0:
		keys = []client.Key{r.newKey("member", false), r.newKey("another member", false)}
	case len(keys) == 0 && !listed && r.facts.authRequired(): // anybody is let in who says who that is
		keys = []client.Key{r.newKey("visitor", false), r.newKey("another visitor", false)}
	case len(keys) == 0 && !listed: // a public service is asked for nothing besides
		return
	}
	if membered {
		for _, key := range keys {
			if err := r.enlist(ctx, key.Pubkey, true); err != nil {
				r.entry.shut = "the members cannot be set: " + err.Error()
				return
			}
		}
	}
	somewhere := r.client.RepoPath(r.newKey("door", false).Pubkey, r.name("door"))
	var why string
	r.entry.door, r.entry.members, why = r.client.Unlock(ctx, keys, membersKnown, somewhere)
	switch {
	case r.entry.door == nil && why == "":
		return
	case len(keys) == 0:
		why = "no key was given"
	}
	if r.entry.door == nil {
		r.entry.shut = why
		r.measured = append(r.measured, "members: they alone are let in, and we are not: "+why+"; "+unlockMembers)
		return
	}
	if len(r.cfg.Keys) == 0 && !listed {
		r.measured = append(r.measured, "door: the relay lets in whoever authenticates; every connection did so")
	} else {
		r.measured = append(r.measured, fmt.Sprintf("members: the service is for its members alone; it was judged as one of them, %s", r.entry.door.Key.Npub))
	}
	r.spent = r.client.Recorder().Spent()
	r.client = client.New(r.target, r.clientOptions())
}

// unlockMembers is what has a private service judged.
const unlockMembers = "--keys FILE with the keys of two members"

// mayEnter blocks what cannot be judged from outside, which is all but the door itself and what everybody may see, or not by one member
// alone.
func (r *run) mayEnter(c features.Check) outcome {
	switch e := r.entry; {
	case e.shut != "" && !ofPrivate(c) && !c.Has("read-only"):
		return blocked("members alone are let in, and we are not: "+e.shut, unlockMembers)
	case e.door != nil && showsKeys(c) && len(e.members) < membersKnown:
		return blocked("two members authenticate, and one is known", unlockMembers)
	}
	return outcome{}
}

// showsKeys reports whether actors of a check authenticate on a connection themselves. At a private service they are members, and the
// one whom the check is about is not the one of the door, who is on every connection already.
func showsKeys(c features.Check) bool {
	return slices.Contains([]string{"nip42", "nip70"}, path.Dir(c.File))
}

// shownNames are those actors, in the order of the members.
func shownNames() []string { return []string{"stranger", "contributor"} }

// unlessUnshown keeps a private service from being accused of what it did not get from relays of ours: they are for members alone where
// it is judged, for it names its repositories to no others (G08-10), but whether it says to them who it is, is up to its operator.
func (w *world) unlessUnshown(end outcome) outcome {
	failed := end.verdict == Fail || end.verdict == SetupFail || end.verdict == DependencyFail
	if w.run.entry.door == nil || ofPrivate(w.check) || len(w.elsewhere.byName) == 0 || !failed {
		return end
	}
	for _, relay := range w.elsewhere.byName {
		if slices.ContainsFunc(relay.Asked(), func(m target.RelayMessage) bool { return m.Verb == "AUTH" }) {
			return end
		}
	}
	w.violations = nil
	return blocked("the private service has authenticated at no relay of ours, and asks no relay that lets everybody in (G08-10): "+end.reason,
		"give it a key of its own, and let it show that to any relay")
}
