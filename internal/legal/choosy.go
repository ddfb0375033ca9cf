package legal

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/web"
)

// choosy are servers that take less than others of what nobody has to take, or keep it until they can.
func choosy() []Server {
	return []Server{
		{
			Name: "states-wait-for-announcements", What: "holds a state of a repository that nobody has announced yet",
			Owes:   map[string]string{"G01-REL-10": "it holds what it should refuse, which G01-PURG-16 allows"},
			Near:   []string{"G01-PURG-16", "G01-REL-10", "G01-PURG-11", "G01-DEL-0"},
			habits: func() []habit { return []habit{waitsFor("invalid: no announcement exists", kindState)} },
		},
		{
			Name: "comments-wait-for-repositories", What: "holds what refers to an announcement that is held",
			Near:   []string{"G01-REL", "G01-PURG-04"},
			habits: func() []habit { return []habit{heldWithTheirs()} },
		},
		{
			Name: "odd-states-refused", What: "refuses states with an entry that is malformed (AMB-12), or is about a ref that is no branch and no tag",
			Near:   []string{"N34-ST", "G01-HEAD", "G01-PUSH-17", "SEC-04"},
			habits: func() []habit { return []habit{judging(oddState)} },
		},
		{
			Name: "odd-pull-requests-refused", What: "refuses a pull request whose first c tag holds nothing, and an update whose first E tag does",
			Near: []string{"G01-PR-0", "G01-PR-12", "G01-PR-13", "G01-PR-14", "N34-01"},
			habits: func() []habit {
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind != kindPullRequest && ev.Kind != kindPullRequestUpdate {
						return ""
					}
					for _, name := range []string{"c", "E"} {
						at := slices.IndexFunc(ev.Tags, func(t nostr.Tag) bool { return len(t) > 0 && t[0] == name })
						if at >= 0 && len(ev.Tags[at]) == 1 {
							return "invalid: the tag " + name + " holds nothing"
						}
					}
					return ""
				})}
			},
		},
		{
			Name: "withdrawals-refused", What: "refuses an announcement that lists this service no more, where the one before did",
			Near: []string{"G01-ANN-18", "G01-ANN-16", "G01-MNT-05"},
			habits: func() []habit {
				host, known := "127.0.0.1:7334", map[place]bool{}
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind != kindAnnouncement {
						return ""
					}
					clone, relays := ev.Tags.Find("clone"), ev.Tags.Find("relays")
					in := func(s string) bool { return strings.Contains(s, host) }
					lists := slices.ContainsFunc(clone, in) && slices.ContainsFunc(relays, in)
					if known[placeOf(ev)] && !lists {
						return "invalid: the announcement lists this service no more"
					}
					known[placeOf(ev)] = known[placeOf(ev)] || lists && wellSigned(ev)
					return ""
				})}
			},
		},
		{
			Name: "dashes-alone-protect", What: "takes a tag - that has a value for a tag like others: what protects an event is the dash alone",
			Near: []string{"N70"},
			habits: func() []habit {
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					m := read(msg)
					if m.verb != "EVENT" || m.event == nil || !wellSigned(m.event) {
						return nil, true
					}
					if dash := m.event.Tags.Find("-"); len(dash) < 2 {
						return nil, true
					}
					return [][]byte{write("OK", m.event.ID, true, "")}, false
				}}}
			},
		},
		{
			Name: "asks-announcements-for-work", What: "asks for eight bits of work in the id of an announcement, and says so in its refusal alone",
			Near: []string{"N13", "G01-ANN-01", "G01-N11-03", "G01-N11-08"},
			habits: func() []habit {
				return []habit{judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
					if ev.Kind == kindAnnouncement && !strings.HasPrefix(ev.ID, "00") {
						return "pow: 8 bits of work are needed for a new repository"
					}
					return ""
				})}
			},
		},
		{
			Name: "web-of-trust", What: "takes comments, reactions and notes of keys that an announcement names, and says so",
			Near:   []string{"G01-REL"},
			web:    func(c *web.Config) { c.Curation = "Strangers are not taken before somebody lists them." },
			habits: func() []habit { return []habit{trusting()} },
		},
		{
			Name: "contributions-of-64-kib", What: "answers 413 to a push of more than 64 KiB to refs of pull requests",
			Near: []string{"G01-PR"},
			habits: answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
				body, err := whole(req)
				if err != nil {
					return nil, err
				}
				if isPush(req) && len(body) > 64<<10 && strings.Contains(string(body[:min(len(body), 400)]), " refs/nostr/") {
					return page{http.StatusRequestEntityTooLarge, "a contribution has 64 KiB at most\n"}.to(req), nil
				}
				return next(req)
			}),
		},
		{
			Name: "unknown-filters-closed", What: "closes queries whose filter has a field that it does not know",
			Near: []string{"N01-REQ"},
			habits: func() []habit {
				tags := regexp.MustCompile(`^#[A-Za-z]$`)
				return []habit{{hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
					m := read(msg)
					if m.verb != "REQ" || len(m.parts) < 3 {
						return nil, true
					}
					for _, part := range m.parts[2:] {
						var filter map[string]json.RawMessage
						if json.Unmarshal(part, &filter) != nil {
							return nil, true
						}
						for name := range filter {
							if !tags.MatchString(name) && !slices.Contains([]string{"ids", "authors", "kinds", "since", "until", "limit"}, name) {
								return [][]byte{write("CLOSED", m.name, "unsupported: filter field "+name)}, false
							}
						}
					}
					return nil, true
				}}}
			},
		},
	}
}

