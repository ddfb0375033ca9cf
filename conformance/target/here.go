package target

import (
	"net/netip"
	"strings"
)

// OnThisMachine reports whether the host of a URL is this machine, judged by its name alone: a loopback address, localhost,
// or a name below it.
func OnThisMachine(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") || BelowLocalhost(host) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// BelowLocalhost reports whether a host is a name such as relay.localhost. Those are this machine, whatever a resolver says of
// them (RFC 6761, 6.3), and many resolvers say nothing; a server that tells its services apart by name has one for each.
func BelowLocalhost(host string) bool {
	return strings.HasSuffix(strings.ToLower(strings.TrimSuffix(host, ".")), ".localhost")
}
