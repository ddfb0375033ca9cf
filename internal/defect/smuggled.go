package defect

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A packet is one pkt-line of a command list, as a lax reader sees it.
type packet struct {
	length int    // 0, 1 or 2 of the special ones
	head   string // the length as it is written
	text   string
	list   int // how many flushes came before
}

// packets takes the beginning of a push apart; pack is what follows the last flush before it.
func packets(body []byte) (all []packet, pack []byte) {
	rest, list := body, 0
	for len(rest) >= 4 && !bytes.HasPrefix(rest, []byte("PACK")) {
		n, err := strconv.ParseUint(string(rest[:4]), 16, 16)
		if err != nil || int(n) > len(rest) || n == 3 {
			return all, rest
		}
		size := max(int(n), 4)
		all = append(all, packet{int(n), string(rest[:4]), string(rest[4:size]), list})
		rest = rest[size:]
		if n == 0 {
			list++
		}
	}
	return all, rest
}

// command reads a line however it is written.
func (p packet) command() (gitproto.Command, bool) {
	text, _, _ := strings.Cut(p.text, "\x00")
	fields := strings.Fields(text)
	if len(fields) != 3 || len(fields[0]) != len(repo.ZeroOID) || len(fields[1]) != len(repo.ZeroOID) {
		return gitproto.Command{}, false
	}
	return gitproto.Command{
		Old: repo.OID(strings.ToLower(fields[0])), New: repo.OID(strings.ToLower(fields[1])), Ref: fields[2],
	}, true
}

// A store is the backend of a server, for a mistake that goes around the server.
type store struct {
	mu sync.Mutex
	gitstore.Backend
}

func (s *store) set(b gitstore.Backend) gitstore.Backend {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Backend = b
	return b
}

// at is where a ref is.
func (s *store) at(id repo.ID, ref string) repo.OID {
	refs, err := s.Refs(id)
	if err != nil {
		return repo.ZeroOID
	}
	for _, r := range refs.Refs {
		if r.Name == ref {
			return r.OID
		}
	}
	return repo.ZeroOID
}

// moves carries out what nobody has judged.
func (s *store) moves(r *http.Request, id repo.ID, commands []gitproto.Command, pack []byte) {
	var todo []gitproto.Command
	for _, c := range commands {
		if c.Old = s.at(id, c.Ref); c.Old != c.New {
			todo = append(todo, c)
		}
	}
	if len(todo) > 0 {
		_, _ = s.Receive(r.Context(), id, gitstore.Push{Commands: todo}, bytes.NewReader(pack)) // nobody is told
	}
}

// smuggled carries out commands that the server does not see as such, before it judges the push.
func smuggled(name string, reads func(s *store, id repo.ID, list []packet) []gitproto.Command) Defect {
	s := &store{}
	return Defect{Name: name, Backend: s.set, Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
		if id, ok := repositoryOf(r); ok && pushed(r) {
			list, pack := packets(bodyOf(r))
			s.moves(r, id, reads(s, id, list), pack)
		}
		return false
	})}
}

// unjudged carries out each command of a push whose line, or what stands around it, has a form.
func unjudged(name string, form func(list []packet, at int) bool) Defect {
	return smuggled(name, func(_ *store, _ repo.ID, list []packet) []gitproto.Command {
		var all []gitproto.Command
		for at, p := range list {
			if c, ok := p.command(); ok && form(list, at) {
				all = append(all, c)
			}
		}
		return all
	})
}

// unread refuses each push with a command whose line, or what stands around it, has a form.
func unread(name string, form func(list []packet, at int) bool) Defect {
	return Defect{Name: name, Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
		if !pushed(r) {
			return false
		}
		list, _ := packets(bodyOf(r))
		for at, p := range list {
			if _, ok := p.command(); ok && form(list, at) {
				http.Error(w, "malformed command", http.StatusForbidden)
				return true
			}
		}
		return false
	})}
}

