//go:build !linux

package servetarget

// scratch is where the data directory of a target goes that takes it along: the usual place.
func scratch() string { return "" }
