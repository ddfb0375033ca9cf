package model

import (
	"net/netip"
	"net/url"
	"strings"
)

// What the text says of where data is looked for (REF-HUNT-21, REF-HUNT-23, SEC-02).
const (
	urlMax  = 2048 // bytes of a URL that is looked at
	nameMax = 253  // bytes of the name of a host
)

// notGlobal are the addresses that no server of the open Internet has, each as the first of those that are so many bits alike.
var notGlobal = []netip.Prefix{
	block("0.0.0.0", 8), block("10.0.0.0", 8), block("100.64.0.0", 10), block("127.0.0.0", 8), block("168.63.129.16", 32),
	block("169.254.0.0", 16), block("172.16.0.0", 12), block("192.0.0.0", 24), block("192.0.2.0", 24), block("192.88.99.0", 24),
	block("192.168.0.0", 16), block("198.18.0.0", 15), block("198.51.100.0", 24), block("203.0.113.0", 24), block("224.0.0.0", 3),
	block("2001::", 23), block("2001:db8::", 32), block("2002::", 16), block("3fff::", 20),
}

func block(first string, alike int) netip.Prefix {
	return netip.PrefixFrom(netip.MustParseAddr(first), alike)
}

// isGlobal reports whether an address is one of the open Internet. Of IPv6 that is 2000::/3.
func isGlobal(addr netip.Addr) bool {
	addr = addr.Unmap()
	if addr.Zone() != "" || addr.Is6() && addr.As16()[0]>>5 != 1 {
		return false
	}
	for _, b := range notGlobal {
		if b.Contains(addr) {
			return false
		}
	}
	return true
}

// clones reads the clone URLs of an event, each once.
func (m *Model) clones(e *entry) (list []source) {
	for _, tag := range e.ev.Tags {
		if len(tag) == 0 || tag[0] != "clone" {
			continue
		}
		for _, text := range tag[1:] {
			s, ok := m.sourceAt(text)
			if !ok {
				continue
			}
			same := func(o source) bool { return o.url == s.url }
			if at := indexOf(list, same); at < 0 {
				list = append(list, s)
			} else {
				list[at].sure = list[at].sure || s.sure
			}
		}
	}
	return list
}

func indexOf(list []source, is func(source) bool) int {
	for i, s := range list {
		if is(s) {
			return i
		}
	}
	return -1
}

// sourceAt reads a clone URL; false is for one that must not be asked. One whose path is not written plainly need not be asked:
// how it is spelled in a request is left open.
func (m *Model) sourceAt(text string) (source, bool) {
	if len(text) > urlMax {
		return source{}, false
	}
	scheme, rest, is := strings.Cut(strings.TrimSpace(text), "://")
	if scheme = strings.ToLower(scheme); !is || scheme != "http" && scheme != "https" {
		return source{}, false
	}
	rest, _, _ = strings.Cut(rest, "#")
	if strings.Contains(rest, "?") { // git needs its own query
		return source{}, false
	}
	authority, path, slash := strings.Cut(rest, "/")
	if slash {
		path = "/" + path
	}
	if at := strings.LastIndex(authority, "@"); at >= 0 {
		authority = authority[at+1:]
	}
	host, ok := hostAt(scheme, authority)
	plain := strings.Trim(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-") == "" && !strings.Contains(path, "//") &&
		!strings.Contains(path, "/.")
	own := host == m.cfg.Host && strings.HasPrefix(strings.ToLower(path)+"/", strings.ToLower(m.cfg.Base)+"/")
	return source{scheme + "://" + host + path, host, plain}, ok && !own
}

// alike reports whether two texts are spellings of one URL: a character of its path may be written out or escaped.
func alike(one, other string) bool {
	a, err := url.PathUnescape(one)
	if err != nil {
		return false
	}
	b, err := url.PathUnescape(other)
	return err == nil && a == b
}

// hostAt reads host and port, which belong to one budget of requests; false is for those that must not be asked: addresses that
// are not global or not written plainly, and what is no name.
func hostAt(scheme, authority string) (host string, ok bool) {
	name, port, ported := authority, "", false
	if close := strings.LastIndex(authority, "]"); strings.HasPrefix(authority, "[") {
		if close < 0 || close+1 < len(authority) && authority[close+1] != ':' {
			return "", false
		}
		if name = strings.Replace(authority[1:close], "%25", "%", 1); !strings.Contains(name, ":") {
			return "", false
		}
		if close+1 < len(authority) {
			port, ported = authority[close+2:], true
		}
	} else if at := strings.LastIndex(authority, ":"); at >= 0 {
		name, port, ported = authority[:at], authority[at+1:], true
	}
	if ported && strings.Trim(port, "0123456789") != "" || strings.HasPrefix(port, "0") {
		return "", false
	}
	if port == map[string]string{"http": "80", "https": "443"}[scheme] {
		port = ""
	}
	if host, ok = nameAt(name); port != "" {
		host += ":" + port
	}
	return host, ok
}

// nameAt is the one spelling of the many of a name or an address.
func nameAt(text string) (string, bool) {
	if addr, err := netip.ParseAddr(text); err == nil {
		if name := addr.Unmap().String(); addr.Unmap().Is4() {
			return name, isGlobal(addr)
		}
		return "[" + addr.String() + "]", isGlobal(addr)
	}
	name := strings.TrimSuffix(strings.ToLower(text), ".")
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	for i, label := range labels {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", false
		}
		if i == len(labels)-1 && (label[0] >= '0' && label[0] <= '9') {
			return "", false
		}
	}
	return name, len(name) <= nameMax && last != "localhost"
}
