package spec

import "slices"

// Plans returns the titles of the works that bring checks for rows which nothing judges yet, each once.
func Plans() []string {
	var plans []string
	for _, r := range All() {
		if r.Coverage.Kind == Planned && !slices.Contains(plans, r.Coverage.Text) {
			plans = append(plans, r.Coverage.Text)
		}
	}
	return plans
}
