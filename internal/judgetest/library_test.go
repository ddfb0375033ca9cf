package judgetest

import (
	"bytes"
	"testing"

	"github.com/graspkit/graspkit/conformance"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/internal/servetarget"
)

// A server's own test judges it by a call, and has the run as a document.
func TestLibrary(t *testing.T) {
	on := served(t, servetarget.Options{Backend: servetarget.BackendMemory})
	var report bytes.Buffer
	conformance.Run(t, conformance.Options{URL: on.ServiceURL(), ID: "G01-ANN-0", Report: &report})
	doc, err := record.Read(&report)
	if err != nil {
		t.Fatal(err)
	}
	if run := doc.Runs[0]; run.Claim.Must.Verified == 0 || run.Exit != record.ExitGood {
		t.Errorf("got %+v, exit code %d for %q", run.Claim, run.Exit, run.ExitReasons)
	}
}
