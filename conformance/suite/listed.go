package suite

import (
	"fmt"
	"maps"
	"slices"

	"github.com/graspkit/graspkit/conformance/spec"
)

// notJudged tells of every GRASP that the document lists whether the catalogue judges it. Of one that is judged
// wholly it says nothing.
func (f facts) notJudged() []string {
	var told []string
	for _, number := range slices.Sorted(maps.Keys(f.grasps)) {
		all, judged := 0, 0
		for _, row := range spec.All() {
			if !about(row, number) {
				continue
			}
			all++
			if row.Coverage.Kind != spec.Planned {
				judged++
			}
		}
		switch {
		case number == mandatory || all > 0 && judged == all:
		case all == 0:
			told = append(told, fmt.Sprintf("GRASP-%02d is listed and not judged: the catalogue knows no such document", number))
		case judged == 0:
			told = append(told, fmt.Sprintf("GRASP-%02d is listed and not judged: %d requirements are planned", number, all))
		default:
			told = append(told, fmt.Sprintf("GRASP-%02d is listed and judged in part: %d of %d requirements, the others are planned", number, judged, all))
		}
	}
	return told
}

// mandatory is the number of the document that every server lists, and that is judged whatever is listed.
const mandatory = 1

// about reports whether a row is judged only where the GRASP of that number is listed.
func about(row spec.Requirement, number int) bool {
	return slices.ContainsFunc(row.Conditions, func(c spec.Condition) bool {
		return c.Kind == spec.GRASPListed && c.Number == number || c.Kind == spec.GitFetching && number == graspSync
	})
}
