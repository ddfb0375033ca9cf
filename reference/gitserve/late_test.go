package gitserve_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
)

// A push that is not admitted any more when its pack is here is refused like one that never was, and the gate hears no more of it.
func TestReceivePackTooLate(t *testing.T) {
	g := &gate{admission: gitserve.Admission{Admitted: true}, late: "not signed any more"}
	b := &backend{report: gitstore.Report{Unpack: "ok", Results: []gitstore.Result{{Ref: mainName, OK: true}}}}
	var out bytes.Buffer
	if err := gitserve.ReceivePack(running{}, b, g, testID, body("report-status"), &out); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "not signed any more") || strings.Contains(out.String(), "ok "+mainName) {
		t.Errorf("got %q, want the reason", out.String())
	}
	if g.ready != 1 || len(g.done) != 0 {
		t.Errorf("got %d questions and %d ends, want one and none", g.ready, len(g.done))
	}
}
