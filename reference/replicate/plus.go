package replicate

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A PlusConfig is the settings of sync plus (GRASP-03): what participants of accepted repositories have written elsewhere. Zero values
// stand for the defaults.
type PlusConfig struct {
	On              bool
	Index           []string // relays that are asked for profiles and lists first, ws or wss URLs
	Fallback        []string // where participants of whom no relay list is known are taken to write
	ParticipantsMax int      // of whom anything is looked for
	PerRepoMax      int      // those that one repository may bring
	RelaysMax       int      // relays that nothing but their lists brings
	OutboxMax       int      // relays of one participant
	RootsMax        int      // root events whose answers are looked for at one of them
}

// The defaults.
const (
	PlusParticipantsMax = 1_000
	PlusPerRepoMax      = 100
	PlusRelaysMax       = 50
	PlusOutboxMax       = 4
	PlusRootsMax        = 2_000
)

func (c PlusConfig) withDefaults() PlusConfig {
	c.ParticipantsMax = cmp.Or(c.ParticipantsMax, PlusParticipantsMax)
	c.PerRepoMax = cmp.Or(c.PerRepoMax, PlusPerRepoMax)
	c.RelaysMax = cmp.Or(c.RelaysMax, PlusRelaysMax)
	c.OutboxMax = cmp.Or(c.OutboxMax, PlusOutboxMax)
	c.RootsMax = cmp.Or(c.RootsMax, PlusRootsMax)
	return c
}

func (c PlusConfig) validate() error {
	if min(c.ParticipantsMax, c.PerRepoMax, c.RelaysMax, c.OutboxMax, c.RootsMax) < 0 {
		return errors.New("replicate: a limit of sync plus is negative")
	}
	return nil
}

// plus is what is known of participants: the owner and the maintainers of an accepted repository, and whoever has written something
// accepted about it. What is wanted for them is worked out anew a while after anything has changed, and the difference is added and
// dropped. Nothing of it is about a repository that is marked as private (G03-04).
type plus struct {
	at      instant.Instant              // when it is worked out; 0 if nothing has changed
	parts   map[string]map[repo.ID]int   // by key: repositories that it has a part in, and how often
	outbox  map[string]userList          // by key
	listOf  map[string]string            // keys by event
	chosen  map[string]bool              // participants of whom something is looked for
	wants   map[string]map[item]struct{} // by relay
	leftOut int                          // relays for which there was no room the last time
}

func newPlus() plus {
	return plus{
		parts: map[string]map[repo.ID]int{}, outbox: map[string]userList{}, listOf: map[string]string{}, chosen: map[string]bool{},
		wants: map[string]map[item]struct{}{},
	}
}

// plusChanges has what is wanted for participants worked out anew.
func (m *Machine) plusChanges(now instant.Instant) {
	if m.cfg.Plus.On && m.plus.at == 0 {
		m.plus.at = now.Add(m.cfg.Window)
	}
}

// takesPart counts reasons for which a key has a part in a repository.
func (m *Machine) takesPart(now instant.Instant, key string, id repo.ID, reasons int) {
	if !m.cfg.Plus.On {
		return
	}
	of := m.plus.parts[key]
	if of == nil {
		of = map[repo.ID]int{}
		m.plus.parts[key] = of
	}
	if of[id] += reasons; of[id] <= 0 {
		delete(of, id)
	}
	if len(of) == 0 {
		delete(m.plus.parts, key)
	}
	m.plusChanges(now)
}

// leads counts the owner and the maintainers of an announcement, or counts them no more.
func (m *Machine) leads(now instant.Instant, w *wanted, reasons int) {
	if w == nil || !w.served || !m.cfg.Plus.On {
		return
	}
	for _, key := range leaders(w) {
		m.takesPart(now, key, w.id, reasons)
	}
	m.plusChanges(now)
}

// leaders are the owner and the maintainers that an announcement lists, each once.
func leaders(w *wanted) []string {
	list := []string{string(w.id.Owner)}
	if a, why := repo.ParseAnnouncement(w.ev); why == "" {
		for _, key := range a.Maintainers {
			list = with(list, string(key))
		}
	}
	return list
}

