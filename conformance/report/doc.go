// Package report writes the document of a run for people and for programs: to a terminal, as JUnit, and in the other forms of
// its files. What it writes comes from the document alone.
//
// It judges nothing anew and reads no environment.
package report
