package spec

// vouchedWireDefects are mistakes of any server that takes one thing for another because they look alike in a form that is its own.
func vouchedWireDefects() []Defect {
	return []Defect{
		{"events-verified-once-for-their-id", "N01-EV-02", nil, "An event whose id was that of a valid one is taken without a look at its content and signature."},
		{"events-verified-once-for-their-signature", "N01-EV-02", nil, "An event with a signature that was that of a valid one is taken."},
		{"missing-identifiers-called-undefined", "N01-REP-01", nil, "An event without an identifier takes the place of one whose identifier is undefined, as a word."},
		{"missing-identifiers-called-null", "N01-REP-01", nil, "An event without an identifier takes the place of one whose identifier is null, as a word."},
		{"missing-identifiers-called-none", "N01-REP-01", nil, "An event without an identifier takes the place of one whose identifier is None, as a word."},
		{"expirations-of-zero-unread", "N40-01", nil, "An expiration of 0 counts as none."},
		{"names-judged-without-eighth-bits", "SEC-04", nil, "A ref is judged by its name without the eighth bits of its bytes, and made with them."},
		{"names-judged-by-low-bytes", "SEC-04", nil, "A ref is judged by the low bytes of the letters of its name, and made by its name."},
		{"names-judged-as-latin-1", "SEC-04", nil, "A ref is judged by a name in which each byte of its own is a letter, and made by its own."},
		{"names-judged-composed", "SEC-04", nil, "A ref is judged by its name with composed letters, and made by its name."},
	}
}
