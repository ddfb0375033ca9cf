package fetch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

var _ node.Fetcher = fetch.Carrier{}

// A fetch that cannot begin ends in the words of the core.
func TestCarrierEndsWhatCannotBegin(t *testing.T) {
	f := fetch.New(fetch.Options{Backend: gitstore.NewMemory(gitstore.Limits{})})
	f.Close()
	var got []core.FetchDone
	c := fetch.Carrier{Fetcher: f}
	c.Start(core.StartFetch{Fetch: 7, OIDs: []repo.OID{"a"}}, func(in core.FetchDone) { got = append(got, in) })
	c.Cancel(7)
	if diff := cmp.Diff([]core.FetchDone{{Fetch: 7, Failure: core.FetchCanceled}}, got); diff != "" {
		t.Error(diff)
	}
}
