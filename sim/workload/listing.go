package workload

import (
	"github.com/graspkit/graspkit/sim/kernel"
)

// A Listing is a relay that some announcements name beside those of the services. Lists of servers and clone URLs may name it as well.
type Listing struct {
	Host  string // host[:port]
	Share int64  // announcements of a million
}

func (l Listing) url() string { return "ws://" + l.Host }

// List has announcements name relays. The key is of what is drawn about that.
func (p *Project) List(key kernel.Key, relays []Listing) {
	p.listing, p.listings = key.WithText(p.Identifier), relays
}

// beside lists the relays that the next announcement of somebody names beside those of the services.
func (p *Project) beside(r Role) (urls []string) {
	for _, l := range p.listings {
		if p.listing.WithText(p.names[r]).With(uint64(p.versions[r])).WithText(l.url()).Chance(l.Share) { //nolint:gosec // a count
			urls = append(urls, l.url())
		}
	}
	return urls
}
