package defect

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// resolving takes the values of states for what git makes of them, and moves refs there.
func resolving(name string, resolve func(s *store, id repo.ID, known map[repo.OID]bool, value string) repo.OID) Defect {
	s := &store{}
	known := map[repo.OID]bool{}
	return Defect{
		Name: name, Backend: s.set,
		Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				if o, ok := i.(core.PushOffered); ok {
					for _, c := range o.Commands {
						known[c.New] = true
					}
				}
				_, ev := published(i)
				if ev == nil || ev.Kind != policy.KindState {
					return i, true
				}
				id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
				var commands []gitproto.Command
				for _, tag := range ev.Tags {
					if len(tag) < 2 || !push.Declarable(tag[0]) || repo.IsOID(tag[1]) {
						continue
					}
					if oid := resolve(s, id, known, tag[1]); oid != "" && oid != s.at(id, tag[0]) {
						commands = append(commands, gitproto.Command{Old: s.at(id, tag[0]), New: oid, Ref: tag[0]})
					}
				}
				if len(commands) > 0 {
					_ = s.Update(id, commands, "") // nobody is told
				}
				return i, true
			}}
		},
	}
}

// trimming judges the name of a ref without some letters at its ends, and makes the ref with them.
func trimming(name string, letter func(rune) bool) Defect {
	return misread(name, func(ref string) string {
		left := strings.TrimFunc(ref, letter)
		if strings.Trim(ref, " \t\r\n") == left {
			return ref
		}
		return left
	})
}

// misread judges a ref by what somebody makes of its name, and makes the ref that was meant.
func misread(name string, reads func(ref string) string) Defect {
	var mu sync.Mutex
	whole := map[string]string{} // names as they came, by what is left of them
	return Defect{
		Name: name,
		Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if !pushed(r) {
				return false
			}
			list, pack := packets(bodyOf(r))
			var body strings.Builder
			changed := false
			for _, p := range list {
				if p.length < 4 {
					body.WriteString(p.head)
					continue
				}
				text, caps, found := strings.Cut(p.text, "\x00")
				const ids = 82 // two object ids, each with a space
				if len(text) > ids {
					if left := reads(text[ids:]); left != text[ids:] {
						mu.Lock()
						whole[left] = text[ids:]
						mu.Unlock()
						text, changed = text[:ids]+left, true
					}
				}
				if found {
					text += "\x00" + caps
				}
				fmt.Fprintf(&body, "%04x%s", len(text)+4, text)
			}
			if changed {
				sends(r, append([]byte(body.String()), pack...))
			}
			return false
		}),
		Backend: func(b gitstore.Backend) gitstore.Backend {
			return renaming{backend{b}, func(ref string) string {
				mu.Lock()
				defer mu.Unlock()
				name, found := whole[ref]
				if !found {
					return ref
				}
				delete(whole, ref)
				return name
			}}
		},
	}
}

// renaming gives the refs of pushes other names.
type renaming struct {
	backend
	name func(ref string) string
}

func (n renaming) Receive(c gitstore.Cancel, id repo.ID, p gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	given := p.Commands
	p.Commands = slices.Clone(given)
	for i := range p.Commands {
		if name := n.name(given[i].Ref); name != given[i].Ref {
			p.Commands[i].Ref, p.Commands[i].Old = name, repo.ZeroOID
		}
	}
	report, err := n.Backend.Receive(c, id, p, pack)
	for i := range report.Results {
		if i < len(given) {
			report.Results[i].Ref = given[i].Ref
		}
	}
	return report, err
}
