package fetch

// Defaults returns the options that zero ones stand for, but for the clock, which the caller has.
func Defaults() Options {
	o := Options{}.withDefaults()
	o.Clock = nil
	return o
}
