package invariant

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// family is what a server is set to of the further members of the GRASP family.
type family struct {
	contributions bool
	archive       []string // entries of its scope
	readOnly      bool
	plus          bool
}

// Contributes says that the server takes contributions (GRASP-06). It is called before the first step.
func (m *Monitor) Contributes() { m.book.family.contributions = true }

// SyncsPlus says that the server keeps what participants say of themselves (GRASP-03). It is called before the first step.
func (m *Monitor) SyncsPlus() { m.book.family.plus = true }

// about is the identifier that a place for contributions is about; false for another repository.
func about(id repo.ID) (string, bool) { return strings.CutPrefix(id.Identifier, "prs/") }

// places lists the places for contributions that a pull request names as a clone URL of this service.
func (b *book) places(e *entry) []repo.ID {
	var list []repo.ID
	for _, text := range cloneURLs(e) {
		u, err := url.Parse(text)
		if err != nil || u.User != nil || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(text, "?#") {
			continue
		}
		host := strings.ToLower(u.Host)
		if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; strings.HasSuffix(host, port) {
			host = strings.TrimSuffix(host, port)
		}
		parts := strings.Split(strings.TrimRight(strings.TrimPrefix(u.EscapedPath(), b.service.Base), "/"), "/")
		if host != b.service.Host || len(parts) != 4 || parts[0] != "" || parts[1] != "prs" || parts[2] != repo.PubKey(e.event.PubKey).Npub() {
			continue
		}
		name, err := url.PathUnescape(parts[3])
		identifier, is := strings.CutSuffix(name, ".git")
		if err == nil && is && slices.ContainsFunc(e.pull.Repos, func(id repo.ID) bool { return id.Identifier == identifier }) {
			list = append(list, repo.ID{Owner: repo.PubKey(e.event.PubKey), Identifier: "prs/" + identifier})
		}
	}
	return list
}

// fits reports whether a commit at a place is that of the pull request that its ref is named after.
func (b *book) fits(e *entry, place repo.ID, oid repo.OID) bool {
	return e.pull != nil && e.pull.Commit == oid && slices.Contains(b.places(e), place)
}

// contributed lists what may be answered to a push to a place: refs that are named after events and that none contradicts, all
// of them or nothing.
func (m *Monitor) contributed(o core.PushOffered) verdict {
	refs := map[string]repo.OID{}
	if view := m.book.repositories[o.Repo]; view != nil {
		refs = view.refs
	}
	at := &repositoryView{refs: refs}
	if !m.book.family.contributions || m.book.family.readOnly || o.Shape.Certificate || len(o.Commands) == 0 || at.apply(o.Commands) == nil {
		return verdict{no: true}
	}
	answer := verdict{yes: true}
	for _, c := range o.Commands {
		v := m.contribution(o.Repo, refs, c)
		answer = verdict{yes: answer.yes && v.yes, no: answer.no || v.no}
	}
	return answer
}

// contribution judges one command. An event that was given and is not answered may count or not.
func (m *Monitor) contribution(place repo.ID, refs map[string]repo.OID, c gitproto.Command) verdict {
	event, ok := repo.PullRequestOf(c.Ref)
	if _, there := refs[c.Ref]; !ok || c.New.IsZero() && !there {
		return verdict{no: true}
	}
	fits := func(e *entry) bool {
		if c.New.IsZero() {
			return e.pull != nil && !e.stored && slices.Contains(m.book.places(e), place)
		}
		return m.book.fits(e, place, c.New)
	}
	var v verdict
	if e := m.book.entries[event]; e != nil {
		v.add(fits(e))
		return v
	}
	v.add(true)
	if e := m.pending[event]; e != nil {
		v.add(fits(e))
	}
	return v
}

// names lists the refs of a repository.
func (r *repositoryView) names() []string {
	if r == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(r.refs))
}

// hasPlace reports whether the commit of a pull request is at a place that it names.
func (m *Monitor) hasPlace(e *entry) bool {
	return slices.ContainsFunc(m.book.places(e), func(id repo.ID) bool {
		view := m.book.repositories[id]
		return view != nil && view.refs[e.pull.Ref()] == e.pull.Commit
	})
}
