// Package archived says what an archive keeps that is judged: the reference, and what is planted into it, are opened by these settings. It
// opens nothing.
package archived

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// Service is the service of which it keeps everything. Nobody answers there.
const Service = "https://archived.example.invalid"

// Config are the settings of an archive of all that lists the service.
func Config(readOnly bool) core.ArchiveConfig {
	scope := &policy.Scope{}
	if err := scope.Add(Service); err != nil {
		panic("archived: invariant: the service: " + err.Error())
	}
	return core.ArchiveConfig{Scope: scope, ReadOnly: readOnly}
}
