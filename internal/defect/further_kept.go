package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// furtherKeptDefects are mistakes by which one thing goes, or is not taken, because of another one.
func furtherKeptDefects() []Defect {
	return []Defect{
		{Name: "waiting-updates-replaced", Filter: waitingReplaced(func(ev, other *nostr.Event) bool {
			return ev.Kind == policy.KindPullRequestUpdate && other.Kind == ev.Kind && begins(other, "E", valueOf(ev, "E"))
		})},
		{Name: "waiting-states-of-one-identifier-replaced", Filter: waitingReplaced(func(ev, other *nostr.Event) bool {
			return ev.Kind == policy.KindState && other.Kind == ev.Kind && other.Tags.GetD() == ev.Tags.GetD()
		})},
		{Name: "owners-ask-nothing-of-themselves", Filter: rejects(func(ev *nostr.Event) bool {
			_, owner, _, _ := coordinate(valueOf(ev, "a"))
			return isPull(ev) && owner == ev.PubKey
		})},
		{Name: "deleted-issues-root-on", Filter: deletedRoot},
		{Name: "answers-go-with-what-they-answer", Filter: answersGo},
		{Name: "talk-goes-with-former-announcements", Filter: talkGoes},
		{Name: "announcements-of-nothing-new-dropped", Filter: nothingNew},
		{Name: "refs-behind-head-unread", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			at := slices.IndexFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "HEAD" })
			if ev.Kind != policy.KindState || at < 0 {
				return false
			}
			behind := slices.DeleteFunc(slices.Clone(ev.Tags[at:]), func(t nostr.Tag) bool { return strings.HasPrefix(t[0], "refs/") })
			ev.Tags = append(ev.Tags[:at:at], behind...)
			return true
		})},
		{Name: "refs-before-the-identifier-unread", Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			at := slices.IndexFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "d" })
			if ev.Kind != policy.KindState || at <= 0 {
				return false
			}
			ev.Tags = ev.Tags[at:]
			return true
		})},
	}
}

// valueOf is the first value of a tag, or "".
func valueOf(ev *nostr.Event, name string) string {
	if t := ev.Tags.Find(name); len(t) > 1 {
		return t[1]
	}
	return ""
}

// waitingReplaced has what is held go when something is held that is like it.
func waitingReplaced(like func(ev, other *nostr.Event) bool) func() Filter {
	return func() Filter {
		s, from := &shelf{map[string]filed{}}, map[string]core.ConnID{}
		return erasing(func(i core.Input, effects []core.Effect) []core.Message {
			s.note(effects)
			if conn, ev := published(i); ev != nil {
				from[ev.ID] = conn
			}
			var more []core.Message
			for _, e := range effects {
				r, _ := e.(core.Record)
				if r.Op != core.OpHold {
					continue
				}
				for id, o := range s.all() {
					if o.held && id != r.ID && o.event.CreatedAt < r.Event.CreatedAt && like(r.Event, o.event) {
						more = append(more, removal(from[r.ID], o.event.PubKey, o.event.CreatedAt, id))
					}
				}
			}
			return more
		})
	}
}

// deletedRoot takes what refers to an event that was deleted.
func deletedRoot() Filter {
	s, gone, root := &shelf{map[string]filed{}}, map[string]bool{}, ""
	f := edited(func(ev *nostr.Event, _ *shelf) bool {
		at := slices.IndexFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && t[0] == "e" && gone[t[1]] })
		if at < 0 || root == "" || ev.Kind == policy.KindDeletion {
			return false
		}
		ev.Tags[at] = nostr.Tag{"e", root}
		return true
	})()
	inner := f.Out
	f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		for _, e := range effects {
			r, _ := e.(core.Record)
			if r.Op == core.OpUnstore && s.byID[r.ID].event != nil && s.byID[r.ID].event.Kind == 1621 {
				gone[r.ID] = true
			}
			if r.Op == core.OpStore && r.Event.Kind == policy.KindAnnouncement && near(r.Event) {
				root = r.ID
			}
		}
		s.note(effects)
		return inner(i, effects)
	}
	return f
}

// answersGo deletes what others have said of an issue with that.
func answersGo() Filter {
	return tiedGo(policy.KindDeletion, func(was, other filed) bool {
		return !was.held && !other.held && other.event.Kind != policy.KindDeletion && other.event.Kind < 30_000 && names(other.event, was.event.ID)
	})
}

// talkGoes deletes what others have said of a repository when a newer announcement of it comes.
func talkGoes() Filter {
	s, versions := &shelf{map[string]filed{}}, succession{}
	return erasing(func(i core.Input, effects []core.Effect) []core.Message {
		conn, _ := published(i)
		var more []core.Message
		for _, e := range effects {
			r, _ := e.(core.Record)
			old, is := versions.next(r)
			if !is || old.held || r.Event.Kind != policy.KindAnnouncement {
				continue
			}
			for id, o := range s.all() {
				if !o.held && o.event.Kind == 1621 && names(o.event, addressOf(r.Event)) {
					more = append(more, removal(conn, o.event.PubKey, r.Event.CreatedAt, id))
				}
			}
		}
		s.note(effects)
		return more
	})
}

// nothingNew answers OK true to a newer announcement that says of a repository what the one before says, and drops it.
func nothingNew() Filter {
	s, dropped := &shelf{map[string]filed{}}, false
	said := func(ev *nostr.Event) string {
		text := ""
		for _, name := range []string{"name", "description", "clone", "relays", "maintainers"} {
			text += strings.Join(ev.Tags.Find(name), ",") + ";"
		}
		return text
	}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			_, ev := published(i)
			dropped = false
			if ev != nil && ev.Kind == policy.KindAnnouncement {
				old := s.announcement(ev.PubKey, ev.Tags.GetD())
				dropped = old.event != nil && !old.held && old.event.ID != ev.ID && ev.CreatedAt > old.event.CreatedAt && said(old.event) == said(ev)
			}
			return i, !dropped
		},
		Out: func(i core.Input, effects []core.Effect) []core.Effect {
			s.note(effects)
			if conn, ev := published(i); dropped {
				return append(effects, core.Send{Conn: conn, Msg: relay.OK{ID: ev.ID, Accepted: true}})
			}
			return effects
		},
	}
}
