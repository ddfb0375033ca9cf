package web

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/relay"
)

// CriteriaDefault is the answer to which repositories are accepted when nothing else is configured (G01-N11-03).
const CriteriaDefault = "Any repository whose announcement lists this service in both its clone and its relays tags."

// What a service says that hosts the repositories of a list alone.
const (
	CriteriaAllowed = "Repositories on a list of its operator, whose announcement lists this service in both its clone and its relays tags."
	CurationAllowed = "Only repositories on a list of its operator are hosted here."
)

// document is the relay information document of NIP-11 with the keys that GRASP-01 adds (G01-N11-01).
type document struct {
	Name        string     `json:"name"`
	Description string     `json:"description"`
	PubKey      string     `json:"pubkey,omitempty"` // some services take those for members that have this one
	Self        string     `json:"self,omitempty"`
	NIPs        []int      `json:"supported_nips"`
	Software    string     `json:"software,omitempty"`
	Version     string     `json:"version,omitempty"`
	Grasps      []string   `json:"supported_grasps"`
	Criteria    string     `json:"repo_acceptance_criteria"`
	Curation    string     `json:"curation,omitempty"`
	Limitation  limitation `json:"limitation"`
}

// limitation lists what the relay room enforces (G01-N11-08).
type limitation struct {
	MessageLength int  `json:"max_message_length"`
	Subscriptions int  `json:"max_subscriptions"`
	Filters       int  `json:"max_filters"`
	FilterBytes   int  `json:"max_filter_bytes"` // not of NIP-11, which has no name for it
	Limit         int  `json:"max_limit"`
	DefaultLimit  int  `json:"default_limit"`
	SubIDLength   int  `json:"max_subid_length"`
	EventTags     int  `json:"max_event_tags"`
	Work          int  `json:"min_pow_difficulty"`
	Auth          bool `json:"auth_required"`
	Payment       bool `json:"payment_required"`
	Restricted    bool `json:"restricted_writes"`
}

func (c Config) nip11() Response {
	d := document{
		Name:        c.Name,
		Description: c.Description,
		PubKey:      c.Self,
		Self:        c.Self,
		NIPs:        c.nips(),
		Software:    c.Software,
		Version:     c.Version,
		Grasps:      c.grasps(),
		Criteria:    c.criteria(),
		Curation:    c.curation(),
		Limitation: limitation{
			MessageLength: relay.MessageBytesMax,
			Subscriptions: relay.SubscriptionsMax,
			Filters:       relay.FiltersMax,
			FilterBytes:   cmp.Or(c.FilterBytes, relay.FilterBytesMax),
			Limit:         eventstore.LimitMax,
			DefaultLimit:  eventstore.QueryMax,
			SubIDLength:   relay.SubIDMax,
			EventTags:     relay.TagsMax,
			Work:          c.MinWork,
			Auth:          c.Private,
			Restricted:    true,
		},
	}
	body, err := json.Marshal(d)
	if err != nil {
		panic("web: invariant: the NIP-11 document cannot be encoded")
	}
	return c.respond(200, "application/nostr+json", body)
}

// nips lists what is configured, and NIP-13 if work is asked for.
func (c Config) nips() []int {
	list := append([]int{}, c.NIPs...)
	if c.MinWork > 0 && !slices.Contains(list, workNIP) {
		list = append(list, workNIP)
		slices.Sort(list)
	}
	return c.privateNIPs(list)
}

// workNIP is the NIP about proof of work.
const workNIP = 13

func (c Config) criteria() string { return c.archiveCriteria(cmp.Or(c.Criteria, CriteriaDefault)) }

// NIPs are those that this server obeys, for Config.NIPs.
func NIPs() []int { return []int{1, 9, 11, 34, 40, 42, 45, 62, 70, 77} }
