package core_test

import (
	"github.com/cockroachdb/datadriven"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// archive starts the server anew as an archive: "archive scope=(<npub:alice>/demo,demo) [readonly]".
func (s *shell) archive(d *datadriven.TestData) {
	scope := &policy.Scope{}
	for _, entry := range s.values(d, "scope") {
		if err := scope.Add(s.resolve(entry)); err != nil {
			s.t.Fatal(err)
		}
	}
	archive := core.ArchiveConfig{Scope: scope, ReadOnly: d.HasArg("readonly")} // the command is another one when it starts anew
	s.limit = func(cfg *core.Config) { cfg.Archive = archive }
	s.boot()
}
