// Package containertest judges the reference server in a container: an image FROM scratch with the static grasp-sim in
// it. It contains tests only, which need a container engine: without one they are skipped with the reason, or fail if
// -require-containers is given.
package containertest
