package fetch

import (
	"net/netip"
	"net/url"
	"strings"
	"syscall"
)

// notPublic lists the ranges of special purpose that netip has no predicate for (RFC 6890), and addresses of clouds at
// which a machine learns its own secrets.
var notPublic = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"), // between a carrier and its customers
	netip.MustParsePrefix("168.63.129.16/32"),
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), // Teredo, benchmarking, ORCHID
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"), // 6to4: an IPv4 address of any kind inside
	netip.MustParsePrefix("3fff::/20"),
}

// globalIPv6 is what of IPv6 leads out; NAT64, mapped and local ranges lie outside.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// Public reports whether an address is one that anybody on the internet could mean: no loopback, private, link-local,
// shared, multicast or reserved one, and no address of a cloud's metadata service (SEC-02).
func Public(addr netip.Addr) bool {
	addr = addr.Unmap()
	if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Zone() != "" || addr.Is6() && !globalIPv6.Contains(addr) {
		return false
	}
	for _, prefix := range notPublic {
		if prefix.Contains(addr) {
			return false
		}
	}
	return true
}

// guard is the control function of the dialer: it sees the address that a connection is really made to, so that no
// answer of a name server comes between the check and the connection.
func guard(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !Public(to.Addr()) {
		return errForbidden
	}
	return nil
}

// parseURL reads the URL of a repository: http or https, a host, a path. User information is dropped, since nobody gets
// credentials; so is a fragment. A query is refused: the requests have one of their own.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return nil, failed(Forbidden, "URL cannot be parsed")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, failed(Forbidden, "URL scheme %.20q is neither http nor https", u.Scheme)
	case u.Opaque != "" || u.Hostname() == "":
		return nil, failed(Forbidden, "URL has no host")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, failed(Forbidden, "URL has a query")
	}
	return &url.URL{
		Scheme: u.Scheme, Host: u.Host,
		Path: strings.TrimRight(u.Path, "/"), RawPath: strings.TrimRight(u.RawPath, "/"),
	}, nil
}

// sameHost reports whether a redirect stays with the host: its name, and its port or the step from http to https on the
// default ports.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == to.Scheme {
		return port(from) == port(to)
	}
	return from.Scheme == "http" && to.Scheme == "https" && port(from) == "80" && port(to) == "443"
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
