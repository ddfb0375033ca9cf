package defect

import (
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// aloneDefects are mistakes with what a state does to refs without a push, with names one below the other, and with the refs of pull
// requests behind a restart.
func aloneDefects() []Defect {
	return []Defect{
		ofOthers("maintainers-states-leave-head-without-a-push", func(c []gitproto.Command, _ string) ([]gitproto.Command, string) { return c, "" }),
		ofOthers("maintainers-states-move-nothing-without-a-push", func(c []gitproto.Command, _ string) ([]gitproto.Command, string) {
			return slices.DeleteFunc(slices.Clone(c), func(c gitproto.Command) bool { return !namesEvent(c) }), ""
		}),
		{Name: "head-stays-where-a-branch-goes", Backend: func(b gitstore.Backend) gitstore.Backend {
			return aligning{backend{b}, func(_ repo.ID, c []gitproto.Command, head string) ([]gitproto.Command, string) {
				if slices.ContainsFunc(c, func(c gitproto.Command) bool { return c.New.IsZero() }) {
					head = ""
				}
				return c, head
			}}
		}},
		{Name: "branches-below-former-ones-not-made", Backend: func(b gitstore.Backend) gitstore.Backend {
			return aligning{backend{b}, func(_ repo.ID, c []gitproto.Command, head string) ([]gitproto.Command, string) {
				return slices.DeleteFunc(slices.Clone(c), func(made gitproto.Command) bool {
					return !made.New.IsZero() && slices.ContainsFunc(c, func(gone gitproto.Command) bool { return gone.New.IsZero() && nested(gone.Ref, made.Ref) })
				}), head
			}}
		}},
		pullsForgotten("pull-requests-forgotten-at-start"),
		standing("folders-of-deleted-branches-stay", func(made, stood string) bool { return strings.HasPrefix(stood, made+"/") }),
		standing("names-of-deleted-branches-stay", func(made, stood string) bool { return strings.HasPrefix(made, stood+"/") }),
		{Name: "refs-wait-anew-behind-a-start", Filter: survivors(func(in core.Started) core.Started {
			in.Marks = slices.DeleteFunc(slices.Clone(in.Marks), func(m core.Mark) bool { return m.Kind == core.MarkPlaceholder })
			return in
		})},
	}
}

// nested reports whether one of two names is a folder of the other one.
func nested(a, b string) bool { return strings.HasPrefix(b, a+"/") || strings.HasPrefix(a, b+"/") }

// standing takes no push that makes a ref which is in the way of one that has stood once.
func standing(name string, inTheWay func(made, stood string) bool) Defect {
	return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend {
		return &cluttered{backend: backend{b}, inTheWay: inTheWay, stood: map[repo.ID][]string{}}
	}}
}

// A cluttered backend has the folders of its refs for ever.
type cluttered struct {
	backend
	inTheWay func(made, stood string) bool
	mu       sync.Mutex
	stood    map[repo.ID][]string // guarded by mu
}

func (x *cluttered) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	x.mu.Lock()
	reasons := map[string]string{}
	for _, command := range p.Commands {
		if command.New.IsZero() {
			continue
		}
		if slices.ContainsFunc(x.stood[id], func(stood string) bool { return x.inTheWay(command.Ref, stood) }) {
			reasons[command.Ref] = "cannot lock ref"
		}
		x.stood[id] = append(x.stood[id], command.Ref)
	}
	x.mu.Unlock()
	if len(reasons) > 0 {
		return gitstore.Refused(p.Commands, gitstore.UnpackOK, reasons), nil
	}
	return x.Backend.Receive(c, id, p, pack)
}

// An aligning backend moves other refs than it is told to where no client pushes.
type aligning struct {
	backend
	change func(id repo.ID, commands []gitproto.Command, head string) ([]gitproto.Command, string)
}

func (a aligning) Update(id repo.ID, commands []gitproto.Command, head string) error {
	commands, head = a.change(id, commands, head)
	return a.Backend.Update(id, commands, head)
}

// ofOthers changes how the refs of an owner's repository move when a state of somebody else has come last, and no push since.
func ofOthers(name string, change func([]gitproto.Command, string) ([]gitproto.Command, string)) Defect {
	var mu sync.Mutex
	last := map[string]repo.PubKey{} // by identifier
	return Defect{
		Name: name,
		Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				mu.Lock()
				defer mu.Unlock()
				if _, ev := published(i); ev != nil && ev.Kind == policy.KindState {
					last[ev.Tags.GetD()] = repo.PubKey(ev.PubKey)
				}
				if o, is := i.(core.PushOffered); is {
					delete(last, o.Repo.Identifier)
				}
				return i, true
			}}
		},
		Backend: func(b gitstore.Backend) gitstore.Backend {
			return aligning{backend{b}, func(id repo.ID, commands []gitproto.Command, head string) ([]gitproto.Command, string) {
				mu.Lock()
				by, known := last[id.Identifier]
				mu.Unlock()
				if known && by != id.Owner {
					return change(commands, head)
				}
				return commands, head
			}}
		},
	}
}

// pullsForgotten lets the refs of pull requests that came before the last start be pushed to, whatever they name.
func pullsForgotten(name string) Defect {
	came, before := map[string]bool{}, map[string]bool{} // from one start to the next
	return Defect{Name: name, Filter: func() Filter {
		return letting(func(i core.Input) {
			if _, is := i.(core.Started); is {
				maps.Copy(before, came)
			}
			if _, ev := published(i); ev != nil && isPull(ev) {
				came[ev.ID] = true
			}
		}, func(o core.PushOffered, r policy.Ruling) bool {
			return r.Requirement == "G01-PR-11" && !slices.ContainsFunc(o.Commands, func(c gitproto.Command) bool {
				id, is := repo.PullRequestOf(c.Ref)
				return !is || !before[id]
			})
		})
	}}
}
