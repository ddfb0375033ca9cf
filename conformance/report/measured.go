package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/conformance/measure"
	"github.com/graspkit/graspkit/conformance/record"
)

// MeasuredSchema names the form of the JSON report of a measurement. Members are only ever added to it.
const MeasuredSchema = "graspkit.measured/1"

// Measured writes a measurement as a table: what was measured beside what is required.
func Measured(w io.Writer, r *measure.Result) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s at %s", r.Target, r.URL)
	if len(r.Facts) > 0 {
		fmt.Fprintf(&out, ", said to send %d requests a minute to one host", r.Rate)
	}
	out.WriteString("\n\n")
	if len(r.Facts) > 0 && !r.Hunts {
		out.WriteString("No request came: the server does not look for git data, or must not reach these hosts.\n\n")
	}
	fmt.Fprintf(&out, "%-62s  %12s  %12s  %-12s  %s\n", "what", "measured", "required", "by", "verdict")
	for _, f := range r.Facts {
		measuredRow(&out, f, amount(f.Max, f.Unit))
	}
	if r.Sync != nil {
		for _, f := range r.Sync.Facts {
			measuredRow(&out, f, "-")
		}
		if !r.Sync.Follows {
			out.WriteString("\nNo relay was connected to: the server does not follow other relays, or must not reach these.\n")
		}
		if len(r.Sync.Asks) > 0 {
			fmt.Fprintf(&out, "\nRelays were asked for:\n  %s\n", strings.Join(r.Sync.Asks, "\n  "))
		}
	}
	out.WriteString("\n")
	if len(r.Facts) > 0 {
		fmt.Fprintf(&out, "%d requests came to git hosts; ", r.Requests)
	}
	fmt.Fprintf(&out, "%s\n", origin(r.Seed, r.Nonce))
	if r.Late > 0 {
		fmt.Fprintf(&out, "Times may be %v early, by the network, and %v late.\n", r.Early, r.Late)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// measuredRow writes a fact as a row of the table.
func measuredRow(out *strings.Builder, f measure.Fact, required string) {
	measured := amount(f.Measured, f.Unit)
	if !f.Seen {
		measured = "-"
	}
	by := f.Requirement
	if by == "" {
		by = "-"
	}
	fmt.Fprintf(out, "%-62s  %12s  %12s  %-12s  %s\n", f.What, measured, required, by, f.Verdict)
}

// amount writes a value with its unit.
func amount(n int64, unit string) string {
	if unit == measure.Milliseconds {
		return fmt.Sprintf("%d.%03d s", n/1000, n%1000)
	}
	return fmt.Sprint(n)
}

// origin says what the keys and identifiers of a run were made of.
func origin(seed, nonce string) string {
	if nonce == "" {
		return "seed " + seed
	}
	return "seed " + seed + ", nonce " + nonce
}

type measuredRecord struct {
	Schema   string       `json:"schema"`
	Suite    record.Suite `json:"suite"`
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
	Sync     *syncRecord  `json:"sync"` // null if it was not measured
}

// A syncRecord has no bounds: min, max and requirement of its facts are empty.
type syncRecord struct {
	Follows bool         `json:"follows"`
	Asks    []string     `json:"asks"`
	Facts   []factRecord `json:"facts"`
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
func MeasuredJSON(w io.Writer, by record.Suite, r *measure.Result) error {
	doc := measuredRecord{
		Schema: MeasuredSchema, Suite: by, Target: r.Target, URL: r.URL, Seed: r.Seed, Nonce: r.Nonce, Rate: r.Rate, Hunts: r.Hunts,
		Requests: r.Requests, EarlyMS: r.Early.Milliseconds(), LateMS: r.Late.Milliseconds(), Facts: factRecords(r.Facts),
	}
	if r.Sync != nil {
		doc.Sync = &syncRecord{Follows: r.Sync.Follows, Asks: append([]string{}, r.Sync.Asks...), Facts: factRecords(r.Sync.Facts)}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("write measured report: %w", err)
	}
	return nil
}

func factRecords(facts []measure.Fact) []factRecord {
	all := []factRecord{}
	for _, f := range facts {
		record := factRecord{
			Name: f.Name, What: f.What, Unit: f.Unit, Min: f.Min, Max: f.Max, Requirement: f.Requirement, Verdict: f.Verdict,
		}
		if f.Seen {
			record.Measured = &f.Measured
		}
		all = append(all, record)
	}
	return all
}
