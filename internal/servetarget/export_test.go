package servetarget

import "github.com/graspkit/graspkit/reference/fetch"

// Unawaited are the ends of connections whose reader nobody waits for.
func (t *Target) Unawaited() []string { return t.bareEnds() }

// Fetches is what the running server fetches with.
func (t *Target) Fetches() *fetch.Fetcher { return t.current().Fetches }
