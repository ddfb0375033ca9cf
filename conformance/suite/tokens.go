package suite

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// tokened is what requests with a token brought.
type tokened struct {
	compared       comparison
	before, pushed client.Observation
	rows           [][]string
}

// gitEndpoints are the four that every repository has.
func gitEndpoints() []string {
	return []string{"the fetch advertisement", "the push advertisement", "the fetch endpoint", "the push endpoint"}
}

// Kinds of tokens, by the words of steps; whatever else they say is somebody's proper one.
const tokenFaults = `no token|a token that is no event|the owner's token (?:of two minutes ago|of in two minutes|for another repository|for another service|` +
	`for all of its repositories|for the whole service|for a repository whose name goes on|` +
	`for another method|for no method|for no repository|for another port|of another kind|of another scheme|with a wrong signature)|` +
	`the owner's token, changed since it was signed|the stranger's token|the contributor's token`

// token is the header Authorization for a repository, by the words of a step. The token is that of G08-05: a root, the method GET,
// whatever is asked.
func (w *world) token(words string, r repository) string {
	who, fault, _ := strings.Cut(words, "'s token")
	if words == "no token" {
		return ""
	}
	if words == "a token that is no event" {
		return "Nostr " + base64.StdEncoding.EncodeToString([]byte("no event"))
	}
	key, date := w.key(strings.TrimPrefix(who, "the ")), w.client.Now()
	u, method, kind := w.client.CloneURL(r.owner.Pubkey, r.identifier), http.MethodGet, client.KindHTTPAuth
	switch strings.TrimSpace(fault) {
	case "of two minutes ago":
		date -= 120
	case "of in two minutes":
		date += 120
	case "of half a minute ago":
		date -= 30
	case "of in half a minute":
		date += 30
	case "for another repository":
		u = w.client.CloneURL(r.owner.Pubkey, r.identifier+"-other")
	case "for all of its repositories":
		u = u[:strings.LastIndexByte(u, '/')]
	case "for the whole service":
		u = strings.TrimSuffix(u, w.pathOf(r))
	case "for a repository whose name goes on":
		u = w.client.CloneURL(r.owner.Pubkey, r.identifier+".git-on")
	case "for another service":
		u = "https://grasp.example.invalid" + w.pathOf(r)
	case "for another method":
		method = http.MethodDelete
	case "for no method":
		return authorization(client.EventJSON(client.Build(key, kind, [][]string{{"u", u}}, "", date)))
	case "for another port":
		u = atPort(u, portUnasked)
	case "of another scheme":
		return "Bearer " + strings.TrimPrefix(authorization(client.EventJSON(client.Build(key, kind, [][]string{{"u", u}, {"method", method}}, "", date))), "Nostr ")
	case ", changed since it was signed":
		ev := client.Build(key, kind, [][]string{{"u", u}, {"method", method}}, "", date-int64(time.Hour.Seconds()))
		ev.CreatedAt = nostr.Timestamp(date)
		return authorization(client.EventJSON(ev))
	case "for no repository":
		return authorization(client.EventJSON(client.Build(key, kind, [][]string{{"method", method}}, "", date)))
	case "of another kind":
		kind = client.KindAuth
	}
	raw := client.EventJSON(client.Build(key, kind, [][]string{{"u", u}, {"method", method}}, "", date))
	if strings.Contains(fault, "a wrong signature") {
		raw = spoil(raw, "a wrong signature")
	}
	return authorization(raw)
}

// portUnasked is a port at which no service is judged: that of discard.
const portUnasked = "9"

// atPort is a URL at another port.
func atPort(u, port string) string {
	scheme, rest, _ := strings.Cut(u, "://")
	host, path, _ := strings.Cut(rest, "/")
	return scheme + "://" + onlyHost(host) + ":" + port + "/" + path
}

func authorization(event []byte) string {
	return "Nostr " + base64.StdEncoding.EncodeToString(event)
}

