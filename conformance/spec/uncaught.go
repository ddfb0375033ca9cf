package spec

// Caught reports whether a planted defect is caught by the requirement, be it as one that it breaks beside another.
func (r Requirement) Caught() bool {
	for _, d := range Defects() {
		if d.Catches == r.ID {
			return true
		}
		for _, id := range d.Also {
			if id == r.ID {
				return true
			}
		}
	}
	return false
}

// Uncaught says why no planted defect is caught by a requirement; "" if that has no reason.
func Uncaught(r Requirement) string {
	switch {
	case r.Score == Observe:
		return "nothing that a server does is a violation"
	case r.Coverage.Kind == Planned:
		return "there is no check yet"
	case r.Coverage.Kind == Unobservable:
		return "there is nothing to see"
	case r.Coverage.Kind == Proven:
		return "the test has cases of its own that must fail"
	case r.Coverage.Kind == Watched:
		return "mistakes are planted in the tests of the monitor, at least one for each way to break it"
	}
	return ""
}
