package workload

import (
	"github.com/graspkit/graspkit/sim/kernel"
)

// A Listing is a relay that some announcements name beside those of the services.
type Listing struct {
	URL   string
	Share int64 // announcements of a million
}

// List has announcements name relays. The key is of what is drawn about that.
func (p *Project) List(key kernel.Key, relays []Listing) {
	p.listing, p.listings = key.WithText(p.Identifier), relays
}

// beside lists the relays that the next announcement of somebody names beside those of the services.
func (p *Project) beside(r Role) (urls []string) {
	for _, l := range p.listings {
		if p.listing.WithText(p.names[r]).With(uint64(p.versions[r])).WithText(l.URL).Chance(l.Share) { //nolint:gosec // a count
			urls = append(urls, l.URL)
		}
	}
	return urls
}
