package defect

import (
	"bytes"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"

	"github.com/nbd-wtf/go-nostr"
)

// dying answers nobody any more once something has come. Both judges may be nil.
func dying(name string, message func(core.Input) bool, request func(*http.Request) bool) Defect {
	var dead atomic.Bool
	return Defect{
		Name: name,
		Filter: func() Filter {
			return Filter{In: func(i core.Input) (core.Input, bool) {
				if message != nil && message(i) {
					dead.Store(true)
				}
				return i, !dead.Load()
			}}
		},
		Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if request != nil && request(r) {
				dead.Store(true)
			}
			if dead.Load() {
				panic(http.ErrAbortHandler)
			}
			return false
		}),
	}
}

// dyingDefects are mistakes that a client can take the server down with.
func dyingDefects() []Defect {
	noticed := func(words ...string) func(core.Input) bool {
		return func(i core.Input) bool {
			m, _ := i.(core.Message)
			bad, _ := m.Msg.(relay.Malformed)
			said, _ := bad.Reply.(relay.Notice)
			for _, w := range words {
				if strings.Contains(said.Text, w) {
					return true
				}
			}
			return false
		}
	}
	return []Defect{
		dying("broken-text-kills", noticed("not UTF-8"), nil),
		dying("broken-messages-kill", noticed("malformed JSON"), nil),
		dying("many-tags-kill", noticed("tags"), nil),
		dying("large-bombs-kill", nil, func(r *http.Request) bool {
			const enough = 100 << 20
			return atGit(r) && r.Header.Get("Content-Encoding") == "gzip" && len(bodyOf(r)) > enough
		}),
		dying("large-pushed-bombs-kill", nil, bomb(100<<20, func([]packet, []byte) bool { return true })),
		dying("pushed-bombs-kill", nil, bomb(8<<20, func([]packet, []byte) bool { return true })),
		dying("bombs-behind-commands-kill", nil, bomb(8<<20, func(list []packet, _ []byte) bool { return len(list) > 1 })),
		dying("bombs-in-packs-kill", nil, bomb(8<<20, func(_ []packet, rest []byte) bool { return bytes.HasPrefix(rest, []byte("PACK")) })),
		dying("small-reconciliations-kill", func(i core.Input) bool {
			m, _ := i.(core.Message)
			open, is := m.Msg.(relay.NegOpen)
			return is && overstated(open.Message)
		}, nil),
		dying("reconciliations-of-many-ranges-kill", func(i core.Input) bool {
			m, _ := i.(core.Message)
			open, is := m.Msg.(relay.NegOpen)
			return is && len(open.Message) > pipe
		}, nil),
		{Name: "many-held-announcements-exhaust", Filter: func() Filter { return crowdedBeyond(500) }},
		{Name: "many-keys-exhaust", Filter: func() Filter {
			held := map[string]bool{}
			return rejecting(func(ev *nostr.Event) bool {
				if ev.Kind == policy.KindAnnouncement {
					held[ev.PubKey] = true
				}
				return len(held) > 900
			}, nil)
		}},
	}
}

// bomb tells compressed pushes that unpack to more than so many bytes, by what they begin with.
func bomb(enough int, begins func(list []packet, rest []byte) bool) func(*http.Request) bool {
	return func(r *http.Request) bool {
		if !pushed(r) || r.Header.Get("Content-Encoding") != "gzip" {
			return false
		}
		body := bodyOf(r)
		return len(body) > enough && begins(packets(body[:min(len(body), pipe)]))
	}
}

// crowdedBeyond takes nothing to hold any more once one key has announced so many repositories.
func crowdedBeyond(many int) Filter {
	by := map[string]int{}
	full := false
	return rejecting(func(ev *nostr.Event) bool {
		if ev.Kind == policy.KindAnnouncement {
			by[ev.PubKey]++
			full = full || by[ev.PubKey] > many
		}
		return full
	}, nil)
}

// overstated reports whether a reconciliation of a few bytes names a list with far more entries than it has bytes: its
// range without a bound, then mode 2 and a number of five bytes or more.
func overstated(message []byte) bool {
	const small = 64
	at := bytes.Index(message, []byte{0, 0, 2})
	if len(message) > small || at < 0 {
		return false
	}
	digits := 0
	for _, b := range message[at+3:] {
		if b < 0x80 {
			break
		}
		digits++
	}
	return digits >= 3
}
