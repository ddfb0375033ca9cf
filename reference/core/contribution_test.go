package core_test

import (
	"github.com/cockroachdb/datadriven"

	"github.com/graspkit/graspkit/reference/core"
)

// contributions starts the server anew, with places for contributions: "contributions [off] [waiting=N] [places=N]", both of
// one signer.
func (s *shell) contributions(d *datadriven.TestData) {
	c := core.ContributionConfig{On: !d.HasArg("off")}
	if d.HasArg("waiting") {
		d.ScanArgs(s.t, "waiting", &c.WaitingPerKeyMax)
	}
	if d.HasArg("places") {
		d.ScanArgs(s.t, "places", &c.PlacesPerKeyMax)
	}
	s.limit = func(cfg *core.Config) { cfg.Contributions = c }
	s.boot()
}
