package defect

import (
	"slices"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

func pullRequestDefects() []Defect {
	return []Defect{
		{Name: "pull-requests-silent", Filter: pullsSilent},
		{Name: "pushed-commits-unseen", Filter: blinded(func(i core.Input) bool {
			_, ev := published(i)
			return ev != nil && isPull(ev)
		})},
		{Name: "pull-requests-served-on-any-push", Filter: servedOnAnyPush},
		{Name: "pull-requests-served-without-their-ref", Filter: out(func(_ core.Input, e core.Effect) (core.Effect, bool) {
			u, ok := e.(core.UpdateRefs)
			if !ok {
				return e, true
			}
			u.Commands = slices.DeleteFunc(slices.Clone(u.Commands), func(c gitproto.Command) bool { return namesEvent(c) && !c.New.IsZero() })
			return u, true
		})},
		{Name: "pull-request-refs-need-an-event", Filter: needEvent},
		{Name: "pull-request-names-unchecked", Filter: admits("G01-PR-02")},
		{Name: "pull-request-commits-unchecked", Filter: admits("G01-PR-03")},
		{Name: "pull-requests-stay-held", Filter: stayHeld},
		{Name: "updates-share-a-ref", Filter: shareRef},
		{Name: "wrong-refs-stay", Filter: wrongRefsStay},
		{Name: "unmatched-refs-short", Config: func(c *core.Config) { c.PlaceholderLife = 5 * time.Minute }},
		{Name: "unmatched-refs-kept", Config: func(c *core.Config) { c.PlaceholderLife = 10 * 365 * 24 * time.Hour }},
		{Name: "merged-refs-removed", Filter: mergedRefsRemoved},
		{Name: "refs-of-other-kinds", Filter: admits("G01-PR-10")},
		{Name: "accepted-refs-unguarded", Filter: admits("G01-PR-11")},
		{Name: "foreign-pull-requests-taken", Filter: says("G01-PR-12")},
		{Name: "pull-requests-without-commit-served", Filter: leak(func(i core.Input, _ []core.Effect) *nostr.Event {
			if _, ev := published(i); ev != nil && isPull(ev) && ev.Tags.Find("c") == nil {
				return ev
			}
			return nil
		})},
		{Name: "one-repository-only", Filter: rejects(func(ev *nostr.Event) bool {
			return isPull(ev) && len(slices.Collect(ev.Tags.FindAll("a"))) > 1
		})},
		{Name: "mixed-pushes-refused", Filter: refuses(func(o core.PushOffered) bool {
			return slices.ContainsFunc(o.Commands, namesEvent) && slices.ContainsFunc(o.Commands, namesBranch)
		})},
		{Name: "pull-request-refs-in-the-way", Filter: inTheWay},
		{Name: "pull-request-tips-refused", Backend: func(b gitstore.Backend) gitstore.Backend { return wantsRefused{backend{b}, branchesOnly} }},
		{Name: "deleted-pull-requests-keep-refs", Filter: deletedKeepRefs},
		{Name: "talk-of-pull-requests-refused", Filter: talkRefused},
		{Name: "optional-tags-demanded", Filter: rejects(func(ev *nostr.Event) bool { return isPull(ev) && ev.Tags.Find("clone") == nil })},
	}
}

func isPull(ev *nostr.Event) bool {
	return ev.Kind == policy.KindPullRequest || ev.Kind == policy.KindPullRequestUpdate
}

func namesEvent(c gitproto.Command) bool {
	_, is := repo.PullRequestOf(c.Ref)
	return is
}

func namesBranch(c gitproto.Command) bool { return push.Declarable(c.Ref) }

// pullsSilent answers pull requests without a word.
func pullsSilent() Filter {
	pulls := map[string]bool{}
	filter := ok(func(_ core.Input, m relay.OK) relay.OK {
		if pulls[m.ID] && m.Accepted {
			m.Text = ""
		}
		return m
	})()
	return Filter{Out: filter.Out, In: func(i core.Input) (core.Input, bool) {
		if _, ev := published(i); ev != nil && isPull(ev) {
			pulls[ev.ID] = true
		}
		return i, true
	}}
}

// blinded tells the core that every object is missing that it asks for because of some inputs, and of the answers to that.
func blinded(because func(core.Input) bool) func() Filter {
	return func() Filter {
		asked := map[core.RequestID][]repo.OID{}
		return Filter{
			In: func(i core.Input) (core.Input, bool) {
				if facts, ok := i.(core.ObjectFacts); ok && asked[facts.Request] != nil {
					facts.Missing = asked[facts.Request]
					return facts, true
				}
				return i, true
			},
			Out: func(i core.Input, effects []core.Effect) []core.Effect {
				facts, ok := i.(core.ObjectFacts)
				if further := ok && asked[facts.Request] != nil; !further && !because(i) {
					return effects
				}
				for _, e := range effects {
					if ask, ok := e.(core.AskObjects); ok {
						asked[ask.Request] = ask.OIDs
					}
				}
				return effects
			},
		}
	}
}

// stayHeld does not see a commit that came by a ref of a pull request, whenever it looks for it.
func stayHeld() Filter {
	offered := map[core.PushID]core.PushOffered{}
	hidden := map[repo.ID][]repo.OID{}
	asked := map[core.RequestID][]repo.OID{} // of what is hidden
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			switch i := i.(type) {
			case core.PushOffered:
				offered[i.Push] = i
			case core.PushDone:
				o := offered[i.Push]
				for _, c := range o.Commands {
					if namesEvent(c) {
						hidden[o.Repo] = append(hidden[o.Repo], c.New)
					}
				}
			case core.ObjectFacts:
				i.Missing = slices.Clone(i.Missing)
				for _, oid := range asked[i.Request] {
					if !slices.Contains(i.Missing, oid) {
						i.Missing = append(i.Missing, oid)
					}
				}
				return i, true
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				ask, _ := e.(core.AskObjects)
				for _, oid := range ask.OIDs {
					if slices.Contains(hidden[ask.Repo], oid) {
						asked[ask.Request] = append(asked[ask.Request], oid)
					}
				}
			}
			return effects
		},
	}
}

