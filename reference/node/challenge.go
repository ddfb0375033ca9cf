package node

import "crypto/rand"

// challenge makes up what one client authenticates with: 26 characters that nobody can foresee (NIP-42).
func challenge() string { return rand.Text() }
