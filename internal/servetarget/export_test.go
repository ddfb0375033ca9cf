package servetarget

import "github.com/graspkit/graspkit/reference/fetch"

// Fetches is what the running server fetches with.
func (t *Target) Fetches() *fetch.Fetcher { return t.current().Fetches }