// asksEverywhere asks for every endpoint of a path with one token.
func (w *world) asksEverywhere(token, path string) map[string]client.Observation {
	answers := make(map[string]client.Observation)
	for _, endpoint := range gitEndpoints() {
		answers[endpoint] = w.asks(endpoint, token, path)
	}
	return answers
}

// asks asks for one endpoint of a path with a token, "" for none.
func (w *world) asks(endpoint, token, path string) client.Observation {
	method, below, header, body := http.MethodGet, "", http.Header{}, []byte(nil)
	switch endpoint {
	case "the fetch advertisement":
		below = advertOf(client.UploadPack)
	case "the push advertisement":
		below = advertOf(client.ReceivePack)
	case "the fetch endpoint":
		method, below, header = http.MethodPost, "/"+client.UploadPack, rpcHeader(client.UploadPack)
		body = []byte(pkt("want "+w.git.history.oid("first")+"\n") + "0000" + pkt("done\n"))
	case "the push endpoint":
		method, below, header, body = http.MethodPost, "/"+client.ReceivePack, rpcHeader(client.ReceivePack), []byte("0000")
	}
	if token != "" {
		header.Set("Authorization", token)
	}
	return w.client.Do(w.ctx, method, path+below, header, body)
}

// visitWithToken asks for everything of the owner's repository, and of one that is not there.
func (w *world) visitWithToken(words string) outcome {
	w.compare(func(r repository) map[string]client.Observation {
		return w.asksEverywhere(w.token(words, r), w.pathOf(r))
	})
	return outcome{}
}

// unauthorized judges that every answer is 401, and that nothing tells what is here from what is not.
func (w *world) unauthorized() outcome {
	for _, endpoint := range gitEndpoints() {
		there, missing := w.private.token.compared.first.there[endpoint], w.private.token.compared.first.missing[endpoint]
		one, is := there.(client.HTTPAnswer)
		other, also := missing.(client.HTTPAnswer)
		switch {
		case !is:
			return unlessInconclusive(endpoint, there)
		case !also:
			return unlessInconclusive(endpoint+" of a repository that is not there", missing)
		case tooFast(there), tooFast(missing):
			return inconclusive(endpoint, there)
		case one.Status != http.StatusUnauthorized:
			return violated("%s answers %v, want 401", endpoint, one)
		case other.Status != one.Status:
			return violated("%s answers %v, and %v where there is no repository", endpoint, one, other)
		case len(one.Body) > 0 || len(other.Body) > 0:
			return violated("%s answers 401 with a body: %q, and %q where there is no repository", endpoint, one.Body, other.Body)
		case !slices.ContainsFunc(one.Header.Values("WWW-Authenticate"), asksForNostr.MatchString):
			return violated("%s answers 401 with the challenge %q, want one of Nostr", endpoint, one.Header.Values("WWW-Authenticate"))
		}
		if name := w.private.token.compared.tellingHeader(endpoint); name != "" {
			return violated("%s answers with %s %q, and %q where there is no repository", endpoint, name, one.Header.Values(name), other.Header.Values(name))
		}
	}
	return outcome{}
}

// asksForNostr finds the scheme among those that a challenge offers, in any case (RFC 9110, 11.1).
var asksForNostr = regexp.MustCompile(`(?i)(?:^|,)\s*nostr(?:\s|,|$)`)

// letThrough judges that every endpoint of the owner's repository answers to a token.
func (w *world) letThrough(words string) outcome {
	r := w.repository("owner", "")
	for endpoint, o := range inOrder(w.asksEverywhere(w.token(words, r), w.pathOf(r))) {
		answer, is := o.(client.HTTPAnswer)
		if !is {
			return unlessInconclusive(endpoint, o)
		}
		if tooFast(o) {
			return inconclusive(endpoint, o)
		}
		refused := answer.Status == http.StatusUnauthorized || answer.Status == http.StatusForbidden || answer.Status == http.StatusNotFound
		if refused || strings.HasSuffix(endpoint, "advertisement") && answer.Status != http.StatusOK {
			return violated("with %s %s answers %v", words, endpoint, answer)
		}
	}
	return outcome{}
}

