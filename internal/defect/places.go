package defect

import (
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// placeDefects are mistakes of places for contributions (GRASP-06) that hold in one corner only.
func placeDefects() []Defect {
	all := []Defect{
		making(Defect{Name: "submissions-judged-by-the-first", Filter: func() Filter {
			return letting(nil, func(o core.PushOffered, r policy.Ruling) bool {
				return r.Requirement == "G06-PUSH-02" && len(o.Commands) > 1 && namesEvent(o.Commands[0])
			})
		}}),
		{Name: "submissions-copied-everywhere", Backend: func(b gitstore.Backend) gitstore.Backend { return scattering{backend{b}, map[repo.ID]repo.ID{}} }},
		namedAnywhere("submissions-named-anywhere"),
		{Name: "places-for-the-like", Answer: func(_ web.Request, r web.Route) web.Route {
			if identifier, is := r.Repo.ContributionTo(); is {
				r.Repo = repo.Contribution(r.Repo.Owner, strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(identifier), ".git"), "-"))
			}
			return r
		}},
		placesShowRepositories("places-show-repositories"),
		{Name: "places-release-what-waits", Filter: promotes(func(pushed, held repo.ID) bool {
			identifier, is := pushed.ContributionTo()
			return is && identifier == held.Identifier
		})},
		{Name: "places-lost-at-restart", Backend: func(b gitstore.Backend) gitstore.Backend { return placeless{backend{b}} }},
		{Name: "wrong-submissions-served", Filter: wrongServed},
	}
	return contributing(all)
}

// A scattering backend gives the refs that come from a place to one repository to all others of the identifier, too.
type scattering struct {
	backend
	from map[repo.ID]repo.ID // the place that a repository was last given something of
}

func (s scattering) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	if from.IsContribution() {
		s.from[id] = from
		for _, other := range s.others(id) {
			_ = s.backend.Copy(c, other, from, oids) // one that gets nothing shows nothing
		}
	}
	return s.backend.Copy(c, id, from, oids)
}

func (s scattering) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if _, given := s.from[id]; given && len(commands) > 0 && namesEvent(commands[0]) {
		for _, other := range s.others(id) {
			_ = s.backend.Update(other, commands, "")
		}
	}
	return s.backend.Update(id, commands, head)
}

// others are the repositories of the same identifier.
func (s scattering) others(id repo.ID) (others []repo.ID) {
	all, err := s.Repositories()
	for _, other := range all {
		if err == nil && other.Identifier == id.Identifier && other != id {
			others = append(others, other)
		}
	}
	return others
}

// A placeless backend has no places when it is asked what there is, which is at a start.
type placeless struct{ backend }

func (p placeless) Repositories() ([]repo.ID, error) {
	all, err := p.backend.Repositories()
	if err != nil {
		return nil, err
	}
	var kept []repo.ID
	for _, id := range all {
		if !id.IsContribution() {
			kept = append(kept, id)
		} else if err := p.Remove(id); err != nil {
			return nil, err
		}
	}
	return kept, nil
}

// namedAnywhere says of a pull request that it is taken if a clone value has the host and the path of its place somewhere in it.
func namedAnywhere(name string) Defect {
	var own repo.Service
	said := ok(func(i core.Input, m relay.OK) relay.OK {
		_, ev := published(i)
		if ev == nil || !isPull(ev) {
			return m
		}
		for _, tag := range ev.Tags {
			parts := strings.SplitN(strings.Join(tag, " "), ":", 3)
			if len(parts) != 3 || tag[0] != "a" {
				continue
			}
			place := repo.Contribution(repo.PubKey(ev.PubKey), parts[2])
			for _, clone := range ev.Tags {
				value := strings.Join(clone[1:], " ")
				m.Accepted = m.Accepted || clone[0] == "clone" && strings.Contains(value, own.Host) && strings.Contains(value, place.Path())
			}
		}
		return m
	})
	return Defect{Name: name, Filter: said, Config: func(c *core.Config) { own = c.Service }}
}

// placesShowRepositories shows what is in a served repository at the place of its owner for it.
func placesShowRepositories(name string) Defect {
	places := newPlaceList()
	return Defect{Name: name, Filter: places.filter, Answer: func(_ web.Request, r web.Route) web.Route {
		identifier, is := r.Repo.ContributionTo()
		other := r
		other.Repo = repo.ID{Owner: r.Repo.Owner, Identifier: identifier}
		if made, _ := places.has(other); is && made && r.Service == gitproto.UploadPackService {
			return other
		}
		return r
	}}
}

// wrongServed shows queries a pull request at whose place another commit is.
func wrongServed() Filter {
	pushed := map[string]repo.OID{}
	return leak(func(i core.Input, _ []core.Effect) *nostr.Event {
		if o, is := i.(core.PushOffered); is && o.Repo.IsContribution() {
			for _, c := range o.Commands {
				if event, named := repo.PullRequestOf(c.Ref); named {
					pushed[event] = c.New
				}
			}
		}
		_, ev := published(i)
		if ev == nil || pushed[ev.ID] == "" {
			return nil
		}
		if c := ev.Tags.Find("c"); len(c) < 2 || c[1] == string(pushed[ev.ID]) {
			return nil
		}
		return ev
	})()
}
