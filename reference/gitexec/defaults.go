package gitexec

// Defaults returns the options that zero ones stand for.
func Defaults() Options { return Options{}.withDefaults() }
