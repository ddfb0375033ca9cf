package repro_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/repro"
)

// Why an event was taken is compared where the step that failed may be about it, and nowhere else: a server that is still at the push before
// says that the event waits, and a moment later nothing.
func TestWordsOfWhatWasTaken(t *testing.T) {
	id := strings.Repeat("0a", 32)
	answer := record.Exchange{Step: 1, Channel: "relay#1", Direction: record.Received, Text: `["OK","` + id + `",true,"purgatory: waits"]`}
	pushed := record.Exchange{Step: 2, Channel: "http#2", Direction: record.Received, Head: "HTTP 200"}
	for name, test := range map[string]struct {
		failed int
		told   bool
	}{"of the event": {1, true}, "of the push behind it": {2, false}} {
		check := record.Check{ID: "G01-X-01", Transcript: []record.Exchange{
			{Channel: "relay#1", Direction: record.Remark, Head: "open"},
			{Step: 1, Channel: "relay#1", Direction: record.Sent, Text: `["EVENT",{"id":"` + id + `"}]`},
			answer, pushed,
		}}
		for n := 1; n <= 2; n++ {
			step := record.Step{Number: n, Keyword: "Then", Text: "it holds"}
			if n == test.failed {
				step.Outcome = record.StepFailed
			}
			check.Steps = append(check.Steps, step)
		}
		var text bytes.Buffer
		if err := repro.Script(&text, &record.Run{World: "live", URL: "http://127.0.0.1:7000"}, &check); err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(text.String(), "\ttrue purgatory:"); told != test.told || strings.Contains(text.String(), "\ntaken='s/") == test.told {
			t.Errorf("%s: compared: %t, want %t", name, told, test.told)
		}
	}
}
