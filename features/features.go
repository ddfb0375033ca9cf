// Package features holds the checks as Gherkin text, reads them and lints their tags.
//
// It runs nothing and judges nothing: steps and verdicts are those of conformance/suite.
package features

import "embed"

// FS holds every feature file, by folder of the document that it judges.
//
//go:embed grasp01/*.feature nip01/*.feature nip40/*.feature nip45/*.feature nip77/*.feature reference/*.feature
var FS embed.FS