// inOrder goes through answers in the order of the endpoints.
func inOrder(answers map[string]client.Observation) func(func(string, client.Observation) bool) {
	return func(yield func(string, client.Observation) bool) {
		for _, endpoint := range gitEndpoints() {
			if !yield(endpoint, answers[endpoint]) {
				return
			}
		}
	}
}

// servePrivately makes a repository of a member, with its git data. With has tags of the announcement in place of the usual ones.
func (w *world) servePrivately(actor string, with map[string]string, table [][]string) outcome {
	relay, out := w.inside(actor)
	if !out.held() {
		return out
	}
	announcement := w.build(announcing{actor: actor, with: with, date: w.tick()})
	for _, ev := range []*nostr.Event{announcement, w.buildState(actor, w.tick(), table)} {
		if out := accepted("publish as a member", relay.Publish(w.ctx, ev), true); !out.held() {
			return out
		}
	}
	if out := w.pushWithToken(actor, actor, table).then(w.pushedWithToken); !out.held() {
		return out
	}
	bound, whole := w.run.patience(&w.run.releases, 0)
	found, o := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		events, o := relay.Query(w.ctx, client.Filter{IDs: []string{announcement.ID}})
		return holds(events, announcement), o
	})
	switch {
	case found:
		return outcome{}
	case o != nil:
		return unable("query for "+describe(announcement), o)
	}
	return inVain(whole, "%s is not served", describe(announcement))
}

// pushWithToken pushes to a repository of one member as another one, or the same.
func (w *world) pushWithToken(to, by string, rows [][]string) outcome {
	r := w.repository(to, "")
	token := w.token("the "+by+"'s token", r)
	w.private.token.before = w.refsWithToken(r, token)
	old, is := w.private.token.before.(client.Advert)
	if !is {
		return unable("the push advertisement, with a token", w.private.token.before)
	}
	opts := w.pushOf(old, rows)
	opts.Token = token
	w.private.token.rows = rows
	w.private.token.pushed = w.client.Push(w.ctx, w.pathOf(r), opts)
	return outcome{}
}

// refsWithToken asks for the push advertisement; the repository may still be made.
func (w *world) refsWithToken(r repository, token string) client.Observation {
	header := http.Header{"Authorization": {token}}
	var last client.Observation
	w.client.Poll(w.ctx, privateRoomWithin, func() (bool, client.Observation) {
		last = w.client.AdvertiseReceiving(w.ctx, w.pathOf(r), header)
		answer, is := last.(client.HTTPAnswer)
		return !is || answer.Status != http.StatusNotFound, nil
	})
	return last
}

// privateRoomWithin is how long a repository of a private service may take to be there.
const privateRoomWithin = 10 * time.Second

// pushedWithToken judges that the last push was taken.
func (w *world) pushedWithToken() outcome {
	report, is := w.private.token.pushed.(client.PushReport)
	if !is || !report.Accepted() {
		return unlessInconclusive("the push of a member", w.private.token.pushed)
	}
	return outcome{}
}

// pushWithTokenRefused judges that the last push was not taken, and moved nothing.
func (w *world) pushWithTokenRefused() outcome {
	pushed := w.private.token.pushed
	if report, is := pushed.(client.PushReport); is && report.Accepted() {
		return violated("a push that no state names is taken from a member: %v", report)
	}
	if client.Inconclusive(pushed) {
		return inconclusive("the push of a member", pushed)
	}
	r := w.repository("owner", "")
	before, _ := w.private.token.before.(client.Advert)
	after, is := w.refsWithToken(r, w.token("the owner's token", r)).(client.Advert)
	if !is {
		return unable("the refs behind the push", w.private.token.pushed)
	}
	if moved(before, after) {
		return violated("a push that no state names moves refs: %v", after)
	}
	return outcome{}
}
