package httpd

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Loopback is where a proxy in front of the server usually is.
var Loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// sharedIPv6 is how many bits of an IPv6 address one subscriber has for all its machines.
const sharedIPv6 = 64

// client returns the address that a request comes from, as far as clients share one, or "" if it is not known. Behind a
// proxy it is the last one that the proxies name in X-Forwarded-For and that is none of theirs: what stands before it the
// client may have made up.
func (s *Server) client(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	addr := peer.Addr().Unmap().WithZone("")
	if s.isProxy(addr) {
		addr = netip.Addr{}
		for _, text := range slices.Backward(strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")) {
			named, err := netip.ParseAddr(strings.Trim(strings.TrimSpace(text), "[]"))
			if err != nil {
				return ""
			}
			if named = named.Unmap().WithZone(""); !s.isProxy(named) {
				addr = named
				break
			}
		}
	}
	if addr.Is6() {
		return netip.PrefixFrom(addr, sharedIPv6).Masked().String()
	}
	if !addr.IsValid() {
		return ""
	}
	return addr.String()
}

func (s *Server) isProxy(addr netip.Addr) bool {
	return slices.ContainsFunc(s.proxies, func(p netip.Prefix) bool { return p.Contains(addr) })
}
