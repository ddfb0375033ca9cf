package replicate

import (
	"net/url"
	"strings"

	"github.com/graspkit/graspkit/reference/hunt"
)

// address returns the one spelling of a relay's URL, or the reason why it is not connected to (REF-SYNC-19). A clone URL is
// that of the GRASP server below whose origin the repository lies.
func (m *Machine) address(text string) (string, string) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return "", "it is not a URL with a host"
	}
	switch u.Scheme {
	case "ws", "wss":
	default:
		return "", "its scheme is neither ws nor wss"
	}
	return m.normal(u)
}

// server returns the relay of the GRASP server that a clone URL points to: what is above /<npub>/<identifier>.git.
func (m *Machine) server(clone string) (string, string) {
	u, err := url.Parse(strings.TrimSpace(clone))
	if err != nil {
		return "", "it is not a URL with a host"
	}
	switch u.Scheme {
	case "http":
		u.Scheme = "ws"
	case "https":
		u.Scheme = "wss"
	default:
		return "", "its scheme is neither http nor https"
	}
	parts := strings.Split(strings.TrimSuffix(u.Path, "/"), "/")
	if len(parts) < 3 || !strings.HasSuffix(parts[len(parts)-1], ".git") || !strings.HasPrefix(parts[len(parts)-2], "npub1") {
		return "", "it is not the clone URL of a GRASP server"
	}
	u.Path, u.RawPath = strings.Join(parts[:len(parts)-2], "/"), ""
	return m.normal(u)
}

// normal spells a URL with the scheme ws or wss. The host is judged as the hunt judges those of git.
func (m *Machine) normal(u *url.URL) (string, string) {
	scheme := u.Scheme
	u.Scheme = "http" + strings.TrimPrefix(scheme, "ws")
	source, why := hunt.Policy{Own: m.cfg.Own, AllowPrivate: m.cfg.AllowPrivate}.Source(u.String())
	if why != "" {
		return "", why
	}
	return strings.TrimSuffix(scheme+strings.TrimPrefix(source.URL, u.Scheme), "/"), ""
}
