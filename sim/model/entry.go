package model

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// A phase says where an event is.
type phase uint8

const (
	nowhere  phase = iota
	arriving       // taken in, and not answered yet
	held
	stored
	passing // ephemeral: passed on and never kept
)

// An address is where versions of an event replace each other.
type address struct {
	kind      int
	author, d string
}

// An entry is an event as it was given, with what it says.
type entry struct {
	ev    nostr.Event // a copy: what is served must be equal to it
	phase phase
	size  int           // by sizeOf
	waits []core.ConnID // who waits for the answer

	announcement bool
	listed       bool // it lists this service, or is archived here
	state        bool
	pull         bool
	d            string
	maintainers  []string
	clones       []source   // where an announcement or a pull request says that data is
	needs        []repo.OID // what has to be there before it is served
	refs         []repo.Ref // of a state, sorted by name
	head         string
	commit       repo.OID
	repos        []repo.ID // that a pull request names
	places       []repo.ID // places for contributions here that it names, too

	arrived  instant.Instant
	since    instant.Instant // since when it is served, or has been since the server began
	deadline instant.Instant
	soft     bool
	synced   bool              // it came from another server
	unsure   bool              // and may have been kept out, which nobody is told: there may have been no room
	asks     tombs             // what of a request for deletions is remembered
	excused  bool              // it is past its deadline for a reason
	free0    instant.Instant   // when that reason went
	pushed   []instant.Instant // when pushes began that it allows
	reviver  *entry            // a state that has to revive it as soon as what is under way is over
}

func (e *entry) address() (address, bool) {
	switch kind := e.ev.Kind; {
	case kind >= 30000 && kind < 40000:
		return address{kind, e.ev.PubKey, firstD(&e.ev)}, true
	case kind == 0 || kind == 3 || kind >= 10000 && kind < 20000:
		return address{kind, e.ev.PubKey, ""}, true
	}
	return address{}, false
}

// identifiers are those of the repositories that an entry is about.
func (e *entry) identifiers() []string {
	var list []string
	switch {
	case e.announcement, e.state:
		list = append(list, e.d)
	case e.pull:
		for _, id := range e.repos {
			if !slices.Contains(list, id.Identifier) {
				list = append(list, id.Identifier)
			}
		}
	}
	return list
}

// rooms are the identifiers in whose rooms an entry is: those of its repositories, and those that stand for its places.
func (e *entry) rooms() []string {
	list := e.identifiers()
	for _, id := range e.places {
		if !slices.Contains(list, id.Identifier) {
			list = append(list, id.Identifier)
		}
	}
	return list
}

// declares returns what a state says of a ref, "" if nothing.
func (e *entry) declares(ref string) repo.OID {
	for _, r := range e.refs {
		if r.Name == ref {
			return r.OID
		}
	}
	return ""
}

func copied(ev *nostr.Event) nostr.Event {
	c := nostr.Event{
		ID: ev.ID, PubKey: ev.PubKey, CreatedAt: ev.CreatedAt, Kind: ev.Kind, Content: ev.Content, Sig: ev.Sig,
		Tags: make(nostr.Tags, len(ev.Tags)),
	}
	for i, tag := range ev.Tags {
		c.Tags[i] = slices.Clone(tag)
	}
	return c
}

func same(a, b *nostr.Event) bool {
	return a.ID == b.ID && a.PubKey == b.PubKey && a.CreatedAt == b.CreatedAt && a.Kind == b.Kind && a.Content == b.Content &&
		a.Sig == b.Sig && slices.EqualFunc(a.Tags, b.Tags, slices.Equal[nostr.Tag])
}

func firstD(ev *nostr.Event) string {
	for _, tag := range ev.Tags {
		if len(tag) > 0 && tag[0] == "d" {
			if len(tag) > 1 {
				return tag[1]
			}
			return ""
		}
	}
	return ""
}

