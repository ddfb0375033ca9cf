package explore

// UnmetRules lists the fields that the rules for copies and texts of worlds name, and no world of a family has.
func UnmetRules(f Family) []string {
	p := &plot{family: f, script: newScript()}
	f.Script(p.script)
	x := newSearch(p, Options{States: 2000})
	x.run(newWorld(p))
	return x.values.kit.Unmet()
}
