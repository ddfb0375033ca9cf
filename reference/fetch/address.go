package fetch

import (
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"github.com/graspkit/graspkit/reference/hunt"
)

// NewDialer returns what connects to hosts that strangers name: at public addresses only, unless local ones are allowed, too.
// An address that may not be connected to is Forbidden by FailureOf.
func NewDialer(allowLocal bool, resolver *net.Resolver) *net.Dialer {
	if allowLocal {
		return &net.Dialer{Resolver: resolver}
	}
	return &net.Dialer{Control: guard, Resolver: resolver}
}

// guard is the control function of the dialer: it sees the address that a connection is really made to, so that no
// answer of a name server comes between the check and the connection.
func guard(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !hunt.Global(to.Addr()) {
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
