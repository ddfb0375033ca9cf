package repro

// The two readers of what a relay says.
var (
	Meaning  = meaning
	SedRules = sedRules
)
