package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

var dateLine = regexp.MustCompile(`\r\nDate: [^\r]*`)

// exchange sends one request and returns the whole answer as it came, without its date.
func exchange(t testing.TB, url, line string, header ...string) string {
	t.Helper()
	host := strings.TrimPrefix(url, "http://")
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	method, path, _ := strings.Cut(line, " ")
	request := method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n"
	if method == "POST" {
		request += "Content-Length: 4\r\n"
	}
	for _, h := range header {
		request += h + "\r\n"
	}
	request += "\r\n"
	if method == "POST" {
		request += "0000"
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return dateLine.ReplaceAllString(string(answer), "")
}

// wrongTokens are Authorization headers that count for no repository at a path of a service; "" is none.
func wrongTokens(t testing.TB, service, path string) map[string]string {
	t.Helper()
	now, url := time.Now().Unix(), service+path
	tokenOf := func(key client.Key, kind int, at int64, tags ...[]string) string {
		return bearing(t, client.Build(key, kind, tags, "", at))
	}
	u, get := []string{"u", url}, []string{"method", "GET"}
	good := func() *nostr.Event { return client.Build(privateMember, 27235, [][]string{u, get}, "", now) }
	changed := func(change func(*nostr.Event)) string {
		ev := good()
		change(ev)
		return bearing(t, ev)
	}
	text := strings.TrimPrefix(bearing(t, good()), "Nostr ")
	other := service + "/" + privateMember.Npub + "/demo.git"
	return map[string]string{
		"none":                     "",
		"a password":               "Basic " + base64.StdEncoding.EncodeToString([]byte(privateMember.Npub+":secret")),
		"another scheme":           "Bearer " + text,
		"nothing in it":            "Nostr ",
		"no base64":                "Nostr !" + text,
		"cut off":                  "Nostr " + text[:len(text)/8*4],
		"no event":                 "Nostr " + base64.StdEncoding.EncodeToString([]byte(`{"kind":27235}`)),
		"no JSON":                  "Nostr " + base64.StdEncoding.EncodeToString([]byte(`token`)),
		"two tokens":               "Nostr " + text + ", Nostr " + text,
		"of a stranger":            tokenOf(privateStranger, 27235, now, u, get),
		"another's key":            changed(func(ev *nostr.Event) { ev.PubKey = privateOwner.Pubkey }),
		"a stranger's signature":   changed(func(ev *nostr.Event) { ev.Sig = client.Build(privateStranger, 27235, [][]string{u, get}, "", now).Sig }),
		"no signature":             changed(func(ev *nostr.Event) { ev.Sig = strings.Repeat("0", 128) }),
		"a wrong id":               changed(func(ev *nostr.Event) { ev.ID = strings.Repeat("0", 64) }),
		"lower-case, a stranger's": "nostr " + strings.TrimPrefix(tokenOf(privateStranger, 27235, now, u, get), "Nostr "),
		"spaced, a stranger's":     "Nostr   " + strings.TrimPrefix(tokenOf(privateStranger, 27235, now, u, get), "Nostr "),
		"spaced within":            "Nostr " + text[:40] + " " + text[40:],
		"no scheme":                text,
		"a tab behind the scheme":  "Nostr\t" + text,
		"a lower-case method":      tokenOf(privateMember, 27235, now, u, []string{"method", "get"}),
		"a payload and a POST":     tokenOf(privateMember, 27235, now, u, []string{"method", "POST"}, []string{"payload", strings.Repeat("0", 64)}),
		"URL-safe base64":          "Nostr " + base64.URLEncoding.EncodeToString([]byte(`{"é":"???>>>"}`)),
		"changed behind it":        changed(func(ev *nostr.Event) { ev.Content = "x" }),
		"minutes ago":              tokenOf(privateMember, 27235, now-180, u, get),
		"minutes ahead":            tokenOf(privateMember, 27235, now+180, u, get),
		"at the beginning":         tokenOf(privateMember, 27235, 0, u, get),
		"of a login":               tokenOf(privateMember, 22242, now, []string{"relay", url}, []string{"challenge", "x"}),
		"of another kind":          tokenOf(privateMember, 1, now, u, get),
		"another method":           tokenOf(privateMember, 27235, now, u, []string{"method", "POST"}),
		"no method":                tokenOf(privateMember, 27235, now, u),
		"two methods":              tokenOf(privateMember, 27235, now, u, get, []string{"method", "POST"}),
		"no repository":            tokenOf(privateMember, 27235, now, get),
		"two repositories":         tokenOf(privateMember, 27235, now, u, []string{"u", other}, get),
		"another owner":            tokenOf(privateMember, 27235, now, []string{"u", other}, get),
		"another repository":       tokenOf(privateMember, 27235, now, []string{"u", strings.TrimSuffix(url, ".git") + "2.git"}, get),
		"another service":          tokenOf(privateMember, 27235, now, []string{"u", strings.Replace(url, "127.0.0.1", "grasp.test", 1)}, get),
		"the service alone":        tokenOf(privateMember, 27235, now, []string{"u", service}, get),
		"the URL of the request":   tokenOf(privateMember, 27235, now, []string{"u", url + "/info/refs?service=git-upload-pack"}, get),
		"a slash behind it":        tokenOf(privateMember, 27235, now, []string{"u", url + "/"}, get),
		"another scheme of a URL":  tokenOf(privateMember, 27235, now, []string{"u", strings.Replace(url, "http", "ws", 1)}, get),
		"a payload for a push":     tokenOf(privateStranger, 27235, now, u, get, []string{"payload", strings.Repeat("0", 64)}),
	}
}

// Every wrong token is answered alike, byte by byte, whether the repository is here or not, and whatever is asked (G08-06); and every
// session that is not a member's is, whatever it asks about (G08-01 to G08-04).
func TestStrangersLearnNothing(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	p, _, _ := privateServer(t)
	demo, none := "/"+privateOwner.Npub+"/demo.git", "/"+privateOwner.Npub+"/none.git"
	want := map[string]string{} // by method
	paths := []string{demo, none, "/" + privateStranger.Npub + "/demo.git", "/npub1x/demo.git", strings.TrimSuffix(demo, ".git"), "/x"}
	if testing.Short() {
		paths = paths[:2]
	}
	for _, path := range paths {
		wrong := wrongTokens(t, p.url, path)
		for _, name := range slices.Sorted(maps.Keys(wrong)) {
			for _, line := range []string{
				"GET %s/info/refs?service=git-upload-pack", "GET %s/info/refs?service=git-receive-pack", "GET %s/info/refs",
				"POST %s/git-upload-pack", "POST %s/git-receive-pack", "GET %s", "HEAD %s/info/refs?service=git-upload-pack",
			} {
				line = fmt.Sprintf(line, path)
				var header []string
				if wrong[name] != "" {
					header = append(header, "Authorization: "+wrong[name])
				}
				if strings.HasPrefix(line, "POST") {
					header = append(header, "Content-Type: application/x-"+line[strings.LastIndex(line, "/")+1:]+"-request")
				}
				got, method := exchange(t, p.url, line, header...), line[:4]
				if want[method] == "" {
					want[method] = got
					t.Logf("%s is answered %q", method, got)
				}
				if got != want[method] || !strings.HasPrefix(got, "HTTP/1.1 401 ") || !strings.HasSuffix(got, "\r\n\r\n") {
					t.Errorf("%s with a token that is %s: got %q, want %q", line, name, got, want[method])
				}
			}
		}
	}
	good := "Authorization: " + tokenFor(t, privateMember, p.url+demo)
	if got := exchange(t, p.url, "GET "+demo+"/info/refs?service=git-upload-pack", good); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Errorf("with a token that is right: got %q", got)
	}
	for name, header := range map[string]string{
		"a scheme in lower case": strings.Replace(good, "Nostr ", "nostr ", 1),
		"spaces behind it":       strings.Replace(good, "Nostr ", "Nostr   ", 1) + "  ",
		"a payload":              "Authorization: " + bearing(t, client.Build(privateMember, 27235, [][]string{{"u", p.url + demo}, {"method", "GET"}, {"payload", strings.Repeat("0", 64)}}, "", time.Now().Unix())),
	} {
		if got := exchange(t, p.url, "GET "+demo+"/info/refs?service=git-upload-pack", header); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
			t.Errorf("with a token that is right, and %s: got %q", name, got)
		}
	}
	missing := "Authorization: " + tokenFor(t, privateMember, p.url+none)
	if got := exchange(t, p.url, "GET "+none+"/info/refs?service=git-upload-pack", missing); !strings.HasPrefix(got, "HTTP/1.1 404 ") {
		t.Errorf("of what is not here, with a token that is right: got %q", got)
	}
	sessionsLearnNothing(t, p)
}