// talks counts the author of a speech for the repositories that it is about, or no more.
func (m *Machine) talks(now instant.Instant, s speech, reasons int) {
	for _, key := range s.of {
		if id, ok := repo.ParseCoordinate(key); ok {
			m.takesPart(now, s.author, id, reasons)
		}
	}
}

// writes takes the relay list of an author, or the end of it (NIP-65): where he writes, as far as it is looked at.
func (m *Machine) writes(now instant.Instant, author string, ev *nostr.Event) {
	if old, known := m.plus.outbox[author]; known {
		delete(m.plus.listOf, old.id)
		delete(m.plus.outbox, author)
	}
	if ev != nil {
		list := userList{id: ev.ID}
		for _, tag := range ev.Tags[:min(len(ev.Tags), relaysRead)] {
			if len(tag) < 2 || tag[0] != "r" || len(tag) > 2 && tag[2] == "read" {
				continue
			}
			if url, why := m.address(tag[1]); why == "" && len(list.relays) < m.cfg.Plus.OutboxMax {
				list.relays = inserted(list.relays, url)
			}
		}
		m.plus.outbox[author], m.plus.listOf[ev.ID] = list, author
	}
	m.plusChanges(now)
}

// secret reports whether a repository is marked as private by an announcement of its maintainer set (G08-09).
func (m *Machine) secret(id repo.ID) bool {
	seen := []string{string(id.Owner)}
	for n := 0; n < len(seen) && n < secretsMax; n++ {
		w := m.repos[repo.ID{Owner: repo.PubKey(seen[n]), Identifier: id.Identifier}]
		if w == nil {
			continue
		}
		if tag := w.ev.Tags.Find("private"); tag != nil && tag[1] == "true" {
			return true
		}
		for _, key := range leaders(w) {
			seen = with(seen, key)
		}
	}
	return false
}

// secretsMax is how many announcements of a maintainer set are looked at.
const secretsMax = 200

// Participates reports whether a key has a part in an accepted repository, so that its profile and its lists belong here (G03-03,
// G03-06).
func (m *Machine) Participates(key string) bool {
	switch {
	case !m.cfg.Plus.On:
		return false
	case m.plus.chosen[key]:
	case len(m.plus.chosen) >= m.cfg.Plus.ParticipantsMax:
		return false
	}
	return slices.ContainsFunc(slices.SortedFunc(maps.Keys(m.plus.parts[key]), repo.ID.Compare), func(id repo.ID) bool {
		w := m.repos[id]
		return w != nil && w.served && !m.secret(id)
	})
}

// plusDue works out what is wanted for participants.
func (m *Machine) plusDue(now instant.Instant) {
	m.plus.at = 0
	open := slices.DeleteFunc(slices.SortedFunc(maps.Keys(m.repos), repo.ID.Compare), func(id repo.ID) bool {
		return !m.repos[id].served || m.secret(id)
	})
	of := m.choose(open)
	wants := map[string]map[item]struct{}{}
	want := func(url string, it item) {
		if wants[url] == nil {
			wants[url] = map[item]struct{}{}
		}
		wants[url][it] = struct{}{}
	}
	index, fallback := m.addresses(m.cfg.Plus.Index), m.addresses(m.cfg.Plus.Fallback)
	writing := func(key string) []string {
		if list, known := m.plus.outbox[key]; known {
			return list.relays
		}
		return fallback
	}
	for _, key := range slices.Sorted(maps.Keys(m.plus.chosen)) {
		for _, urls := range [][]string{index, writing(key)} {
			for _, url := range urls {
				want(url, item{profiles, key})
			}
		}
	}
	for _, id := range open {
		w, asked := m.repos[id], m.rootsOf(id)
		for _, key := range of[id] {
			for _, url := range w.relays {
				want(url, item{profiles, key})
			}
			for _, url := range writing(key) {
				for _, root := range asked {
					if len(wants[url]) < m.cfg.Plus.RootsMax {
						want(url, item{roots, root})
					}
				}
			}
		}
	}
	m.plusWants(now, wants)
}