// waitsFor holds what is refused in some words, and tries it again behind each announcement that is taken.
func waitsFor(words string, kind int) habit {
	came := map[string]*nostr.Event{}
	raw := map[string][]byte{}
	kept := map[string][]string{} // ids by identifier
	asked := map[string]string{}  // identifier by the id of an announcement
	told := map[string]bool{}
	return habit{
		hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "EVENT" || m.event == nil {
				return nil, true
			}
			switch m.event.Kind {
			case kind:
				came[m.event.ID], raw[m.event.ID] = m.event, msg
			case kindAnnouncement:
				asked[m.event.ID] = m.event.Tags.GetD()
			case kindDeletion:
				for d, ids := range kept {
					kept[d] = slices.DeleteFunc(ids, func(id string) bool {
						own := fmt.Sprintf("%d:%s:%s", kind, came[id].PubKey, d)
						named := m.event.Tags.FindWithValue("e", id) != nil || m.event.Tags.FindWithValue("a", own) != nil && m.event.CreatedAt >= came[id].CreatedAt
						return m.event.PubKey == came[id].PubKey && wellSigned(m.event) && named
					})
				}
			}
			return nil, true
		},
		changes: func(msg []byte) []byte {
			m := read(msg)
			if ev := came[m.name]; m.verb == "OK" && !m.yes && ev != nil && strings.HasPrefix(m.text, words) {
				if d := ev.Tags.GetD(); !slices.Contains(kept[d], m.name) {
					kept[d] = append(kept[d], m.name)
				}
				return write("OK", m.name, true, "purgatory: won't be served until git data arrives")
			}
			return msg
		},
		says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			d, announced := asked[m.name]
			if m.verb == "OK" && m.yes && announced && !told[m.name] {
				told[m.name] = true
				ids := kept[d]
				delete(kept, d)
				for _, id := range ids {
					l.front.tell(raw[id])
				}
			}
			return 0, true
		},
	}
}

