// Package invariant is a second, simpler account of what a GRASP server may do, and the judge of a simulated one: it
// reads the inputs, effects and notes of a core, keeps its own model of events, refs and deadlines, and reports what
// breaks a rule. It shares no decision with the server, changes nothing and knows no actors.
package invariant

import "slices"

// IDs lists the invariants that every simulated run can check, sorted. Their wording is that of the requirement catalogue.
func IDs() []string {
	return []string{
		"INV-01", "INV-02", "INV-03", "INV-04", "INV-05", "INV-06", "INV-10", "INV-11", "INV-12", "INV-13", "INV-14", "INV-15",
		"INV-16", "INV-17", "INV-18", "INV-20", "INV-21", "INV-22", "INV-23", "INV-24", "INV-32",
	}
}

// All lists IDs and those invariants that only a world with real events and orderly ends puts to the test, sorted.
func All() []string {
	return slices.Sorted(slices.Values(append(IDs(), "INV-25", "INV-27")))
}

// HuntIDs lists the invariants that only a server that hunts puts to the test, sorted: a monitor that was told of the hunt
// checks them.
func HuntIDs() []string {
	return []string{"INV-09", "INV-29", "INV-30", "INV-35", "INV-36", "INV-37", "INV-39", "INV-40"}
}

// FamilyIDs lists the invariants that only servers put to the test which are set to a further member of the GRASP family, sorted.
func FamilyIDs() []string { return []string{"INV-42", "INV-43", "INV-44"} }

// SyncIDs lists the invariants that only servers that sync with each other put to the test, sorted.
func SyncIDs() []string { return []string{"INV-07", "INV-41"} }
