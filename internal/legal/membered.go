package legal

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

// membered are servers that are for their members alone (GRASP-08), in their own ways. Their judge has the keys of two members.
func membered() []Server {
	notices := func(verbs ...string) func() []habit {
		return func() []habit {
			return []habit{{says: func(now time.Time, l *line, msg []byte) (time.Duration, bool) {
				if slices.Contains(verbs, read(msg).verb) {
					l.queue = append(l.queue, delivery{now, write("NOTICE", "this service is for its members")})
				}
				return 0, true
			}}}
		}
	}
	numbered := func() []habit {
		n := 0
		return []habit{{answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			resp, err := next(req)
			if err != nil {
				return resp, err
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			n++
			resp.Header.Set("X-Trace", fmt.Sprintf("%08x", n*2654435761%1_000_003))
			resp.Header.Set("Server-Timing", fmt.Sprintf("total;dur=%d.%d", n%7, n%3))
			return resp, nil
		}}}
	}
	asked := func(values ...string) func() []habit {
		return answering(func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
			resp, err := next(req)
			if err == nil && resp.StatusCode == http.StatusUnauthorized {
				resp.Header["Www-Authenticate"] = values
			}
			return resp, err
		})
	}
	const nostrAsked = `Nostr method="GET"`
	all := []Server{
		{Name: "members-alone", What: "is for two members, and told of no others"},
		{Name: "members-hung-up-on", What: "ends the connection of who authenticates and is no member", filter: hangsUpOnStrangers},
		{Name: "members-by-password", What: "also takes a token as the password of HTTP Basic, and asks for that first", habits: asked(`Basic realm="members"`, nostrAsked)},
		{Name: "members-by-password-in-a-list", What: "asks for HTTP Basic and for a token in one header", habits: asked(`Basic realm="members", ` + nostrAsked)},
		{Name: "members-asked-simply", What: "asks for a token, in lower case and without a method", habits: asked("nostr")},
		{Name: "members-traced", What: "numbers its answers, and says how long each took", habits: numbered},
		{Name: "members-welcomed", What: "greets by a NOTICE before the challenge", habits: notices("AUTH")},
		{Name: "members-told-by-notices", What: "tells by a NOTICE before each refusal whom it is for", habits: notices("CLOSED", "OK", "NEG-ERR")},
		{Name: "members-asked-again", What: "sends another challenge after each refusal of an authentication, and takes both", filter: asksAgain},
		{Name: "members-without-counts", What: "knows neither counts nor reconciliation", web: func(c *web.Config) {
			c.NIPs = []int{1, 9, 11, 34, 40, 42, 62, 70}
		}},
		{
			Name: "members-with-places", What: "takes contributions of its members",
			config: func(c *core.Config) { c.Contributions.On = true },
		},
		{Name: "members-for-ten-minutes", What: "takes authentications of ten minutes either way, as NIP-42 suggests", core: windows(10*time.Minute, 0)},
		{Name: "members-for-a-minute", What: "takes authentications of a minute either way", core: windows(time.Minute, 0)},
		{Name: "members-tokens-last", What: "takes tokens of a minute and a half either way", core: windows(0, 90*time.Second)},
		{
			Name: "members-tokens-brief", What: "takes tokens of twenty seconds either way", core: windows(0, 20*time.Second),
			Owes: map[string]string{"G08-05": "a token counts for less than a minute, which is observed"},
		},
		{
			Name: "members-challenged-late", What: "sends the challenge behind the first refusal of a connection", filter: challengesLate,
			Owes: map[string]string{"G08-02": "the challenge does not come on connecting, which is observed"},
		},
		{Name: "members-in-another-hand", What: "writes its messages with blanks", habits: func() []habit { return []habit{inAnotherHand()} }},
		{Name: "members-late", What: "takes two seconds for every answer", habits: func() []habit { return []habit{lateByTwo()} }},
	}
	for i, s := range all {
		all[i].Rows, all[i].Members = "G08-", members()[:2]
		all[i].config = func(c *core.Config) {
			c.Private = core.PrivateConfig{On: true, Members: memberKeys()}
			if s.config != nil {
				s.config(c)
			}
		}
	}
	return all
}

// memberKeys are the public keys of the members.
func memberKeys() policy.Members {
	keys := policy.Members{memberKey(0), memberKey(1)}
	slices.Sort(keys)
	return keys
}

func memberKey(n int) repo.PubKey {
	key, err := nostr.GetPublicKey(members()[n])
	if err != nil {
		panic("legal: invariant: own member: " + err.Error())
	}
	return repo.PubKey(key)
}

// hangsUpOnStrangers ends a connection behind the words that who has authenticated is no member.
func hangsUpOnStrangers() defect.Filter {
	return defect.Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		if _, is := m.Msg.(relay.Auth); !is {
			return effects
		}
		for _, e := range effects {
			send, _ := e.(core.Send)
			if answer, is := send.Msg.(relay.OK); is && strings.HasPrefix(answer.Text, "restricted:") {
				return append(effects, core.CloseConn{Conn: send.Conn})
			}
		}
		return effects
	}}
}

// asksAgain repeats the challenge of a connection behind each refusal of an authentication.
func asksAgain() defect.Filter {
	asked := map[core.ConnID]core.Send{}
	return defect.Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
		m, _ := i.(core.Message)
		_, authenticates := m.Msg.(relay.Auth)
		all := effects
		for _, e := range effects {
			send, _ := e.(core.Send)
			if _, is := send.Msg.(relay.Challenge); is {
				asked[send.Conn] = send
			}
			if answer, is := send.Msg.(relay.OK); is && authenticates && !answer.Accepted {
				all = append(all[:len(all):len(all)], asked[send.Conn])
			}
		}
		return all
	}}
}
