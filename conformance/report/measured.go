package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/conformance/measure"
)

// MeasuredSchema names the form of the JSON report of a measurement. Members are only ever added to it.
const MeasuredSchema = "graspkit.measured/1"

// Measured writes a measurement as a table: what was measured beside what is required.
func Measured(w io.Writer, r *measure.Result) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s at %s, said to send %d requests a minute to one host\n\n", r.Target, r.URL, r.Rate)
	if !r.Hunts {
		out.WriteString("No request came: the server does not look for git data, or must not reach these hosts.\n\n")
	}
	fmt.Fprintf(&out, "%-50s  %12s  %12s  %-12s  %s\n", "what", "measured", "required", "by", "verdict")
	for _, f := range r.Facts {
		measured := amount(f.Measured, f.Unit)
		if !f.Seen {
			measured = "-"
		}
		fmt.Fprintf(&out, "%-50s  %12s  %12s  %-12s  %s\n", f.What, measured, amount(f.Max, f.Unit), f.Requirement, f.Verdict)
	}
	fmt.Fprintf(&out, "\n%d requests came; %s\n", r.Requests, origin(r.Seed, r.Nonce))
	if r.Late > 0 {
		fmt.Fprintf(&out, "Times may be %v early, by the network, and %v late.\n", r.Early, r.Late)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// amount writes a value with its unit.
func amount(n int64, unit string) string {
	if unit == measure.Milliseconds {
		return fmt.Sprintf("%d.%03d s", n/1000, n%1000)
	}
	return fmt.Sprint(n)
}

type measuredRecord struct {
	Schema   string       `json:"schema"`
	Suite    Suite        `json:"suite"`
	Target   string       `json:"target"`
	URL      string       `json:"url"`
	Seed     string       `json:"seed"`
	Nonce    string       `json:"nonce"`
	Rate     int          `json:"rate"`
	Hunts    bool         `json:"hunts"`
	Requests int          `json:"requests"`
	EarlyMS  int64        `json:"early_ms"`
	LateMS   int64        `json:"late_ms"`
	Facts    []factRecord `json:"facts"`
}

type factRecord struct {
	Name        string `json:"name"`
	What        string `json:"what"`
	Unit        string `json:"unit"`
	Measured    *int64 `json:"measured"` // null if there was nothing to measure
	Min         int64  `json:"min"`
	Max         int64  `json:"max"`
	Requirement string `json:"requirement"`
	Verdict     string `json:"verdict"`
}

// MeasuredJSON writes a measurement as one document of the form MeasuredSchema.
func MeasuredJSON(w io.Writer, by Suite, r *measure.Result) error {
	doc := measuredRecord{
		Schema: MeasuredSchema, Suite: by, Target: r.Target, URL: r.URL, Seed: r.Seed, Nonce: r.Nonce, Rate: r.Rate, Hunts: r.Hunts,
		Requests: r.Requests, EarlyMS: r.Early.Milliseconds(), LateMS: r.Late.Milliseconds(), Facts: []factRecord{},
	}
	for _, f := range r.Facts {
		record := factRecord{
			Name: f.Name, What: f.What, Unit: f.Unit, Min: f.Min, Max: f.Max, Requirement: f.Requirement, Verdict: f.Verdict,
		}
		if f.Seen {
			record.Measured = &f.Measured
		}
		doc.Facts = append(doc.Facts, record)
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write measured report: %w", err)
	}
	return nil
}
