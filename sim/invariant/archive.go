package invariant

import (
	"net/url"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// INV-44: an archive keeps and serves what it may, which is what its scope says beside what is hosted or vouched for anyhow, and one that
// is only read takes no push.

// Archives says what the server keeps whatever it lists, as its operator writes it, and whether it takes pushes (GRASP-05). It is
// called before the first step.
func (m *Monitor) Archives(scope []string, readOnly bool) {
	m.book.family.archive, m.book.family.readOnly = scope, readOnly
}

// hosts reports whether an announcement has a repository here: it lists the service, or is archived. An archive that is only read
// hosts nothing new that only lists it.
func (b *book) hosts(a *repo.Announcement) bool {
	if clone, relays := b.service.ListedIn(*a); clone && relays && (!b.family.readOnly || b.standing(a.ID)) {
		return true
	}
	return slices.ContainsFunc(b.family.archive, func(entry string) bool { return archived(entry, a) })
}

// archived reads one entry of a scope.
func archived(entry string, a *repo.Announcement) bool {
	if strings.Contains(entry, "://") {
		host, base := hostAndPath(entry)
		return host != "" && slices.ContainsFunc(a.Clone, func(text string) bool {
			at, path := hostAndPath(text)
			rest, below := strings.CutPrefix(path, base+"/")
			npub, name, _ := strings.Cut(rest, "/")
			return strings.HasPrefix(strings.ToLower(text), "http") && at == host && below && npub == a.ID.Owner.Npub() && !strings.Contains(name, "/") && len(name) > len(".git") && strings.HasSuffix(name, ".git")
		})
	}
	npub, name, both := strings.Cut(entry, "/")
	if !both {
		npub, name = entry, entry
	}
	name, err := url.PathUnescape(name)
	switch owner := a.ID.Owner.Npub(); {
	case entry == "all":
		return true
	case both:
		return err == nil && npub == owner && name == a.ID.Identifier
	default:
		return npub == owner || err == nil && name == a.ID.Identifier
	}
}

// standing reports whether an announcement stands for a repository here, or stood for it before the start under way.
func (b *book) standing(id repo.ID) bool {
	if b.found != nil {
		return b.found[id]
	}
	e := b.announcements[id]
	return e != nil && e.hosted && !e.soft || b.replaced[id]
}

// foundAt is the set of repositories that a start tells of, without those that were kept without an announcement.
func foundAt(in core.Started) map[repo.ID]bool {
	found := make(map[repo.ID]bool, len(in.Repositories))
	for _, r := range in.Repositories {
		found[r.ID] = true
	}
	for _, h := range in.Held {
		if a, reason := repo.ParseAnnouncement(h.Event); h.Event.Kind == repo.KindAnnouncement && reason == "" && h.Soft {
			found[a.ID] = true // it has lost its repository, and had one
		}
	}
	for _, mark := range in.Marks {
		if mark.Kind == core.MarkRetired {
			delete(found, mark.Repo)
		}
	}
	return found
}

// archives is INV-44 for one effect.
func (m *Monitor) archives(e core.Effect) {
	if len(m.book.family.archive) == 0 {
		return
	}
	switch e := e.(type) {
	case core.PushExpected:
		m.must(!m.book.family.readOnly, "INV-44", "push-taken", "push %d may send its pack to an archive that is only read", e.Push)
	case core.PushAdmitted:
		m.must(!m.book.family.readOnly, "INV-44", "push-taken", "push %d is admitted at an archive that is only read", e.Push)
	case core.CreateRepository:
		if _, place := about(e.Repo); !place {
			m.must(m.scoped(e.Repo), "INV-44", "made-out-of-scope", "repository %q of %s", e.Repo.Identifier, e.Repo.Owner)
		}
	case core.Record:
		if (e.Op == core.OpStore || e.Op == core.OpHold) && e.Event.Kind == repo.KindAnnouncement {
			m.kept(e)
		}
	}
}

// scoped reports whether an announcement that is here, or was given, makes a repository one of this archive's.
func (m *Monitor) scoped(id repo.ID) bool {
	if a := m.book.announcements[id]; a != nil && a.hosted {
		return true
	}
	return slices.ContainsFunc(slices.Concat(sortedPending(m.pending), m.unheld()), func(e *entry) bool {
		return e.announcement != nil && e.announcement.ID == id && e.hosted
	})
}

// kept judges an announcement that is held or served: it is hosted here, somebody vouches for it, or it takes the place of one that is
// here already.
func (m *Monitor) kept(r core.Record) {
	e := m.book.read(r.Event)
	if e.announcement == nil || m.book.entries[r.ID] != nil {
		return // it is no announcement to us, or was let in before
	}
	id := e.announcement.ID
	vouched := slices.ContainsFunc(m.book.owners[id.Identifier], func(owner repo.PubKey) bool {
		other := repo.ID{Owner: owner, Identifier: id.Identifier}
		return owner != id.Owner && slices.Contains(m.book.maintainers(other), id.Owner)
	})
	replaced := slices.ContainsFunc(m.step.left, func(d departure) bool { // which has just gone
		return d.entry.announcement != nil && d.entry.announcement.ID == id
	})
	m.must(e.hosted || vouched || replaced || m.book.announcements[id] != nil || m.book.reciprocal, "INV-44", "kept-out-of-scope", "announcement %s of %q", r.ID, id.Identifier)
}

// hostAndPath takes the URL of a service, or of what it hosts, apart: the host in lower case, without the port that is usual, and the path
// without slashes at its end. A URL with a user, a query or a fragment, or of another scheme, is none: the host is "".
func hostAndPath(text string) (host, path string) {
	u, err := url.Parse(text)
	if err != nil || u.User != nil || strings.ContainsAny(text, "?#") {
		return "", ""
	}
	usual, is := map[string]string{"http": ":80", "https": ":443", "ws": ":80", "wss": ":443"}[u.Scheme]
	if !is {
		return "", ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(u.Host), usual), ":"), strings.TrimRight(u.EscapedPath(), "/")
}
