package invariant

import (
	"net/url"
	"strings"
)

// urlMax is the longest URL that a server has to look at, in bytes.
const urlMax = 2048

// hostOf is the host that a URL is about, as a server counts what it asks of it: in lower case, without a default port and
// without the dot of the root. False is for what no server has to ask: other schemes, queries, and whatever is not
// written plainly, addresses too. Those that may all the same be asked are not held against it.
func hostOf(text string) (string, bool) {
	if len(text) > urlMax {
		return "", false
	}
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.ForceQuery || u.Opaque != "" {
		return "", false
	}
	name, port := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), u.Port()
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	for _, label := range labels {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", false
		}
	}
	if len(name) > 253 || last[0] <= '9' || last == "localhost" || strings.HasPrefix(port, "0") {
		return "", false
	}
	if port == "" || u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		return name, true
	}
	return name + ":" + port, true
}
