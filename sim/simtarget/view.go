package simtarget

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/web"
)

// A view shows the router a server at an instant.
type view struct {
	core.Machine

	now instant.Instant
}

// Admits implements web.View.
func (v view) Admits(t web.Token) bool { return v.Machine.Admits(v.now, t).Accepted() }
