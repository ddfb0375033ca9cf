package judgetest

import (
	"context"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/hosts"
)

// allowed are the MUST requirements that a null server may meet, each with the reason. None of them is about refusing.
var allowed = map[string]map[string]string{
	"accept-all": {
		"G01-ANN-01": "it answers OK true to every event",
		"G01-N11-01": "it serves a relay information document",
		"G01-N11-02": "its document lists GRASP-01",
		"G01-N11-03": "its document has a text there",
		"G01-N11-04": "its document has no curation",
		"G01-N11-06": "all its answers carry the CORS headers",
		"N01-WS-01":  "it takes WebSocket connections",
	},
	"refuse-all": {
		"G01-N11-01": "it serves a relay information document",
		"G01-N11-02": "its document lists GRASP-01",
		"G01-N11-03": "its document has a text there",
		"G01-N11-04": "its document has no curation",
		"G01-N11-06": "all its answers carry the CORS headers",
		"N01-WS-01":  "it takes WebSocket connections",
	},
	"always-empty":          {"N01-WS-01": "it takes WebSocket connections"},
	"rate-limit-everything": {"N01-WS-01": "it takes WebSocket connections"},
	"silent":                {"N01-WS-01": "it takes WebSocket connections"},
	"ten-seconds-late":      {"N01-WS-01": "it takes WebSocket connections"},
}

// mute are the null servers that prove nothing against themselves: they earn no FAIL.
var mute = []string{"silent", "ten-seconds-late", "rate-limit-everything"}

// No server that does nothing right ends well, none meets a MUST without a reason in the list, and those that only keep
// silent are not accused. Nearly all that judging them takes is waiting, so they are judged all at once, on however few processors.
func TestNullServersEndBadly(t *testing.T) {
	t.Parallel()
	type judged struct {
		result *suite.Result
		err    error
		took   time.Duration
	}
	ended := map[string]<-chan judged{}
	for _, null := range defect.Nulls() {
		if testing.Short() && null.Kind != "silent" {
			continue
		}
		end := make(chan judged, 1)
		ended[null.Kind] = end
		go func() {
			start := time.Now()
			r, err := judgeNull(t.Context(), null)
			end <- judged{r, err, time.Since(start)}
		}()
	}
	for _, null := range defect.Nulls() {
		t.Run(null.Kind, func(t *testing.T) {
			if ended[null.Kind] == nil {
				t.Skip("-short judges one: nothing of the judge runs in another way for the others")
			}
			end := <-ended[null.Kind]
			if end.err != nil {
				t.Fatal(end.err)
			}
			r := end.result
			t.Logf("%s, down %q, %d checks, %+v", end.took.Round(time.Millisecond), r.Down, len(r.Checks), r.Accounting)
			if code := concluded(r).Exit; code == 0 {
				t.Error("got exit code 0")
			}
			for id, q := range verdicts(r) {
				_, why := allowed[null.Kind][id]
				if q.Verdict == suite.Pass && q.Requirement.Score.String() == "MUST" && !why {
					t.Errorf("%s: verified", id)
				}
				if q.Verdict == suite.Fail && slices.Contains(mute, null.Kind) {
					t.Errorf("%s: violated: %s", id, q.Reason)
				}
			}
		})
	}
}

// nullSettle is the wait for an answer: what these servers say comes at once, never, or ten seconds late, and all that judging them takes is
// waiting.
const nullSettle = 300 * time.Millisecond

// judgeNull judges a null server behind a socket.
func judgeNull(ctx context.Context, null defect.Null) (*suite.Result, error) {
	served, end := context.WithCancel(ctx)
	server := httptest.NewServer(null.Handler(served, clock.New()))
	defer server.Close()
	defer end()
	live, err := livetarget.New(server.URL, livetarget.Options{NewHost: hosts.NewHost, NewRelay: hosts.NewRelay})
	if err != nil {
		return nil, err
	}
	return run(ctx, live, suite.Config{Parallel: 4, Settle: nullSettle})
}
