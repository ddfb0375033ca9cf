package client

import (
	"slices"
	"strings"
	"sync"
)

// Offers are the capabilities that the services of git offered last, in the protocols before version 2. A client must not ask for others
// there, and a server has to refuse who does (gitprotocol-capabilities). Clients of one target share them.
type Offers struct {
	mu sync.Mutex
	by map[string][]string // guarded by mu; names by service
}

// saw files what an advertisement offers. One without any says nothing.
func (o *Offers) saw(advert Advert) {
	if advert.Version == 2 || len(advert.Caps) == 0 {
		return
	}
	var names []string
	for _, c := range advert.Caps {
		name, _, _ := strings.Cut(c, "=")
		names = append(names, name)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = make(map[string][]string)
	}
	o.by[advert.Service] = names
}

// Claimed are capabilities of a request without those that a service is known not to offer.
func (c *Client) Claimed(service, caps string) string { return c.offers.among(service, caps) }

// among leaves out of the capabilities of a request what a service is known not to offer. A report stays, for without one nobody could
// say what became of a push.
func (o *Offers) among(service, caps string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	names, known := o.by[service]
	if !known {
		return caps
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(caps), func(c string) bool {
		name, _, _ := strings.Cut(c, "=")
		return name != OffersReports && !slices.Contains(names, name)
	}), " ")
}
