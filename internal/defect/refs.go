package defect

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// refsDefects are mistakes with pushes of several refs, and of refs that are no branches.
func refsDefects() []Defect {
	each := func(bad func(gitproto.Command) bool) func() Filter {
		return refuses(func(o core.PushOffered) bool { return slices.ContainsFunc(o.Commands, bad) })
	}
	isTag := func(c gitproto.Command) bool { return strings.HasPrefix(c.Ref, "refs/tags/") }
	return []Defect{
		atomicByHalf("atomic-pushes-done-by-half"),
		{Name: "accepted-refs-beyond-the-first-unreported", Front: replies(func(r *http.Request, _ []byte, a *reply) {
			if pushed(r) && a.took() {
				rebanded(a, firstLine("ok "))
			}
		})},
		{Name: "reasons-of-refusals-left-out", Front: replies(func(r *http.Request, _ []byte, a *reply) {
			if pushed(r) && a.refused() {
				rebanded(a, func(report string) string {
					return reportLine.ReplaceAllStringFunc(report, func(line string) string {
						if m := reportLine.FindStringSubmatch(line); m[1] == "ng" {
							return pktLine("ng " + m[2] + " \n")
						}
						return line
					})
				})
			}
		})},
		{Name: "idle-pushes-of-tags-refused", Filter: each(func(c gitproto.Command) bool { return isTag(c) && c.Old == c.New })},
		{Name: "moved-tags-refused", Filter: each(func(c gitproto.Command) bool { return isTag(c) && !c.Old.IsZero() && !c.New.IsZero() && c.Old != c.New })},
		{Name: "unsorted-pushes-refused", Filter: refuses(func(o core.PushOffered) bool {
			return !slices.IsSortedFunc(o.Commands, func(a, b gitproto.Command) int { return strings.Compare(a.Ref, b.Ref) })
		})},
		{Name: "deletions-alone-refused", Filter: refuses(func(o core.PushOffered) bool {
			return len(o.Commands) > 0 && !slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool { return !c.New.IsZero() })
		})},
		{Name: "pushes-with-options-refused", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if pushed(r) && bytes.Contains(bodyOf(r), []byte(" push-options")) {
				w.Header().Set(allowOrigin, "*")
				http.Error(w, "no options", http.StatusForbidden)
				return true
			}
			return false
		})},
		{Name: "branches-and-tags-of-one-name-refused", Filter: refuses(func(o core.PushOffered) bool {
			names := map[string]bool{}
			for _, c := range o.Commands {
				name := strings.TrimPrefix(strings.TrimPrefix(c.Ref, "refs/heads/"), "refs/tags/")
				if names[name] {
					return true
				}
				names[name] = true
			}
			return false
		})},
		olderMoveHead("older-states-move-head"),
	}
}

var reportLine = regexp.MustCompile(`[0-9a-f]{4}(ok|ng) (refs/[^ \n]+)[^\n]*\n`)

// firstLine leaves the first line of a report that begins so, of all those that do.
func firstLine(word string) func(report string) string {
	return func(report string) string {
		n := 0
		return reportLine.ReplaceAllStringFunc(report, func(line string) string {
			if strings.HasPrefix(line[4:], word) {
				if n++; n > 1 {
					return ""
				}
			}
			return line
		})
	}
}

// atomicByHalf carries out of an atomic push what the owner's latest state says, before the whole of it is judged.
func atomicByHalf(name string) Defect {
	var mu sync.Mutex
	heard := &statesHeard{deleted: map[string]bool{}}
	d := smuggled(name, func(_ *store, id repo.ID, list []packet) []gitproto.Command {
		if len(list) == 0 || !bytes.Contains([]byte(list[0].text), []byte(" atomic")) {
			return nil
		}
		mu.Lock()
		defer mu.Unlock()
		state := heard.latest(id)
		var good []gitproto.Command
		for _, p := range list {
			c, is := p.command()
			if is && state != nil && !c.New.IsZero() && fits(core.PushOffered{Commands: []gitproto.Command{c}}, state) {
				good = append(good, c)
			}
		}
		if len(good) == len(list) {
			return nil
		}
		return good
	})
	d.Filter = func() Filter {
		return Filter{In: func(i core.Input) (core.Input, bool) {
			mu.Lock()
			defer mu.Unlock()
			heard.hear(i)
			return i, true
		}}
	}
	return d
}

// olderMoveHead points HEAD to the branch that a state names which is older than another one of its author.
func olderMoveHead(name string) Defect {
	var p pointer
	return Defect{Name: name, Backend: p.lend, Filter: func() Filter {
		newest := map[slotted]*nostr.Event{}
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			_, ev := published(i)
			if ev == nil || ev.Kind != policy.KindState {
				return effects
			}
			if old := newest[slotOf(ev)]; old != nil && repo.Newer(old, ev) {
				p.point(headOf(ev), func(id repo.ID) bool { return id.Identifier == ev.Tags.GetD() && string(id.Owner) == ev.PubKey })
			} else {
				newest[slotOf(ev)] = ev
			}
			return effects
		}}
	}}
}
