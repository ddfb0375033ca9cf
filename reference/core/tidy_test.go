package core_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/repo"
)

// tidied carries out an order as a store without history does: what neither a ref nor the order names goes.
func (s *shell) tidied(e core.TidyRepository) []core.Input {
	done := core.RepositoryDone{Request: e.Request, OK: !s.broken, Disk: s.onDisk(e.Repo)}
	if s.broken {
		return []core.Input{done}
	}
	if !s.prunes {
		return []core.Input{done}
	}
	r := s.repos[e.Repo]
	stays := map[repo.OID]bool{}
	for _, oid := range r.refs {
		stays[oid] = true
	}
	for _, oid := range e.Keep {
		stays[oid] = r.objects[oid]
	}
	for oid := range r.objects {
		if !stays[oid] {
			delete(r.objects, oid)
		}
	}
	return []core.Input{done}
}

// taken answers an order that waits: it is carried out if the server is not broken, unless it was taken back.
func (s *shell) taken(request core.RequestID) []core.Input {
	at := slices.IndexFunc(s.untidy, func(e core.TidyRepository) bool { return e.Request == request })
	e := s.untidy[at]
	s.untidy = slices.Delete(s.untidy, at, at+1)
	if s.lazy {
		return []core.Input{core.RepositoryDone{Request: request, Disk: s.onDisk(e.Repo)}}
	}
	return s.tidied(e)
}

// symbolicAll names objects.
func (s *shell) symbolicAll(oids []repo.OID) string {
	var names []string
	for _, o := range oids {
		names = append(names, s.symbolic(string(o)))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// showObjects lists what each repository has.
func (s *shell) showObjects() {
	for id, r := range s.repos {
		var all []repo.OID
		for oid, there := range r.objects {
			if there {
				all = append(all, oid)
			}
		}
		fmt.Fprintf(&s.log, "%s has %s\n", s.repoName(id), s.symbolicAll(all))
	}
}
