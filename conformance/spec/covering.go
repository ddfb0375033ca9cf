package spec

// partly marks rows that have a check of a part in features/; rest is the other part and the reason.
func partly(r Requirement, rest string) Requirement {
	r.Coverage = Coverage{Kind: Checked, Rest: rest}
	return r
}

// watched marks rows that the monitor of the simulated world judges, always or when it is quiet.
func watched(r Requirement, looks string) Requirement {
	r.Coverage = Coverage{Kind: Watched, Text: looks}
	return r
}

// proven marks rows that a test of this module proves; why says what a client could not.
func proven(r Requirement, test, why string) Requirement {
	r.Coverage = Coverage{Kind: Proven, Text: test, Rest: why}
	return r
}

// unobservable marks rows that no client, host or relay can see anything of, with the reason.
func unobservable(r Requirement, why string) Requirement {
	r.Coverage = Coverage{Kind: Unobservable, Text: why}
	return r
}
