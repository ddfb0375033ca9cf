package repo

// String is the name of a model, "legacy" or "reciprocal".
func (m Model) String() string {
	switch m {
	case Legacy:
		return "legacy"
	case Reciprocal:
		return "reciprocal"
	}
	return "invalid model"
}

// ParseModel reads the name of a model; "" stands for Legacy.
func ParseModel(name string) (Model, bool) {
	switch name {
	case "", "legacy":
		return Legacy, true
	case "reciprocal":
		return Reciprocal, true
	}
	return 0, false
}