// A token that has counted counts no more when its minute is over, and for nothing else meanwhile: who has seen it gets the answer of
// everybody (G08-05, G08-06).
func TestTokensAreNotReplayed(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	p, _, _ := privateServer(t)
	demo, none := "/"+privateOwner.Npub+"/demo.git", "/"+privateOwner.Npub+"/none.git"
	ask := func(path, token string) string {
		return exchange(t, p.url, "GET "+path+"/info/refs?service=git-upload-pack", "Authorization: "+token)
	}
	refusal := ask(demo, "Nostr x")
	token := bearing(t, client.Build(privateMember, 27235, [][]string{{"u", p.url + demo}, {"method", "GET"}}, "", time.Now().Unix()-53))
	if got := ask(demo, token); !strings.HasPrefix(got, "HTTP/1.1 200 ") {
		t.Fatalf("within its minute: got %q", got)
	}
	if got := ask(none, token); got != refusal {
		t.Errorf("for another repository: got %q, want %q", got, refusal)
	}
	await(t, "the end of its minute", func() bool { return !strings.HasPrefix(ask(demo, token), "HTTP/1.1 200 ") })
	for _, path := range []string{demo, none} {
		if got := ask(path, token); got != refusal {
			t.Errorf("%s after its minute: got %q, want %q", path, got, refusal)
		}
	}
}

