// Package archtest holds the architecture of this module as a test: which room may import which, what
// the pure rooms may not do, and the shape that every file keeps. It has no code outside its tests and
// judges no behavior.
package archtest
