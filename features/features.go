// Package features holds the checks as Gherkin text, reads them and lints their tags.
//
// It runs nothing and judges nothing: steps and verdicts are those of conformance/suite.
package features

import "embed"

// FS holds every feature file, by folder of the document that it judges.
//
//go:embed grasp01/*.feature grasp02/*.feature grasp06/*.feature hunt/*.feature nip01/*.feature nip09/*.feature nip13/*.feature nip40/*.feature nip42/*.feature nip45/*.feature
//go:embed nip62/*.feature nip70/*.feature nip77/*.feature nip98/*.feature reference/*.feature
var FS embed.FS
