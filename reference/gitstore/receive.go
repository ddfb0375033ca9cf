package gitstore

import (
	"errors"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// Receive implements Backend. The pack is read into a quarantine; of it only objects that a new ref value reaches
// move into the repository, and only if all commands succeed (G01-PUSH-21, G01-PUSH-22, G01-PUSH-29). Push.Shallow
// is not used: everything that a new value reaches must be there.
func (m *Memory) Receive(c Cancel, id repo.ID, push Push, pack io.Reader) (Report, error) {
	r, err := m.repository(id)
	if err != nil {
		return Report{}, err
	}
	quarantine := newObjects(r.objects)
	if NeedsPack(push.Commands) {
		if err := readPack(c, pack, m.limits, quarantine); err != nil {
			if c.Err() != nil {
				return Report{}, err
			}
			return Refused(push.Commands, unpackReason(err), nil), nil
		}
	}
	reasons := r.refusals(push.Commands, quarantine)
	walk := connectivity{from: quarantine, seen: map[plumbing.Hash]bool{}}
	for _, command := range push.Commands {
		if command.New.IsZero() || reasons[command.Ref] != "" {
			continue
		}
		complete, err := walk.complete(c, hashOf(command.New))
		if err != nil {
			return Report{}, err
		}
		if !complete {
			if reasons == nil {
				reasons = map[string]string{}
			}
			reasons[command.Ref] = ReasonMissing
		}
	}
	if reasons != nil {
		return Refused(push.Commands, UnpackOK, reasons), nil
	}
	for _, s := range walk.reached {
		r.objects.put(s)
	}
	r.apply(push.Commands)
	report := Report{Unpack: UnpackOK}
	for _, command := range push.Commands {
		report.Results = append(report.Results, Result{Ref: command.Ref, OK: true})
	}
	return report, nil
}

// NeedsPack reports whether a pack follows the commands: it does unless all of them delete.
func NeedsPack(commands []gitproto.Command) bool {
	return slices.ContainsFunc(commands, func(c gitproto.Command) bool { return !c.New.IsZero() })
}

func unpackReason(err error) string {
	var bad *packError
	if errors.As(err, &bad) {
		return bad.what
	}
	return "the pack could not be read"
}

// A connectivity walk visits what the new values of a push reach, up to objects that the repository has: those are
// complete, because nothing comes in that is not.
type connectivity struct {
	from    *objects
	seen    map[plumbing.Hash]bool // objects found complete or broken
	broken  bool
	reached []*stored // new objects, in the order of the walk
}

type link struct {
	hash plumbing.Hash
	kind ObjectType // what it must be; AnyObject for a new ref value
}

// complete reports whether everything that start reaches is there, well-formed and of the right type. After one
// false answer all later ones are false: the push is refused as a whole anyway.
func (w *connectivity) complete(c Cancel, start plumbing.Hash) (bool, error) {
	stack := []link{{start, plumbing.AnyObject}}
	for len(stack) > 0 && !w.broken {
		if err := c.Err(); err != nil {
			return false, err
		}
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s, ok := w.from.get(next.hash)
		if !ok || next.kind != plumbing.AnyObject && next.kind != s.Type() {
			w.broken = true
			break
		}
		if w.seen[next.hash] || w.from.base.has(next.hash) {
			continue
		}
		w.seen[next.hash] = true
		w.reached = append(w.reached, s)
		links, err := linksOf(s)
		if err != nil {
			w.broken = true
		}
		stack = append(stack, links...)
	}
	return !w.broken, nil
}

func linksOf(s *stored) ([]link, error) {
	switch s.Type() {
	case Commit:
		c, err := parseCommit(s.Data)
		links := []link{{c.tree, Tree}}
		for _, parent := range c.parents {
			links = append(links, link{parent, Commit})
		}
		return links, err
	case Tag:
		t, err := parseTag(s.Data)
		return []link{{t.target, t.kind}}, err
	case Tree:
		if err := checkTree(s.Data); err != nil {
			return nil, err
		}
		var links []link
		for data := s.Data; len(data) > 0; {
			entry, rest, err := nextLink(data)
			if err != nil {
				return nil, err
			}
			if entry.kind != 0 {
				links = append(links, link{entry.hash, entry.kind})
			}
			data = rest
		}
		return links, nil
	default:
		return nil, nil
	}
}
