// Package mutate makes one program out of many wrong ones. It reads the sources of some packages, finds in them the
// places where a small mistake could stand, and writes them again with every such mistake behind a switch that is read
// when the program starts: one build is the honest program and each of its mutants. The sources themselves stay as they
// are; the others are given to the go command as an overlay. Named mistakes that somebody has written are planted alike.
//
// It runs nothing and judges nothing, and it knows no package of this module by name.
package mutate
