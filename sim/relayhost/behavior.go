package relayhost

import (
	"slices"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/relay"
)

// Behaving is the configuration of a relay that a judge told how to behave, in the words of this package; without its name.
func Behaving(b target.RelayBehavior) Config {
	cfg := Config{
		Delay: b.Delay, Negentropy: Negentropy(b.Negentropy), PageMax: b.PageMax, PerMinute: b.PerMinute, Members: b.Members, Challenges: b.Challenges,
		Trouble: []Trouble{{Mode: Mode(b.Mode), From: b.From, Until: b.Until, After: b.After, Text: b.Text}},
	}
	if b.LimitNotice {
		cfg.Limiting = ByNotice
	}
	return cfg
}

// Told is a message that a relay was sent, in the words of a judge; without its instant and its connection.
func Told(msg relay.ClientMessage) target.RelayMessage {
	switch m := msg.(type) {
	case relay.Req:
		return target.RelayMessage{Verb: "REQ", Sub: m.Sub, Filters: told(m.Filters...)}
	case relay.Count:
		return target.RelayMessage{Verb: "COUNT", Sub: m.Sub, Filters: told(m.Filters...)}
	case relay.Close:
		return target.RelayMessage{Verb: "CLOSE", Sub: m.Sub}
	case relay.NegOpen:
		return target.RelayMessage{Verb: "NEG-OPEN", Sub: m.Sub, Filters: told(m.Filter)}
	case relay.NegMessage:
		return target.RelayMessage{Verb: "NEG-MSG", Sub: m.Sub}
	case relay.NegClose:
		return target.RelayMessage{Verb: "NEG-CLOSE", Sub: m.Sub}
	case relay.Event:
		return target.RelayMessage{Verb: "EVENT"}
	case relay.Auth:
		return target.RelayMessage{Verb: "AUTH"}
	}
	return target.RelayMessage{}
}

func told(filters ...relay.Filter) []target.RelayFilter {
	out := make([]target.RelayFilter, 0, len(filters))
	for _, f := range filters {
		to := target.RelayFilter{
			IDs: slices.Clone(f.IDs), Authors: slices.Clone(f.Authors), Kinds: slices.Clone(f.Kinds),
			Since: f.Since, Until: f.Until, Limit: f.Limit, Tags: make(map[string][]string, len(f.Tags)),
		}
		for _, tag := range f.Tags {
			to.Tags[string(tag.Letter)] = slices.Clone(tag.Values)
		}
		out = append(out, to)
	}
	return out
}
