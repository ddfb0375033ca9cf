package main

import (
	"fmt"
	"net/url"
	"strings"
)

// relayURLs is a flag for the URLs of relays, with commas between.
type relayURLs struct{ list *[]string }

// Set adds URLs.
func (r relayURLs) Set(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		if u, err := url.Parse(one); err != nil || u.Scheme != "ws" && u.Scheme != "wss" || u.Hostname() == "" {
			return fmt.Errorf("%q is no relay: want a URL such as wss://relay.example.com", one)
		}
		*r.list = append(*r.list, one)
	}
	return nil
}

// String is the URLs.
func (r relayURLs) String() string {
	if r.list == nil {
		return ""
	}
	return strings.Join(*r.list, ",")
}

// Type implements pflag.Value.
func (relayURLs) Type() string { return "URLs" }
