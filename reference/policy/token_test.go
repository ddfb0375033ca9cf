package policy_test

import (
	"strings"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A token counts for one repository, one method, a minute either way and a member, and every other one is refused (G08-05, G08-06).
func TestToken(t *testing.T) {
	const at = 1_760_000_000
	own := repo.Service{Host: "grasp.test", Base: "/base"}
	member := repo.PubKey("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798")
	stranger := repo.PubKey("c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")
	id := repo.ID{Owner: stranger, Identifier: "a b"}
	url := "https://grasp.test/base/" + stranger.Npub() + "/a%20b.git"
	for name, c := range map[string]struct {
		change func(*nostr.Event)
		forged bool
		reason string // "" if it counts
	}{
		"good":                {},
		"plain scheme":        {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "https", "http", 1) }},
		"another encoding":    {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "a%20b", "%61%20b", 1) }},
		"default port":        {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, ".test", ".test:443", 1) }},
		"host in upper case":  {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "grasp", "GRASP", 1) }},
		"with a payload":      {change: func(ev *nostr.Event) { ev.Tags = append(ev.Tags, nostr.Tag{"payload", "00"}) }},
		"a minute old":        {change: func(ev *nostr.Event) { ev.CreatedAt -= 60 }},
		"a minute ahead":      {change: func(ev *nostr.Event) { ev.CreatedAt += 60 }},
		"too old":             {change: func(ev *nostr.Event) { ev.CreatedAt -= 61 }, reason: "time"},
		"too far ahead":       {change: func(ev *nostr.Event) { ev.CreatedAt += 61 }, reason: "time"},
		"another kind":        {change: func(ev *nostr.Event) { ev.Kind = 22242 }, reason: "kind"},
		"a wrong signature":   {forged: true, reason: "signature"},
		"another method":      {change: func(ev *nostr.Event) { ev.Tags[1][1] = "POST" }, reason: "method"},
		"method in lower":     {change: func(ev *nostr.Event) { ev.Tags[1][1] = "get" }, reason: "method"},
		"no method":           {change: func(ev *nostr.Event) { ev.Tags = ev.Tags[:1] }, reason: "method"},
		"two methods":         {change: func(ev *nostr.Event) { ev.Tags = append(ev.Tags, nostr.Tag{"method", "POST"}) }, reason: "method"},
		"no repository":       {change: func(ev *nostr.Event) { ev.Tags = ev.Tags[1:] }, reason: "repository"},
		"two repositories":    {change: func(ev *nostr.Event) { ev.Tags = append(ev.Tags, nostr.Tag{"u", url}) }, reason: "repository"},
		"half a tag":          {change: func(ev *nostr.Event) { ev.Tags[0] = nostr.Tag{"u"} }, reason: "repository"},
		"another identifier":  {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "a%20b", "ab", 1) }, reason: "repository"},
		"another owner":       {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, stranger.Npub(), member.Npub(), 1) }, reason: "repository"},
		"another host":        {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, ".test", ".test.evil", 1) }, reason: "repository"},
		"another base":        {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "/base", "", 1) }, reason: "repository"},
		"another scheme":      {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "https", "wss", 1) }, reason: "repository"},
		"a slash behind it":   {change: func(ev *nostr.Event) { ev.Tags[0][1] += "/" }, reason: "repository"},
		"a query":             {change: func(ev *nostr.Event) { ev.Tags[0][1] += "?service=git-upload-pack" }, reason: "repository"},
		"the URL of an end":   {change: func(ev *nostr.Event) { ev.Tags[0][1] += "/info/refs" }, reason: "repository"},
		"without its .git":    {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.TrimSuffix(url, ".git") }, reason: "repository"},
		"encoded twice":       {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "%20", "%2520", 1) }, reason: "repository"},
		"with a user":         {change: func(ev *nostr.Event) { ev.Tags[0][1] = strings.Replace(url, "://", "://x@", 1) }, reason: "repository"},
		"of no member":        {change: func(ev *nostr.Event) { ev.PubKey = string(stranger) }, reason: "member"},
		"of the relay itself": {change: func(ev *nostr.Event) { ev.Tags[0][1] = "https://grasp.test/base" }, reason: "repository"},
	} {
		t.Run(name, func(t *testing.T) {
			ev := &nostr.Event{PubKey: string(member), Kind: 27235, CreatedAt: at, Tags: nostr.Tags{{"u", url}, {"method", "GET"}}}
			if c.change != nil {
				c.change(ev)
			}
			got := policy.Token(own, ev, policy.TokenAttempt{Genuine: !c.forged, Repo: id, Second: at, Members: policy.Members{member}})
			if got.Accepted() != (c.reason == "") || !strings.Contains(got.Reason, c.reason) {
				t.Errorf("got %+v, want a refusal for %q", got, c.reason)
			}
		})
	}
}

func TestParseMembers(t *testing.T) {
	const one, two = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", "c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5"
	got, err := policy.ParseMembers("# all of us\n\n" + two + "\t# by name\r\n" + repo.PubKey(one).Npub() + "\n" + strings.ToUpper(two))
	if err != nil || len(got) != 2 || !got.Has(one) || !got.Has(two) || got.Has("") {
		t.Errorf("got %v, %v", got, err)
	}
	const secret = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
	for text, want := range map[string]string{
		"": "nobody", "# nobody\n": "nobody", one + "\nalice\n": "line 2", one + " " + two: "line 1", "\n" + secret: "secret key", one[:63]: "line 1",
		"npub1" + strings.Repeat("q", 58): "line 1",
	} {
		if _, err := policy.ParseMembers(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: got %v, want an error with %q", text, err, want)
		}
	}
}
