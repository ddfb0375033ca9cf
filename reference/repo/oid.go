package repo

// An OID names a git object: 40 (SHA-1) or 64 (SHA-256) lower-case hex digits.
type OID string

// ZeroOID is git's spelling of "no object" in SHA-1 repositories: the old value of a creation, the new value of a
// deletion.
const ZeroOID OID = "0000000000000000000000000000000000000000"

// IsOID reports whether s is a full object id, all zeros included (INV-15).
func IsOID(s string) bool { return (len(s) == 40 || len(s) == 64) && isLowerHex(s) }

// IsZero reports whether the id means "no object".
func (o OID) IsZero() bool {
	for i := range len(o) {
		if o[i] != '0' {
			return false
		}
	}
	return true
}

// A Ref is a ref name with the object that it points to.
type Ref struct {
	Name string // full name, "refs/heads/main"
	OID  OID
}
