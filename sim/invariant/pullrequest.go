package invariant

import (
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// concerns reports whether a pull request is for a repository: its announcement is stored and lists the service, and
// the pull request names a maintainer of it.
func (b *book) concerns(pr *repo.PullRequest, id repo.ID) bool {
	return names(pr, id.Identifier, b.serving(id))
}

// serving is the maintainer set of a repository whose announcement is stored and lists the service; nil for others.
func (b *book) serving(id repo.ID) []repo.PubKey {
	a := b.announcements[id]
	if a == nil || !a.stored || !a.hosted {
		return nil
	}
	return b.maintainers(id)
}

// verdict is what may be said to a push: yes, no, or either.
type verdict struct{ yes, no bool }

func (v *verdict) add(yes bool) {
	v.yes = v.yes || yes
	v.no = v.no || !yes
}

// pullRequest judges one command below refs/nostr/. An event that was given and is not answered may count or not.
func (m *Monitor) pullRequest(to repo.ID, c gitproto.Command) verdict {
	event, ok := repo.PullRequestOf(c.Ref)
	if !ok {
		return verdict{no: true}
	}
	fits := func(e *entry) bool {
		if e.pull == nil {
			return false
		}
		if c.New.IsZero() {
			return !e.stored || !m.book.concerns(e.pull, to)
		}
		return c.New == e.pull.Commit
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

// hasRef is the second half of INV-01, at the instant at which a pull request becomes served: a repository that it is
// for has its ref.
func (m *Monitor) hasRef(e *entry) {
	has := slices.ContainsFunc(m.concerned(e.pull), func(id repo.ID) bool {
		return m.book.repositories[id].refs[e.pull.Ref()] == e.pull.Commit
	})
	m.must(has || m.hasPlace(e), "INV-01", "pull-request-without-commit", "pull request %s", e.event.ID)
}

// concerned lists the repositories that a pull request is for. Each has an announcement of an identifier that the pull
// request names, so no others are looked at.
func (m *Monitor) concerned(pr *repo.PullRequest) []repo.ID {
	var list []repo.ID
	for _, named := range pr.Repos {
		for _, owner := range m.book.owners[named.Identifier] {
			id := repo.ID{Owner: owner, Identifier: named.Identifier}
			if m.book.repositories[id] != nil && m.book.concerns(pr, id) {
				list = append(list, id)
			}
		}
	}
	slices.SortFunc(list, repo.ID.Compare)
	return slices.Compact(list)
}

// move takes over commands that were executed.
func (m *Monitor) move(view *repositoryView, commands []gitproto.Command) {
	for _, c := range commands {
		if !c.New.IsZero() {
			m.named(c.Ref)
		}
	}
	before := maps.Clone(view.refs)
	view.move(commands)
	view.leaves(before, m.step.now)
}

// named is INV-24: the name of a ref below refs/nostr/ is 64 lower-case hex digits.
func (m *Monitor) named(ref string) {
	name, below := strings.CutPrefix(ref, "refs/nostr/")
	if below {
		m.must(len(name) == 64 && strings.Trim(name, "0123456789abcdef") == "", "INV-24", "misnamed", "there is a ref %s", ref)
	}
}

// settled checks the pull requests at rest: the ref of a served one is right in every repository that it is for, as far as
// its commit is to be had, and a held one has its commit nowhere.
func (m *Monitor) settled() {
	for _, id := range slices.Sorted(maps.Keys(m.book.entries)) {
		e := m.book.entries[id]
		if e.pull == nil {
			continue
		}
		for _, to := range m.concerned(e.pull) {
			view, here := m.book.repositories[to], m.available(to, e.pull.Commit)
			if e.stored {
				m.must(!here || view.refs[e.pull.Ref()] == e.pull.Commit, "INV-01", "pull-request-ref-lost", "pull request %s", id)
			} else {
				m.must(!here, "INV-02", "complete-and-held", "pull request %s could be released", id)
			}
		}
	}
}
