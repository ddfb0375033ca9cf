package sim

import (
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/model"
)

// naive is the model that says what may be seen of a server.
func (w *World) naive(s *server) *model.Model {
	k := w.scenario.Constants
	m := model.New(model.Config{
		Server: s.Name, Host: s.service.Host, Base: s.service.Base, Life: k.PurgatoryLife, Rules: w.modeled(s.index),
		Hunt:   w.huntModeled(),
		Stored: k.StoredMax, Held: k.HeldMax, HeldPerKey: k.HeldPerKeyMax, Expired: k.ExpiredMax,
		Limits: model.Limits{
			HeldBytes: k.HeldBytesMax, HeldBytesPerKey: k.HeldBytesPerKeyMax, StoredBytes: k.StoredBytesMax,
			Tombstones: k.TombstonesMax, Clocks: k.PlaceholdersMax,
		},
	})
	m.Missing = func(id repo.ID, oids []repo.OID) ([]repo.OID, error) { return s.model.Missing(id, oids) }
	return m
}

// huntModeled is how a server is expected to hunt: as the scenario says, or else as the run does.
func (w *World) huntModeled() model.Hunt {
	if h := w.scenario.Hunt; h.Bound > 0 {
		return model.Hunt{On: true, UserDelay: h.UserDelay, SyncDelay: h.SyncDelay, Concurrent: h.Concurrent, Rate: h.Rate}
	}
	h := w.opts.Hunt
	return model.Hunt{On: h.On, UserDelay: h.UserDelay, SyncDelay: h.SyncDelay, Concurrent: h.Concurrent, Rate: h.Rate}
}