// servedOnAnyPush shows a held pull request to queries once anything is pushed to its ref.
func servedOnAnyPush() Filter {
	held := map[string]*nostr.Event{}
	return leak(func(i core.Input, effects []core.Effect) *nostr.Event {
		for _, e := range effects {
			if r, ok := e.(core.Record); ok && r.Op == core.OpHold && isPull(r.Event) {
				held[r.ID] = r.Event
			}
		}
		o, _ := i.(core.PushOffered)
		for _, c := range o.Commands {
			if event, ok := repo.PullRequestOf(c.Ref); ok && held[event] != nil {
				return held[event]
			}
		}
		return nil
	})()
}

// needEvent refuses pushes to refs of events that did not come before.
func needEvent() Filter {
	known := map[string]bool{}
	filter := refuses(func(o core.PushOffered) bool {
		return slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool {
			event, is := repo.PullRequestOf(c.Ref)
			return is && !known[event]
		})
	})()
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if _, ev := published(i); ev != nil {
			known[ev.ID] = true
		}
		return filter.Out(i, effects)
	}}
}

// shareRef lets the commit of an update go to the ref of its pull request.
func shareRef() Filter {
	commits := map[string]string{} // of updates, by the ref of their pull request
	hears := func(i core.Input) {
		if _, ev := published(i); ev != nil && ev.Kind == policy.KindPullRequestUpdate {
			if root, c := ev.Tags.Find("E"), ev.Tags.Find("c"); root != nil && c != nil {
				commits[repo.PullRequestPrefix+root[1]] = c[1]
			}
		}
	}
	return letting(hears, func(o core.PushOffered, _ policy.Ruling) bool {
		return len(o.Commands) > 0 && commits[o.Commands[0].Ref] == string(o.Commands[0].New)
	})
}

// wrongRefsStay leaves a ref where it is when its event says otherwise.
func wrongRefsStay() Filter {
	return out(func(i core.Input, e core.Effect) (core.Effect, bool) {
		u, ok := e.(core.UpdateRefs)
		if _, looked := i.(core.ObjectFacts); ok && looked {
			u.Commands = slices.DeleteFunc(slices.Clone(u.Commands), func(c gitproto.Command) bool {
				return namesEvent(c) && c.New.IsZero()
			})
			return u, true
		}
		return e, true
	})()
}

// mergedRefsRemoved removes the ref of a pull request when a branch comes to its commit.
func mergedRefsRemoved() Filter {
	refs := map[repo.OID]string{}
	return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		if o, ok := i.(core.PushOffered); ok {
			for _, c := range o.Commands {
				if namesEvent(c) {
					refs[c.New] = c.Ref
				}
			}
		}
		for n, e := range effects {
			u, ok := e.(core.UpdateRefs)
			if !ok {
				continue
			}
			for _, c := range u.Commands {
				if ref := refs[c.New]; ref != "" && namesBranch(c) {
					u.Commands = append(slices.Clone(u.Commands), gitproto.Command{Old: c.New, New: repo.ZeroOID, Ref: ref})
				}
			}
			effects[n] = u
		}
		return effects
	}}
}

// inTheWay refuses pushes of branches once a ref of a pull request is there.
func inTheWay() Filter {
	crowded := map[repo.ID]bool{}
	filter := refuses(func(o core.PushOffered) bool {
		return crowded[o.Repo] && slices.ContainsFunc(o.Commands, namesBranch)
	})()
	return Filter{In: filter.In, Out: func(i core.Input, effects []core.Effect) []core.Effect {
		effects = filter.Out(i, effects)
		if o, ok := i.(core.PushOffered); ok && slices.ContainsFunc(o.Commands, namesEvent) {
			crowded[o.Repo] = true
		}
		return effects
	}}
}

// deletedKeepRefs leaves the refs of pull requests alone that were deleted.
func deletedKeepRefs() Filter {
	deleted := map[string]bool{}
	return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
		for n, e := range effects {
			switch e := e.(type) {
			case core.Note:
				if e.Fact == core.EventDeleted {
					deleted[repo.PullRequestPrefix+e.Event] = true
				}
			case core.UpdateRefs:
				e.Commands = slices.DeleteFunc(slices.Clone(e.Commands), func(c gitproto.Command) bool { return deleted[c.Ref] })
				effects[n] = e
			}
		}
		return effects
	}}
}

// talkRefused refuses what refers to a pull request.
func talkRefused() Filter {
	pulls := map[string]bool{}
	return rejecting(func(ev *nostr.Event) bool {
		return ev.Kind != policy.KindDeletion && !isPull(ev) &&
			slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 1 && pulls[t[1]] })
	}, func(i core.Input, _ []core.Effect) {
		if _, ev := published(i); ev != nil && isPull(ev) {
			pulls[ev.ID] = true
		}
	})
}
