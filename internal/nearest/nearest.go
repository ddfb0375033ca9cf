// Package nearest offers names for one that nobody knows.
package nearest

import "slices"

// shown is how many names are offered for a wrong one.
const shown = 3

// To returns the names that are most like one that is not among them, the best first.
func To(wrong string, names []string) []string {
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return distance(wrong, a) - distance(wrong, b) })
	return sorted[:min(shown, len(sorted))]
}

// distance is how many bytes must be put in, taken out or changed to make one text of another, at least.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost = min(before, row[j], row[j+1]) + 1
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
