package defect

import (
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
)

// lookalikeDefects are mistakes that find the own service in a URL of another one, because they look for a text.
func lookalikeDefects() []Defect {
	return []Defect{
		lookalike("service-found-as-user", func(value, host string) bool {
			return strings.Contains(value, "://"+host+"@") || strings.Contains(value, "://"+host+":")
		}),
		lookalike("service-found-in-query", func(value, host string) bool {
			_, query, _ := strings.Cut(value, "?")
			return strings.Contains(query, "://"+host)
		}),
		lookalike("service-found-in-path", func(value, host string) bool {
			_, rest, _ := strings.Cut(value, "://")
			path, _, _ := strings.Cut(rest, "?")
			return strings.Contains(path, "://"+host)
		}),
		lookalike("ports-compared-by-prefix", func(value, host string) bool {
			_, rest, found := strings.Cut(value, "://"+host)
			return found && rest != "" && strings.ContainsAny(rest[:1], "0123456789")
		}),
		lookalike("service-found-in-fragment", func(value, host string) bool {
			_, fragment, _ := strings.Cut(value, "#")
			return strings.Contains(fragment, "://"+host)
		}),
	}
}

// lookalike takes values of clone and relays for ones of the own service.
func lookalike(name string, same func(value, host string) bool) Defect {
	host, base := "", ""
	return Defect{
		Name:   name,
		Config: func(c *core.Config) { host, base = c.Service.Host, c.Service.Base },
		Filter: edited(func(ev *nostr.Event, _ *shelf) bool {
			if ev.Kind != policy.KindAnnouncement {
				return false
			}
			for i, t := range ev.Tags {
				if t[0] != "clone" && t[0] != "relays" {
					continue
				}
				ev.Tags[i] = slices.Clone(t)
				for n, value := range t[1:] {
					if same(value, host) {
						ev.Tags[i][n+1] = ownURL(t[0], host+base, ev)
					}
				}
			}
			return true
		}),
	}
}

// ownURL is what an announcement would list for this service.
func ownURL(tag, place string, ev *nostr.Event) string {
	if tag == "relays" {
		return "ws://" + place
	}
	return "http://" + place + "/" + npub(ev.PubKey) + "/" + ev.Tags.GetD() + ".git"
}
