package hunt

import (
	"net/netip"
	"net/url"
	"path"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// A Policy says which URLs are asked for git data (REF-HUNT-21, REF-HUNT-23, SEC-02). It looks at the URL alone: what a
// name resolves to is judged by who connects, with Global.
type Policy struct {
	Own          repo.Service // the own service, which is never asked
	AllowPrivate bool         // addresses that are not global may be asked
}

// A Source is a URL that may be asked.
type Source struct {
	URL  string // scheme and host in lower case, without user part, default port and fragment
	Host string // lower-case host[:port] without a default port: what a budget of requests belongs to
}

// URLMax is the longest URL that is looked at, in bytes.
const URLMax = 2048

// Source takes a clone URL apart. The second value is the reason why it is not asked, or "".
func (p Policy) Source(text string) (Source, string) {
	if len(text) > URLMax {
		return Source{}, "it is too long"
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Opaque != "" || u.Hostname() == "" {
		return Source{}, "it is not a URL with a host"
	}
	port := u.Port()
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return Source{}, "its scheme is neither http nor https"
	case u.RawQuery != "" || u.ForceQuery:
		return Source{}, "it has a query, and git needs its own"
	case u.Scheme == "http" && port == "80", u.Scheme == "https" && port == "443":
		port = ""
	}
	name, why := p.hostname(u.Hostname())
	if why != "" {
		return Source{}, why
	}
	if port != "" {
		if strings.TrimLeft(port, "0") != port {
			return Source{}, "its port is not written plainly"
		}
		name += ":" + port
	}
	u.Host, u.User, u.Fragment, u.RawFragment = name, nil, "", ""
	if p.own(u) {
		return Source{}, "it is the own service"
	}
	return Source{URL: u.String(), Host: name}, ""
}

// hostname returns one spelling for the many of a host, an IPv6 address in brackets.
func (p Policy) hostname(text string) (name, why string) {
	if addr, err := netip.ParseAddr(text); err == nil {
		switch {
		case addr.Zone() != "":
			return "", "its address has a zone"
		case !p.AllowPrivate && !Global(addr):
			return "", "its address is not global"
		case addr.Unmap().Is4():
			return addr.Unmap().String(), ""
		}
		return "[" + addr.String() + "]", ""
	}
	name = strings.TrimSuffix(strings.ToLower(text), ".")
	for i := range len(name) {
		c := name[i]
		if plain := 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'; !plain {
			return "", "its host is not a plain name"
		}
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case last == "" || len(name) > 253 || strings.Contains(name, "..") || name[0] == '.':
		return "", "its host is not a plain name"
	case '0' <= last[0] && last[0] <= '9':
		return "", "its host is an address that is not written plainly"
	case !p.AllowPrivate && last == "localhost":
		return "", "its address is not global"
	}
	return name, ""
}

// own reports whether the URL lies in the own service: same host and port, and below its base path.
func (p Policy) own(u *url.URL) bool {
	host, _ := Policy{AllowPrivate: true}.authority(p.Own.Host)
	if u.Host != host {
		return false
	}
	base := strings.ToLower(p.Own.Base)
	if unescaped, err := url.PathUnescape(base); err == nil {
		base = unescaped
	}
	return strings.HasPrefix(strings.ToLower(path.Clean("/"+u.Path))+"/", base+"/")
}

// authority normalizes host[:port] as hostname does.
func (p Policy) authority(text string) (string, bool) {
	u, err := url.Parse("any://" + text)
	if err != nil {
		return "", false
	}
	name, why := p.hostname(u.Hostname())
	if port := u.Port(); port != "" {
		name += ":" + port
	}
	return name, why == ""
}

// notGlobal lists the addresses that are no global ones although their kind does not tell (the special-purpose registries
// of RFC 6890), those that wrap another address, and one at which machines in a cloud learn their own secrets.
var notGlobal = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),
	netip.MustParsePrefix("100.64.0.0/10"),
	netip.MustParsePrefix("168.63.129.16/32"),
	netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"),
	netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"),
	netip.MustParsePrefix("203.0.113.0/24"),
	netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"),
	netip.MustParsePrefix("2001:db8::/32"),
	netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// globalIPv6 is the only part of IPv6 that leads out.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

// Global reports whether an address is one of the open Internet: neither loopback, private, link-local, shared,
// multicast nor reserved, no wrapping of such a one, and none at which a cloud tells its secrets (SEC-02).
func Global(addr netip.Addr) bool {
	addr = addr.Unmap()
	if addr.Zone() != "" || !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Is6() && !globalIPv6.Contains(addr) {
		return false
	}
	for _, p := range notGlobal {
		if p.Contains(addr) {
			return false
		}
	}
	return true
}
