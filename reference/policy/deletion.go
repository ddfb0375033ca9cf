package policy

import (
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/eventstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// An Address names all versions of one replaceable or addressable event of some author.
type Address struct {
	Kind       int
	Identifier string // of an addressable event, else ""
}

// A Deletion is what a deletion request asks for (NIP-09). What it says of other people's coordinates is left out; ids
// of other people's events are not known to be such here and have no effect later (N09-03).
type Deletion struct {
	IDs       []string  // event ids, as they come
	Addresses []Address // of the signer, as they come
}

// ParseDeletion reads a kind 5 event. Malformed references count for nothing.
func ParseDeletion(ev *nostr.Event) Deletion {
	var d Deletion
	for _, tag := range ev.Tags {
		if len(tag) < 2 {
			continue
		}
		switch tag[0] {
		case "e":
			if _, err := repo.ParsePubKey(tag[1]); err == nil { // an id has the form of a key
				d.IDs = append(d.IDs, tag[1])
			}
		case "a":
			if a, ok := parseAddress(tag[1], ev.PubKey); ok {
				d.Addresses = append(d.Addresses, a)
			}
		}
	}
	return d
}

func parseAddress(coordinate, signer string) (Address, bool) {
	kindText, rest, _ := strings.Cut(coordinate, ":")
	author, identifier, ok := strings.Cut(rest, ":")
	kind, err := strconv.Atoi(kindText)
	if !ok || err != nil || author != signer {
		return Address{}, false
	}
	return AddressOf(kind, identifier)
}

// AddressOf returns the address of events of a kind, and whether they have one.
func AddressOf(kind int, identifier string) (Address, bool) {
	switch {
	case eventstore.IsAddressable(kind):
		return Address{kind, identifier}, true
	case eventstore.IsReplaceable(kind):
		return Address{kind, ""}, true
	}
	return Address{}, false
}
