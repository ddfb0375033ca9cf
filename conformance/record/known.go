package record

// Excuses reports whether the failure that is marked so counts for nothing.
func (k *Known) Excuses() bool { return k != nil && !k.Stale && !k.Expired }
