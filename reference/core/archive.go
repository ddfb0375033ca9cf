package core

import (
	"slices"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// An archived announcement does not list this service and is in the scope of its archive (GRASP-05). It is held, hunted for and
// served like one that does; what tells them apart is the reason to accept it alone.

// An ArchiveConfig is the settings of what is kept although it does not list this service.
type ArchiveConfig struct {
	Scope    *policy.Scope // nil is nothing
	ReadOnly bool          // no push is taken, and what only lists the service is not hosted anew
}

func (c Config) terms() policy.Terms {
	return policy.Terms{Service: c.Service, Archive: c.Archive.Scope, ReadOnly: c.Archive.ReadOnly}
}

// ruleReadOnly refuses every push to an archive that is only read.
var ruleReadOnly = policy.Ruling{
	Decision: policy.Refuse, Prefix: "restricted", Requirement: "G05-04",
	Reason: "this server is a read-only archive; push to a service that the announcement lists",
}

// elsewhere reports, at the start, whether no repository here belongs to an announcement that is held or stored. One that lists an
// archive that is only read is hosted if it was hosted before.
func (s *Server) elsewhere(a repo.Announcement, there map[repo.ID]bool) bool {
	clone, relays := s.cfg.Service.ListedIn(a)
	if clone && relays && (!s.cfg.Archive.ReadOnly || there[a.ID]) {
		return false
	}
	return !s.cfg.Archive.Scope.Has(a)
}

// found is the set of repositories that were found at the start and that announcements stood for. One that was kept without an
// announcement is there as well and tells nothing of an announcement that came later.
func found(in Started) map[repo.ID]bool {
	there := make(map[repo.ID]bool, len(in.Repositories))
	for _, r := range in.Repositories {
		there[r.ID] = true
	}
	for _, m := range in.Marks {
		if m.Kind == MarkRetired {
			delete(there, m.Repo)
		}
	}
	return there
}

// unscoped reports whether a repository has what a served state has declared although its announcement lists the service no more, or
// is not in the scope of the archive any more: the settings have changed, and nothing is lost by that.
func (s *Server) unscoped(r *repository) bool {
	a := s.announced[r.id]
	return a.stored && a.vouched && slices.ContainsFunc(r.refs, func(ref repo.Ref) bool { return push.Declarable(ref.Name) })
}
