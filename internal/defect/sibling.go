package defect

import (
	"errors"
	"io"
	"slices"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

func siblingDefects() []Defect {
	return []Defect{
		{Name: "siblings-forgotten", Backend: func(b gitstore.Backend) gitstore.Backend { return apart{backend{b}} }},
		{Name: "siblings-unasked", Backend: func(b gitstore.Backend) gitstore.Backend { return spreading{backend{b}, false} }},
		{Name: "siblings-rewound", Backend: func(b gitstore.Backend) gitstore.Backend { return spreading{backend{b}, true} }},
		{Name: "siblings-unreleased", Filter: unreleased(func(pushed bool) bool { return !pushed })},
		{Name: "announcements-unreleased", Filter: unreleased(func(bool) bool { return true })},
		{Name: "strangers-released", Filter: promotes(func(pushed, held repo.ID) bool {
			return pushed.Identifier == held.Identifier && pushed.Owner != held.Owner
		})},
		{Name: "strangers-data-unseen", Filter: distrustful},
	}
}

var errApart = errors.New("defect: nothing is copied")

// apart copies nothing.
type apart struct{ backend }

func (apart) Copy(gitstore.Cancel, repo.ID, repo.ID, []repo.OID) error { return errApart }

// spreading makes every repository of an identifier follow a push to one of them: those that are empty, or those that are
// not.
type spreading struct {
	backend
	filled bool
}

func (s spreading) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	report, err := s.Backend.Receive(c, id, p, pack)
	if err != nil || slices.ContainsFunc(report.Results, func(r gitstore.Result) bool { return !r.OK }) {
		return report, err
	}
	all, err := s.Repositories()
	for _, other := range all {
		if other != id && other.Identifier == id.Identifier {
			err = errors.Join(err, s.follow(c, other, id, p.Commands))
		}
	}
	return report, err
}

// follow moves the refs of a repository to where commands have moved those of another one.
func (s spreading) follow(c gitstore.Cancel, id, from repo.ID, commands []gitproto.Command) error {
	refs, err := s.Refs(id)
	if err != nil || len(refs.Refs) > 0 != s.filled {
		return err
	}
	var own []gitproto.Command
	for _, command := range commands {
		if !push.Declarable(command.Ref) || command.New.IsZero() {
			continue
		}
		own = append(own, gitproto.Command{Old: refs.At(command.Ref), New: command.New, Ref: command.Ref})
		if err := s.Copy(c, id, from, []repo.OID{command.New}); err != nil {
			return err
		}
	}
	return s.Update(id, own, "")
}

// unreleased shows no announcement that is released, of repositories that were pushed to or not as hides says.
func unreleased(hides func(pushed bool) bool) func() Filter {
	return func() Filter {
		pushed, hidden := map[repo.ID]bool{}, map[string]bool{}
		return Filter{Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for _, e := range effects {
				n, ok := e.(core.Note)
				switch {
				case ok && n.Fact == core.PushFinished:
					pushed[n.Repo] = true
				case ok && n.Fact == core.EventReleased && n.Kind == policy.KindAnnouncement && hides(pushed[n.Repo]):
					hidden[n.Event] = true
				}
			}
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				s, sends := e.(core.Send)
				if !sends {
					return false
				}
				served, is := s.Msg.(relay.EventFor)
				return is && hidden[served.Event.ID]
			})
		}}
	}
}

// distrustful copies only from repositories of those whom the owner has named.
func distrustful() Filter {
	named := map[repo.ID][]repo.PubKey{}
	return Filter{
		In: func(i core.Input) (core.Input, bool) {
			if _, ev := published(i); ev != nil && ev.Kind == policy.KindAnnouncement {
				if a, reason := repo.ParseAnnouncement(ev); reason == "" {
					named[a.ID] = a.Maintainers
				}
			}
			return i, true
		},
		Out: func(_ core.Input, effects []core.Effect) []core.Effect {
			for n, e := range effects {
				if c, ok := e.(core.CopyObjects); ok && !slices.Contains(named[c.Repo], c.From.Owner) {
					c.From = repo.ID{}
					effects[n] = c
				}
			}
			return effects
		},
	}
}
