// Package findtest measures what the simulated world finds. Mutants of the packages that decide, and the planted defects that
// sit on a seam which the world has, are run in its scenarios, and what ends a run is a violation: by an invariant, by the
// model, or by a core that panics or comes to no end. No text is compared and no test of a package is asked. It contains tests
// only.
package findtest