// sessionsLearnNothing opens connections that authenticate wrongly, and asks on each about what is here and what is not.
func sessionsLearnNothing(t *testing.T, p *process) {
	t.Helper()
	live, err := livetarget.New(p.url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	now, relayURL := time.Now().Unix(), strings.Replace(p.url, "http", "ws", 1)
	type session struct {
		key            client.Key
		kind           int
		at             int64
		relay, another string // instead of the challenge
		forged         bool
	}
	for name, s := range map[string]*session{
		"nobody":            nil,
		"a stranger":        {privateStranger, 22242, now, relayURL, "", false},
		"another kind":      {privateMember, 27235, now, relayURL, "", false},
		"minutes ago":       {privateMember, 22242, now - 320, relayURL, "", false},
		"minutes ahead":     {privateMember, 22242, now + 320, relayURL, "", false},
		"another relay":     {privateMember, 22242, now, "wss://relay.test", "", false},
		"no relay":          {privateMember, 22242, now, "", "", false},
		"another challenge": {privateMember, 22242, now, relayURL, "sesame", false},
		"a bad signature":   {privateMember, 22242, now, relayURL, "", true},
		"an event of git":   {privateMember, 27235, now, p.url, "", false},
		"a note":            {privateMember, 1, now, relayURL, "", false},
		"the beginning":     {privateMember, 22242, 0, relayURL, "", false},
		"a page":            {privateMember, 22242, now, "https://relay.test/", "", false},
		"no challenge":      {privateMember, 22242, now, relayURL, " ", false},
		"one said before":   {privateMember, 22242, now, relayURL, spent(t, live), false},
		"a stranger's lie":  {privateStranger, 22242, now, "wss://relay.test", "sesame", false},
	} {
		conn, err := live.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var first []string
		if err := json.Unmarshal(receive(t, conn), &first); err != nil || len(first) != 2 || first[0] != "AUTH" {
			t.Fatalf("%s: first frame: got %v, %v, want a challenge", name, first, err)
		}
		prefix := "auth-required: "
		if s != nil {
			challenge := first[1]
			if s.another != "" {
				challenge = s.another
			}
			ev := client.Build(s.key, s.kind, [][]string{{"relay", s.relay}, {"challenge", challenge}}, "", s.at)
			if s.forged {
				ev.Sig = strings.Repeat("1", 128)
			}
			if s.key.Pubkey == privateStranger.Pubkey && s.another == "" {
				prefix = "restricted: "
			}
			got := ask(t, conn, "AUTH", ev)
			if want := `["OK","` + ev.ID + `",false,"` + prefix; !strings.HasPrefix(got, want) {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
		issue := func(identifier string) *nostr.Event {
			return client.Issue(privateMember, "30617:"+privateOwner.Pubkey+":"+identifier, "s", "c", now)
		}
		about := func(identifier string) map[string]any {
			return map[string]any{"kinds": []int{30617}, "authors": []string{privateOwner.Pubkey}, "#d": []string{identifier}}
		}
		for verb, of := range map[string]func(identifier string) []any{
			"EVENT":    func(identifier string) []any { return []any{"EVENT", issue(identifier)} },
			"REQ":      func(identifier string) []any { return []any{"REQ", "s", about(identifier)} },
			"COUNT":    func(identifier string) []any { return []any{"COUNT", "s", about(identifier)} },
			"NEG-OPEN": func(identifier string) []any { return []any{"NEG-OPEN", "s", about(identifier), "6100000200"} },
		} {
			here, absent := ask(t, conn, of("demo")...), ask(t, conn, of("none")...)
			if verb == "EVENT" {
				absent = strings.Replace(absent, issue("none").ID, issue("demo").ID, 1)
			}
			if here != absent || !strings.Contains(here, `"`+prefix) {
				t.Errorf("%s: %s: got %s and %s, want twice the same with %s", name, verb, here, absent, prefix)
			}
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}

// spent is the challenge of another connection, which is over.
func spent(t testing.TB, live *livetarget.Target) string {
	t.Helper()
	conn, err := live.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var first []string
	if err := json.Unmarshal(receive(t, conn), &first); err != nil || len(first) != 2 {
		t.Fatalf("first frame: got %v, %v", first, err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	return first[1]
}

// ask sends one frame and returns the next that comes.
func ask(t testing.TB, conn target.Conn, parts ...any) string {
	t.Helper()
	frame, err := json.Marshal(parts)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Send(t.Context(), frame); err != nil {
		t.Fatal(err)
	}
	return string(receive(t, conn))
}

func receive(t testing.TB, conn target.Conn) []byte {
	t.Helper()
	frame, err := conn.Recv(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return frame
}