// choose picks of whom something is looked for: owners and maintainers first, then who was picked before, then the others; so many of
// each repository, and in all. It returns them by repository.
func (m *Machine) choose(open []repo.ID) map[repo.ID][]string {
	of, before := map[repo.ID][]string{}, m.plus.chosen
	m.plus.chosen = map[string]bool{}
	pick := func(id repo.ID, key string) {
		if len(of[id]) >= m.cfg.Plus.PerRepoMax || slices.Contains(of[id], key) {
			return
		}
		if !m.plus.chosen[key] && len(m.plus.chosen) >= m.cfg.Plus.ParticipantsMax {
			return
		}
		m.plus.chosen[key] = true
		of[id] = append(of[id], key)
	}
	for _, id := range open {
		for _, key := range leaders(m.repos[id]) {
			pick(id, key)
		}
	}
	for _, former := range []bool{true, false} {
		for _, id := range open {
			for _, ev := range m.about[m.repos[id].key] {
				if author := m.spoken[ev].author; before[author] == former {
					pick(id, author)
				}
			}
		}
	}
	return of
}

// rootsOf lists the root events of a repository.
func (m *Machine) rootsOf(id repo.ID) []string {
	var list []string
	for _, ev := range m.about[m.repos[id].key] {
		if m.spoken[ev].root {
			list = append(list, ev)
		}
	}
	return list
}

// addresses normalizes the relays of a setting, and leaves out what is none.
func (m *Machine) addresses(texts []string) []string {
	var list []string
	for _, text := range texts {
		if url, why := m.address(text); why == "" {
			list = with(list, url)
		}
	}
	return list
}

// plusWants puts what is wanted in the place of what was.
func (m *Machine) plusWants(now instant.Instant, wants map[string]map[item]struct{}) {
	leftOut := 0
	for _, url := range slices.Sorted(maps.Keys(wants)) {
		l := m.plusLink(url)
		if l == nil {
			delete(wants, url)
			leftOut++
			continue
		}
		for _, it := range slices.SortedFunc(maps.Keys(wants[url]), compareItems) {
			if _, had := m.plus.wants[url][it]; !had {
				m.add(now, l, it)
			}
		}
	}
	old := m.plus.wants
	m.plus.wants = wants
	for _, url := range slices.Sorted(maps.Keys(old)) {
		for _, it := range slices.SortedFunc(maps.Keys(old[url]), compareItems) {
			if _, has := wants[url][it]; !has {
				m.drop(now, m.links[url], it)
			}
		}
	}
	if leftOut > m.plus.leftOut {
		m.tell(Told{Fact: RelayLeftOut, Reason: strconv.Itoa(leftOut) + " relays of participants are too many", Count: leftOut})
	}
	m.plus.leftOut = leftOut
}

// plusLink returns what is known of a relay, which is asked for no announcements if it is new; nil where there is no room for another
// one. Relays of the configuration have theirs.
func (m *Machine) plusLink(url string) *link {
	if l := m.links[url]; l != nil {
		return l
	}
	ours := slices.Contains(m.addresses(m.cfg.Plus.Index), url) || slices.Contains(m.addresses(m.cfg.Plus.Fallback), url)
	if len(m.links) >= m.cfg.RelaysMax || !ours && m.plusLinks() >= m.cfg.Plus.RelaysMax {
		return nil
	}
	return m.known(url)
}

// plusLinks counts the relays that nothing but participants brings.
func (m *Machine) plusLinks() int {
	n := 0
	for _, l := range m.byURL {
		if l.wanted[everything] == nil {
			n++
		}
	}
	return n
}

// isList reports whether an event is the relay list of its author, which sync plus reads.
func (m *Machine) isList(ev *nostr.Event) bool {
	return m.cfg.Plus.On && ev.Kind == policy.KindRelayList
}
