package replicate

import (
	"cmp"
	"errors"
	"maps"
	"slices"

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
	leftOut int                          // times that a relay found no room the last time
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
	for _, key := range w.plus.leaders {
		m.takesPart(now, key, w.id, reasons)
	}
	m.plusChanges(now)
}

// A bearing is what an announcement says that sync plus goes by. It is read once.
type bearing struct {
	leaders []string // its owner and the maintainers that it lists, each once
	private bool     // it marks the repository as private (G08-09)
}

func bearingOf(id repo.ID, ev *nostr.Event) bearing {
	s := bearing{leaders: []string{string(id.Owner)}}
	if a, why := repo.ParseAnnouncement(ev); why == "" {
		for _, key := range a.Maintainers {
			s.leaders = with(s.leaders, string(key))
		}
	}
	tag := ev.Tags.Find("private")
	s.private = tag != nil && tag[1] == "true"
	return s
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
		if w.plus.private {
			return true
		}
		for _, key := range w.plus.leaders {
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

// isList reports whether an event is the relay list of its author, which sync plus reads.
func (m *Machine) isList(ev *nostr.Event) bool {
	return m.cfg.Plus.On && ev.Kind == policy.KindRelayList
}
