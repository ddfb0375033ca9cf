package repo

// String is the name of a model, such as "legacy" or "reciprocal".
func (m Model) String() string {
	switch m {
	case Legacy:
		return "legacy"
	case Reciprocal:
		return "reciprocal"
	case DirectOnly:
		return "direct only"
	case OwnerOnly:
		return "owner only"
	}
	return "invalid model"
}

// ParseModel reads the name of a model that a server may follow, "legacy" or "reciprocal"; "" stands for Legacy.
func ParseModel(name string) (Model, bool) {
	switch name {
	case "", "legacy":
		return Legacy, true
	case "reciprocal":
		return Reciprocal, true
	}
	return 0, false
}
