// Package features holds the checks as Gherkin text, reads them and lints their tags.
//
// It runs nothing and judges nothing: steps and verdicts are those of conformance/suite.
package features

import "embed"

// FS holds every feature file, by folder of the document that it judges. Those of FoldersOfTheReference judge rules of the
// reference server alone; all others judge any server.
//
//go:embed */*.feature
var FS embed.FS

// FoldersOfTheReference are the folders whose checks no other server is held to.
func FoldersOfTheReference() []string { return []string{"hunt", "reference"} }
