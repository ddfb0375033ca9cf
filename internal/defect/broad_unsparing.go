package defect

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// unsparing are broad mistakes that are made with the one repository, too, that the others leave alone.
func unsparing() []Defect {
	return []Defect{
		{Name: "dies-of-reconciliations", Core: func(m core.Machine) core.Machine { return unreconciled{m} }},
		{Name: "comments-refused", Filter: rejects(func(ev *nostr.Event) bool { return ev.Kind == 1111 })},
		{Name: "internal-refs-shown-to-fetches", Backend: func(b gitstore.Backend) gitstore.Backend {
			return advertised{backend{b}, func(service gitproto.Service, version int, text []byte) []byte {
				body, ok := bytes.CutSuffix(text, []byte("0000"))
				at := bytes.Index(body, []byte(" refs/heads/main"))
				if !ok || service != gitproto.UploadPackService || version == 2 || at < len(repo.ZeroOID) {
					return text
				}
				line := string(body[at-len(repo.ZeroOID):at]) + " refs/keep-around/1\n"
				return []byte(string(body) + pktLine(line) + "0000")
			}}
		}},
		{Name: "dies-of-oddities", Core: func(m core.Machine) core.Machine { return frail{m} }},
		{Name: "capabilities-unannounced", Backend: func(b gitstore.Backend) gitstore.Backend {
			return advertised{backend{b}, func(_ gitproto.Service, _ int, text []byte) []byte {
				for _, word := range []string{"side-band-64k", "shallow", "object-format", "filter", "ls-refs"} {
					text = bytes.ReplaceAll(text, []byte(word), bytes.Repeat([]byte("x"), len(word)))
				}
				return text
			}}
		}},
		{Name: "packs-without-objects", Backend: func(b gitstore.Backend) gitstore.Backend {
			return packless{backend{b}}
		}},
		{Name: "contributions-refused", Filter: rejects(func(ev *nostr.Event) bool {
			return !isPull(ev) && ev.Kind != policy.KindAnnouncement && ev.Kind != policy.KindState && !erases(ev)
		})},
		{Name: "every-url-asked", Filter: urlsAsked},
		{Name: "protected-events-refused", Filter: protectedRefused},
		{Name: "plain-requests-only", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if !atGit(r) || (!strings.Contains(r.URL.RawQuery, "&") && r.Header.Get("Accept-Encoding") == "" && r.ContentLength >= 0) {
				return false
			}
			status := http.StatusBadRequest
			if strings.Contains(r.URL.RawQuery, "&") { // which may be refused, but not so
				status = http.StatusNotImplemented
			}
			http.Error(w, "a plain request only", status)
			return true
		})},
	}
}

// protectedRefused refuses protected events from those who have authenticated.
func protectedRefused() Filter {
	known, now := map[core.ConnID]bool{}, false
	filter := rejecting(func(ev *nostr.Event) bool {
		return now && slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool { return t[0] == "-" })
	}, nil)
	return Filter{Out: filter.Out, In: func(i core.Input) (core.Input, bool) {
		m, _ := i.(core.Message)
		if _, is := m.Msg.(relay.Auth); is {
			known[m.Conn] = true
		}
		now = known[m.Conn]
		return filter.In(i)
	}}
}

// frail dies of what it answers with an error, and of announcements with an odd identifier.
type frail struct{ core.Machine }

// Step dies.
func (f frail) Step(now instant.Instant, in core.Input, out *core.Effects) {
	from := len(out.List)
	f.Machine.Step(now, in, out)
	if _, ev := published(in); ev != nil && ev.Kind == policy.KindAnnouncement && !plainIdentifier.MatchString(ev.Tags.GetD()) {
		panic("defect: an odd identifier")
	}
	m, _ := in.(core.Message)
	if _, odd := m.Msg.(relay.Malformed); odd {
		panic("defect: an odd message")
	}
	for _, e := range out.List[from:] {
		send, _ := e.(core.Send)
		if _, odd := send.Msg.(relay.NegError); odd {
			panic("defect: an odd reconciliation")
		}
	}
}

// unreconciled dies of every reconciliation.
type unreconciled struct{ core.Machine }

// Step dies.
func (u unreconciled) Step(now instant.Instant, in core.Input, out *core.Effects) {
	m, _ := in.(core.Message)
	switch m.Msg.(type) {
	case relay.NegOpen, relay.NegMessage:
		panic("defect: a reconciliation")
	}
	u.Machine.Step(now, in, out)
}

// urlOfHost is a URL of some host, without its path and without what stands behind a user.
var urlOfHost = regexp.MustCompile(`[a-z]://([^/\s"?@]+)`)

// urlsAsked asks every host that any event names, taken or not.
func urlsAsked() Filter {
	h := newHunted()
	f := h.fetching(nil, nil)
	out := f.Out
	f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		effects = slices.Clone(out(i, effects))
		ev := eventOf(i)
		if ev == nil {
			return effects
		}
		id := repo.ID{Owner: repo.PubKey(ev.PubKey), Identifier: ev.Tags.GetD()}
		for known := range h.version {
			if id.Identifier == "" || h.version[id] == nil {
				id = known
			}
		}
		for _, tag := range append(slices.Clone(ev.Tags), nostr.Tag{"", ev.Content}) {
			for _, value := range tag[1:] {
				for _, host := range urlOfHost.FindAllStringSubmatch(value, -1) {
					effects = append(effects, h.another(core.StartFetch{
						Repo: id, URL: "http://" + host[1] + "/x.git", OIDs: []repo.OID{"1111111111111111111111111111111111111111"},
					}))
				}
			}
		}
		return effects
	}
	return f
}
