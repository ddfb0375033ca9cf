package report

import (
	"slices"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/repro"
	"github.com/graspkit/graspkit/conformance/spec"
)

// again is the command that runs a check once more, or with an empty id the whole run, in one line.
func again(r *record.Run, id string) string {
	if s := r.Selection; id == "" && s != nil {
		var words []string
		for _, flag := range [][2]string{{"--profile", s.Profile}, {"--id", s.ID}, {"--tags", s.Tags}} {
			if flag[1] != "" {
				words = append(words, flag[0]+"="+flag[1])
			}
		}
		selected := *r
		selected.Arguments = slices.Concat(words, r.Arguments)
		r = &selected
	}
	return line(repro.Again(r, id), commandTextMax)
}

// whole reports whether a run selected the whole catalogue and came to its end.
func whole(r *record.Run) bool {
	return r.Selection == nil && !r.Interrupted && r.Down == "" && len(r.Requirements) >= len(spec.All())
}
