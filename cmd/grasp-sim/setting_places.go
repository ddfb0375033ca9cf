package main

import (
	"fmt"
	"net/netip"
	"strings"
)

// A places is a set of addresses and networks, with commas between.
type places struct{ at *[]netip.Prefix }

const noPlaces = "none"

// Set implements pflag.Value.
func (p places) Set(text string) error {
	list := []netip.Prefix{} // not nil, which would stand for the default
	if text != noPlaces {
		for entry := range strings.SplitSeq(text, ",") {
			entry = strings.TrimSpace(entry)
			network, err := netip.ParsePrefix(entry)
			if addr, wrong := netip.ParseAddr(entry); wrong == nil {
				network, err = netip.PrefixFrom(addr, addr.BitLen()), nil
			}
			if err != nil {
				return fmt.Errorf("%q: want addresses and networks such as 10.0.0.0/8,::1, or %s", entry, noPlaces)
			}
			list = append(list, network.Masked())
		}
	}
	*p.at = list
	return nil
}

// String implements pflag.Value.
func (p places) String() string {
	if p.at == nil || len(*p.at) == 0 {
		return noPlaces
	}
	texts := make([]string, 0, len(*p.at))
	for _, network := range *p.at {
		texts = append(texts, network.String())
	}
	return strings.Join(texts, ",")
}

// Type implements pflag.Value.
func (p places) Type() string { return "networks" }
