package mutate

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// A Point is one place with one mistake that can be switched on.
type Point struct {
	Number   int    // from 1; it changes when the sources do
	Package  string // folder below the module's root, such as "reference/push"
	File     string // below the module's root, with slashes
	Line     int
	Func     string // the function around it, "Type.Method" for a method
	Operator string // the kind of mistake, such as "boundary"
	Before   string // what stands there, on one line
	After    string // what the mutant does instead
	Nth      int    // among the points of the same file that are alike in all the rest, from 1
}

// Key names the point without its line and number, so that it stays the same as long as the place does.
func (p Point) Key() string {
	return fmt.Sprintf("%s %s: %s: %s -> %s (%d)", p.File, p.Func, p.Operator, p.Before, p.After, p.Nth)
}

// String is the place and the mistake, for reports.
func (p Point) String() string {
	return fmt.Sprintf("%s:%d %s %s -> %s", p.File, p.Line, p.Operator, p.Before, p.After)
}

// Sample draws at most n points, the same ones for the same seed: in turns from each package, as long as it has any. All
// are drawn for an n of 0. The order is that of the numbers.
func Sample(points []Point, seed string, n int) []Point {
	if n <= 0 || n >= len(points) {
		return slices.Clone(points)
	}
	drawn := map[string][]Point{}
	var packages []string
	for _, p := range points {
		if drawn[p.Package] == nil {
			packages = append(packages, p.Package)
		}
		drawn[p.Package] = append(drawn[p.Package], p)
	}
	lot := func(p Point) string {
		sum := sha256.Sum256([]byte(seed + "\n" + p.Key()))
		return string(sum[:])
	}
	for _, list := range drawn {
		slices.SortFunc(list, func(a, b Point) int { return strings.Compare(lot(a), lot(b)) })
	}
	var sample []Point
	for turn := 0; len(sample) < n; turn++ {
		for _, name := range packages {
			if list := drawn[name]; turn < len(list) && len(sample) < n {
				sample = append(sample, list[turn])
			}
		}
	}
	slices.SortFunc(sample, func(a, b Point) int { return a.Number - b.Number })
	return sample
}