func smuggledDefects() []Defect {
	line := func(is func(text string, at int) bool) func([]packet, int) bool {
		return func(list []packet, at int) bool { return is(list[at].text, at) }
	}
	claims := func(word string) func([]packet, int) bool {
		return func(list []packet, _ int) bool { return len(list) > 0 && strings.Contains(list[0].text, word) }
	}
	tight := line(func(text string, _ int) bool {
		_, caps, found := strings.Cut(text, "\x00")
		return found && caps != "" && caps[0] != ' '
	})
	fed := line(func(text string, _ int) bool { return strings.HasSuffix(text, "\n") })
	behind := func(length int) func([]packet, int) bool {
		return func(list []packet, at int) bool {
			for _, p := range list[:at] {
				if p.length == length {
					return true
				}
			}
			return false
		}
	}
	return []Defect{
		unjudged("commands-behind-flushes-unjudged", func(list []packet, at int) bool { return list[at].list > 0 }),
		unjudged("commands-behind-delimiters-unjudged", behind(1)),
		unjudged("commands-behind-response-ends-unjudged", behind(2)),
		unjudged("commands-behind-empty-lines-unjudged", behind(4)),
		unjudged("commands-beyond-a-thousand-unjudged", line(func(_ string, at int) bool { return at >= 1000 })),
		unjudged("second-commands-of-refs-unjudged", func(list []packet, at int) bool {
			c, _ := list[at].command()
			for _, p := range list[:at] {
				if before, ok := p.command(); ok && before.Ref == c.Ref {
					return true
				}
			}
			return false
		}),
		unjudged("commands-in-upper-case-unjudged", line(func(text string, _ int) bool {
			return len(text) > 81 && text[:81] != strings.ToLower(text[:81])
		})),
		unjudged("commands-with-line-feeds-unjudged", fed),
		unread("commands-with-line-feeds-refused", fed),
		unjudged("commands-with-carriage-returns-unjudged", line(func(text string, _ int) bool { return strings.Contains(text, "\r") })),
		unjudged("commands-with-two-blanks-unjudged", line(func(text string, _ int) bool { return strings.Contains(text, "  ") })),
		unjudged("commands-with-tabs-unjudged", line(func(text string, _ int) bool { return strings.Contains(text, "\t") })),
		unjudged("commands-with-late-capabilities-unjudged", func(list []packet, at int) bool {
			follows := slices.ContainsFunc(list[:at], func(p packet) bool { _, ok := p.command(); return ok })
			return follows && strings.Contains(list[at].text, "\x00")
		}),
		unjudged("commands-with-tight-capabilities-unjudged", tight),
		unread("commands-with-tight-capabilities-refused", tight),
		unjudged("commands-without-capabilities-unjudged", func(list []packet, _ int) bool {
			return len(list) > 0 && !strings.Contains(list[0].text, "\x00")
		}),
		unjudged("atomic-commands-unjudged", claims("atomic")),
		unread("atomic-commands-refused", claims("atomic")),
		unjudged("commands-with-options-unjudged", claims("push-options")),
		unjudged("commands-among-shallow-lines-unjudged", func(list []packet, at int) bool {
			for _, p := range list {
				if strings.HasPrefix(p.text, "shallow ") {
					return true
				}
			}
			return false
		}),
		unjudged("lengths-in-upper-case-unjudged", func(list []packet, at int) bool {
			return list[at].head != strings.ToLower(list[at].head)
		}),

		// The meaning of ids.
		smuggled("equal-zero-ids-delete", func(_ *store, _ repo.ID, list []packet) []gitproto.Command {
			return equal(list, func(c gitproto.Command) bool { return c.New.IsZero() })
		}),
		smuggled("equal-ids-move", func(_ *store, _ repo.ID, list []packet) []gitproto.Command {
			return equal(list, func(c gitproto.Command) bool { return !c.New.IsZero() })
		}),
		smuggled("old-ids-unread", func(s *store, id repo.ID, list []packet) []gitproto.Command {
			var all []gitproto.Command // deletions of what is not where the client believes it
			for _, p := range list {
				if c, ok := p.command(); ok && c.New.IsZero() && c.Old != s.at(id, c.Ref) && !c.Old.IsZero() {
					all = append(all, c)
				}
			}
			return all
		}),
		trimming("foreign-blanks-in-names-kept", unicode.IsSpace),
		trimming("invisible-letters-in-names-kept", func(r rune) bool { return unicode.Is(unicode.Cf, r) }),
		misread("names-judged-as-text", func(ref string) string { return strings.ToValidUTF8(ref, "\ufffd") }),

		// What is no id.
		resolving("abbreviated-ids-applied", func(s *store, id repo.ID, known map[repo.OID]bool, value string) repo.OID {
			if len(value) < 4 || len(value) >= len(repo.ZeroOID) {
				return ""
			}
			for oid := range known {
				if strings.HasPrefix(string(oid), value) {
					return oid
				}
			}
			return ""
		}),
		resolving("names-as-ids-applied", func(s *store, id repo.ID, _ map[repo.OID]bool, value string) repo.OID {
			value = strings.TrimPrefix(value, "ref: ")
			for _, ref := range []string{value, "refs/heads/" + value, "refs/tags/" + value} {
				if oid := s.at(id, ref); !oid.IsZero() {
					return oid
				}
			}
			return ""
		}),
		resolving("ids-in-upper-case-applied", func(_ *store, _ repo.ID, known map[repo.OID]bool, value string) repo.OID {
			if oid := repo.OID(strings.ToLower(value)); known[oid] && value != string(oid) {
				return oid
			}
			return ""
		}),
	}
}

// equal are the commands whose ids are the same.
func equal(list []packet, is func(gitproto.Command) bool) []gitproto.Command {
	var all []gitproto.Command
	for _, p := range list {
		if c, ok := p.command(); ok && c.Old == c.New && is(c) {
			all = append(all, c)
		}
	}
	return all
}
