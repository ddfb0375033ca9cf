package defect

import (
	"slices"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// chainDefects are mistakes with chains of maintainers of which one in the middle goes.
func chainDefects() []Defect {
	return []Defect{
		{Name: "former-maintainers-name-others", Filter: throughFormer},
		{Name: "states-of-strangers-refused-for-good", Filter: func() Filter {
			refused := map[string]bool{}
			return rejecting(func(ev *nostr.Event) bool { return refused[ev.ID] }, func(_ core.Input, effects []core.Effect) {
				for _, e := range effects {
					if n, is := e.(core.Note); is && n.Fact == core.EventRefused && n.Requirement == "G01-MNT-03" {
						refused[n.Event] = true
					}
				}
			})
		}},
		{Name: "who-is-named-twice-goes-with-one", Filter: goingTogether},
	}
}

// A roster is whom announcements name now, and whom they have named before.
type roster struct{ now, former map[slotted][]string }

// announcedBy is the slot of an announcement.
func announcedBy(key, identifier string) slotted {
	return slotted{policy.KindAnnouncement, key, identifier}
}

func newRoster() roster { return roster{map[slotted][]string{}, map[slotted][]string{}} }

func (r roster) hear(i core.Input) {
	_, ev := published(i)
	if ev == nil || ev.Kind != policy.KindAnnouncement {
		return
	}
	at, list := slotOf(ev), listedBy(ev)
	r.former[at] = slices.DeleteFunc(append(r.former[at], r.now[at]...), func(key string) bool { return slices.Contains(list, key) })
	r.now[at] = list
}

// throughFormer lets pushes run that a state says by somebody whom a former maintainer of the owner names.
func throughFormer() Filter {
	heard, r := &statesHeard{deleted: map[string]bool{}}, newRoster()
	return letting(func(i core.Input) {
		heard.hear(i)
		r.hear(i)
	}, func(o core.PushOffered, _ policy.Ruling) bool {
		owner, d := string(o.Repo.Owner), o.Repo.Identifier
		for _, by := range r.former[announcedBy(owner, d)] {
			for _, key := range r.now[announcedBy(by, d)] {
				state := heard.latest(repo.ID{Owner: repo.PubKey(key), Identifier: d})
				if key != owner && state != nil && fits(o, state) {
					return true
				}
			}
		}
		return false
	})
}

// goingTogether refuses states of whom a former maintainer of somebody names.
func goingTogether() Filter {
	r := newRoster()
	f := rejecting(func(ev *nostr.Event) bool {
		if ev.Kind != policy.KindState {
			return false
		}
		for at, former := range r.former {
			for _, by := range former {
				if at.identifier == ev.Tags.GetD() && at.author != ev.PubKey && slices.Contains(r.now[announcedBy(by, at.identifier)], ev.PubKey) {
					return true
				}
			}
		}
		return false
	}, nil)
	in := f.In
	f.In = func(i core.Input) (core.Input, bool) {
		r.hear(i)
		return in(i)
	}
	return f
}