// heldWithTheirs says of what refers to a repository whose announcement waits that it waits, too, and tries it again every second.
func heldWithTheirs() habit {
	waits := map[string]bool{} // coordinates of announcements that wait
	asked := map[string]string{}
	came, raw := map[string]*nostr.Event{}, map[string][]byte{}
	type kept struct {
		id    string
		since time.Time
	}
	var all []kept
	var last time.Time
	tellAgain := func(f *front, now time.Time) {
		if now.Sub(last) < time.Second {
			return
		}
		last = now
		all = slices.DeleteFunc(all, func(k kept) bool { return now.Sub(k.since) > 30*time.Minute })
		for _, k := range all {
			f.tell(raw[k.id])
		}
	}
	return habit{
		looks: func(now time.Time, l *line) { tellAgain(l.front, now) },
		hears: func(_ time.Time, _ *line, msg []byte) ([][]byte, bool) {
			m := read(msg)
			if m.verb != "EVENT" || m.event == nil || !wellSigned(m.event) {
				return nil, true
			}
			came[m.event.ID], raw[m.event.ID] = m.event, msg
			if m.event.Kind == kindAnnouncement {
				asked[m.event.ID] = fmt.Sprintf("%d:%s:%s", kindAnnouncement, m.event.PubKey, m.event.Tags.GetD())
			}
			if m.event.Kind == kindDeletion {
				all = slices.DeleteFunc(all, func(k kept) bool {
					return m.event.Tags.FindWithValue("e", k.id) != nil && came[k.id].PubKey == m.event.PubKey
				})
			}
			return nil, true
		},
		says: func(now time.Time, _ *line, msg []byte) (time.Duration, bool) {
			m := read(msg)
			switch {
			case m.verb == "OK" && m.yes && strings.HasPrefix(m.text, "purgatory:") && asked[m.name] != "":
				waits[asked[m.name]] = true
			case m.verb == "OK" && !m.yes && strings.HasPrefix(m.text, "invalid: event must reference") && came[m.name] != nil:
				if slices.ContainsFunc(came[m.name].Tags, func(t nostr.Tag) bool { return len(t) > 1 && waits[t[1]] }) &&
					!slices.ContainsFunc(all, func(k kept) bool { return k.id == m.name }) {
					all = append(all, kept{m.name, now})
				}
			}
			return 0, true
		},
		changes: func(msg []byte) []byte {
			m := read(msg)
			if m.verb == "OK" && !m.yes && slices.ContainsFunc(all, func(k kept) bool { return k.id == m.name }) {
				return write("OK", m.name, true, "purgatory: won't be served until git data arrives")
			}
			return msg
		},
	}
}

// oddState says what is malformed in a state.
func oddState(_ time.Time, _ *line, ev *nostr.Event) string {
	if ev.Kind != kindState {
		return ""
	}
	oid, seen := regexp.MustCompile(`^[0-9a-f]{40}$`), map[string]bool{}
	for _, t := range ev.Tags {
		switch {
		case len(t) == 0 || t[0] != "HEAD" && !strings.HasPrefix(t[0], "refs/"):
		case t[0] == "HEAD":
			if seen["HEAD"] || len(t) < 2 || !strings.HasPrefix(t[1], "ref: refs/heads/") {
				return "invalid: the HEAD of the state is malformed"
			}
			seen["HEAD"] = true
		case len(t) < 2 || !oid.MatchString(t[1]) || t[1] == strings.Repeat("0", 40) || seen[t[0]]:
			return "invalid: the state has a malformed entry"
		case !strings.HasPrefix(t[0], "refs/heads/") && !strings.HasPrefix(t[0], "refs/tags/"):
			return "invalid: a state is about branches and tags"
		default:
			seen[t[0]] = true
		}
	}
	return ""
}

// trusting takes what is no matter of git from those alone whom an announcement names, or who have announced something.
func trusting() habit {
	known := map[string]bool{}
	return judging(func(_ time.Time, _ *line, ev *nostr.Event) string {
		if ev.Kind == kindAnnouncement && wellSigned(ev) {
			known[ev.PubKey] = true
			for _, key := range ev.Tags.Find("maintainers") {
				known[key] = true
			}
		}
		if slices.Contains([]int{1, 7, 1111, 1622, 1985, 9802}, ev.Kind) && !known[ev.PubKey] && wellSigned(ev) {
			return "blocked: you are not in the web of trust of this relay"
		}
		return ""
	})
}
