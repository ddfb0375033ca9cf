package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/graspkit/graspkit/conformance/record"
)

// Badge writes what a shields endpoint shows of a document: the worst of its runs, as "n/m verified" of its MUSTs. It is green
// for a whole run alone: one that selected everything, came to its end and is CONFORMANT.
func Badge(w io.Writer, doc *record.Document) error {
	badge := struct {
		Version int    `json:"schemaVersion"`
		Label   string `json:"label"`
		Message string `json:"message"`
		Color   string `json:"color"`
	}{1, "GRASP", "no run", "lightgrey"}
	worst := -1
	for i := range doc.Runs {
		r := &doc.Runs[i]
		rank := slices.Index([]string{record.Conformant, record.Partial, record.Unknown}, r.Conformance) // -1 for what is worse
		if rank < 0 {
			rank = 3
		}
		if rank < worst {
			continue
		}
		if must := r.Claim.Must; rank > worst || badge.Color == "brightgreen" {
			worst = rank
			badge.Message = fmt.Sprintf("%d/%d verified", must.Verified, must.Total)
			switch {
			case r.Conformance == record.NonConformant:
				badge.Message += fmt.Sprintf(", %d violated", must.Violated)
				badge.Color = "red"
			case r.Conformance == record.Conformant && whole(r):
				badge.Color = "brightgreen"
			case r.Conformance == record.Conformant:
				badge.Message += " (of a part)"
				badge.Color = "yellow"
			case r.Conformance == record.Partial:
				badge.Color = "yellow"
			default:
				badge.Color = "lightgrey"
			}
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	if err := enc.Encode(badge); err != nil {
		return fmt.Errorf("write badge: %w", err)
	}
	return nil
}
