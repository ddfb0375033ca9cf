package sim

import (
	"strings"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/model"
)

// services are where people reach the servers, as they read it themselves from the origins of the scenario: a host in lower
// case without the port that everybody takes for granted, and the path below which everything is.
func (w *World) services() []repo.Service {
	list := make([]repo.Service, w.scenario.Servers)
	for i := range list {
		scheme, rest, _ := strings.Cut(w.scenario.OriginOf(i+1), "://")
		host, base, below := strings.Cut(strings.TrimSuffix(rest, "/"), "/")
		if below {
			base = "/" + base
		}
		usual := map[string]string{"http": ":80", "https": ":443"}[strings.ToLower(scheme)]
		list[i] = repo.Service{Host: strings.TrimSuffix(strings.ToLower(host), usual), Base: base}
	}
	return list
}

// readOrigin is the service as a server reads it of the origin that its operator has told it.
func readOrigin(origin string) repo.Service {
	service, err := repo.ParseService(origin)
	if err != nil {
		panic("sim: invariant: a server does not start at " + origin + ": " + err.Error())
	}
	return service
}

// shows has the model judge the page that a server shows of a repository, and under which address, to whoever looks at it.
func (s *server) shows(now instant.Instant, id repo.ID) {
	if s.naive == nil || s.world.opts.Alone {
		return
	}
	s.naive.Shown(now, id, s.operated.CloneURL(id, "http"), s.operated.RelayURL("ws"))
	page := s.Server().Repository(id)
	s.naive.Looked(now, id, model.Page{Exists: page.Exists, Served: page.Served, Name: page.Name, Description: page.Description})
	(*judge)(s).Stepped(now, nil, nil)
}