func isHex(s string, n int) bool {
	if len(s) != n {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func isZero(oid repo.OID) bool { return strings.Trim(string(oid), "0") == "" }

// read makes an entry of an event. It returns why nothing can be done with it, "" if something can.
func (m *Model) read(ev *nostr.Event) (e *entry, wrong string) {
	e = &entry{ev: copied(ev), arrived: m.now, size: sizeOf(ev)}
	switch ev.Kind {
	case 30617:
		e.announcement = true
		wrong = m.readAnnouncement(e)
	case 30618:
		e.state = true
		wrong = readState(e)
	case 1618, 1619:
		e.pull = true
		wrong = readPull(e)
		e.places = m.placesOf(e)
	}
	switch {
	case e.announcement:
		e.clones = m.clones(e)
	case e.pull:
		e.clones, e.needs = m.clones(e), []repo.OID{e.commit}
	}
	for _, ref := range e.refs {
		e.needs = append(e.needs, ref.OID)
	}
	return e, wrong
}

// named reads an identifier.
func (e *entry) named() string {
	if e.d = firstD(&e.ev); !isIdentifier(e.d) {
		return "the identifier is no name of a repository"
	}
	return ""
}

// isIdentifier reports whether a repository can be called so (G01-ANN-09, G01-ANN-10): 200 bytes, no directory, no control
// character.
func isIdentifier(d string) bool {
	return d != "" && d != "." && d != ".." && !strings.ContainsAny(d, "/\\\x00") && len(d) <= 200 &&
		!strings.ContainsFunc(d, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func (m *Model) readAnnouncement(e *entry) string {
	if wrong := e.named(); wrong != "" {
		return wrong
	}
	clone, relays, archived := false, false, names(m.cfg.Rules.Archive, e.ev.PubKey, e.d)
	for _, tag := range e.ev.Tags {
		if len(tag) < 2 {
			continue
		}
		for _, value := range tag[1:] {
			switch tag[0] {
			case "clone":
				clone = clone || m.isClone(value, e.ev.PubKey)
				archived = archived || slices.ContainsFunc(m.cfg.Rules.ArchiveOf, func(at string) bool { return isCloneAt(value, e.ev.PubKey, at) })
			case "relays":
				relays = relays || m.isRelay(value)
			case "maintainers":
				if isHex(value, 64) && !slices.Contains(e.maintainers, value) && len(e.maintainers) < setMost {
					e.maintainers = append(e.maintainers, value)
				}
			}
		}
	}
	e.listed = clone && relays && (!m.cfg.Rules.ReadOnly || m.hostedBefore(e)) || archived
	return ""
}

// hostedBefore reports whether a repository is here for the author already: an archive that is only read goes on with what lists it.
func (m *Model) hostedBefore(e *entry) bool {
	id := repo.ID{Owner: repo.PubKey(e.ev.PubKey), Identifier: e.d}
	_, kept := m.marks.now[markName{kind: markRetired, repo: id}]
	return m.room(e.d).hosted(e.ev.PubKey) || m.step.first && m.repository(id).there && !kept
}

// readState reads heads and tags. One that is malformed makes the whole of it so (N34-ST-01 to N34-ST-08).
func readState(e *entry) string {
	if wrong := e.named(); wrong != "" {
		return wrong
	}
	head := false
	for _, tag := range e.ev.Tags {
		if len(tag) == 0 {
			continue
		}
		value := ""
		if len(tag) > 1 {
			value = tag[1]
		}
		name := tag[0]
		switch {
		case name == "HEAD" && !head && len(tag) > 1:
			head = true
			if branch := strings.TrimPrefix(value, "ref: "); strings.HasPrefix(branch, "refs/heads/") && isRefName(branch) {
				e.head = branch
			}
		case !isDeclarable(name), strings.HasSuffix(name, "^{}"), strings.HasPrefix(value, "ref: "):
		case !isHex(value, 40) || isZero(repo.OID(value)) || e.declares(name) != "" || !isRefName(name):
			return "a ref is malformed or is given twice"
		case len(e.refs) == refsMost:
			return "there are more refs than one state may declare"
		default:
			e.refs = append(e.refs, repo.Ref{Name: name, OID: repo.OID(value)})
		}
	}
	slices.SortFunc(e.refs, func(a, b repo.Ref) int { return strings.Compare(a.Name, b.Name) })
	for _, r := range e.refs {
		for _, other := range e.refs {
			if strings.HasPrefix(r.Name, other.Name+"/") {
				return "a ref lies below another one"
			}
		}
	}
	return ""
}

func isDeclarable(ref string) bool {
	return strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(ref, "refs/tags/")
}

// isRefName reports whether git takes a name for that of a ref (git-check-ref-format), and it has a thousand bytes at most.
func isRefName(ref string) bool {
	for _, c := range []byte(ref) {
		if c <= ' ' || c == 0x7f || strings.ContainsRune("~^:?*[\\", rune(c)) {
			return false
		}
	}
	for _, part := range strings.Split(ref, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return len(ref) <= 1000 && ref != "@" && !strings.Contains(ref, "..") && !strings.Contains(ref, "@{") && !strings.HasSuffix(ref, ".")
}

func readPull(e *entry) string {
	for _, tag := range e.ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "c":
			if e.commit == "" {
				e.commit = repo.OID(tag[1])
			}
		case "a":
			if id, ok := announcementAt(tag[1]); ok && len(e.repos) < namedMost && !slices.Contains(e.repos, id) {
				e.repos = append(e.repos, id)
			}
		}
	}
	if !isHex(string(e.commit), 40) || isZero(e.commit) {
		return "there is no commit"
	}
	return ""
}

// coordinate cuts "kind:author:identifier" at the first two colons.
func coordinate(text string) (kind, author, d string, ok bool) {
	kind, rest, one := strings.Cut(text, ":")
	author, d, two := strings.Cut(rest, ":")
	return kind, author, d, one && two
}

func announcementAt(text string) (repo.ID, bool) {
	kind, author, d, ok := coordinate(text)
	return repo.ID{Owner: repo.PubKey(author), Identifier: d}, ok && kind == "30617" && isHex(author, 64) && isIdentifier(d)
}
