package workload

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/internal/identity"
	"github.com/graspkit/graspkit/reference/repo"
)

// People write the addresses of servers and repositories by themselves, from the text of the protocol: what a server makes of
// such an address is judged, so nothing of it may be what the server itself would write.

// unreserved are the characters that are written as they are (RFC 3986); all others are percent-encoded.
const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"

// Encoded is an identifier as it stands in a URL.
func Encoded(identifier string) string {
	var b strings.Builder
	for _, c := range []byte(identifier) {
		if strings.IndexByte(unreserved, c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// PathOf is where somebody's repository is below a service (G01-GIT-01).
func PathOf(owner identity.Identity, identifier string) string {
	return "/" + owner.Npub + "/" + Encoded(identifier) + ".git"
}

// CloneURL is where somebody's repository is cloned from.
func CloneURL(s repo.Service, owner identity.Identity, identifier string) string {
	return "http://" + s.Host + s.Base + PathOf(owner, identifier)
}

// RelayURL is where the relay of a service is.
func RelayURL(s repo.Service) string { return "ws://" + s.Host + s.Base }

// nothing reports whether an object is the zero one, which stands for no object.
func nothing(oid repo.OID) bool { return oid == repo.ZeroOID }
