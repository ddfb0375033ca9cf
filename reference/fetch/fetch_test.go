package fetch_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A fetch brings what it was asked for in every protocol version, with all that it needs, and moves no ref
// (REF-HUNT-16, REF-HUNT-20).
func TestFetch(t *testing.T) {
	first := objectsOf("first")
	second := objectsOf("second", tip(first))
	for _, version := range []string{"version=2", "version=1", ""} {
		t.Run("protocol "+version, func(t *testing.T) {
			h := newHost(t)
			h.version = version
			h.put(t, "refs/heads/main", append(first, second...)...)
			store := own(t)
			push(t, store, ours, "refs/heads/main", objectsOf("else")...)
			before, err := store.Refs(ours)
			if err != nil {
				t.Fatal(err)
			}
			got := fetched(t, newFetcher(t, fetch.Options{Backend: store, AllowLocal: true}), h.url(), tip(second), tip(first))
			if diff := cmp.Diff(fetch.Result{Requests: 2}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if missing, err := store.Missing(ours, []repo.OID{tip(first), first[0].OID(), second[1].OID()}); err != nil || len(missing) > 0 {
				t.Errorf("Missing: got %v, %v, want none", missing, err)
			}
			after, err := store.Refs(ours)
			if diff := cmp.Diff(before, after); err != nil || diff != "" {
				t.Errorf("refs moved: %v\n%s", err, diff)
			}
		})
	}
}

func TestNothingMissingAsksNobody(t *testing.T) {
	h := newHost(t)
	store := own(t)
	push(t, store, ours, "refs/heads/main", objectsOf("here")...)
	got := fetched(t, newFetcher(t, fetch.Options{Backend: store, AllowLocal: true}), h.url(), tip(objectsOf("here")))
	if diff := cmp.Diff(fetch.Result{}, got); diff != "" || len(h.requests()) > 0 {
		t.Errorf("got %d requests (-want +got):\n%s", len(h.requests()), diff)
	}
}

// Objects of several hosts add up, and a host is asked again without what it does not have.
func TestHalfAndHalf(t *testing.T) {
	one, two := objectsOf("one"), objectsOf("two")
	h1, h2 := newHost(t), newHost(t)
	h1.put(t, "refs/heads/main", one...)
	h2.put(t, "refs/heads/main", two...)
	f := newFetcher(t, fetch.Options{AllowLocal: true, Limits: fetch.Limits{Narrow: 1}})
	got := fetched(t, f, h1.url(), tip(two), tip(one))
	want := fetch.Result{Missing: []repo.OID{tip(two)}, Denied: []repo.OID{tip(two)}, Requests: 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first host (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(fetch.Result{Requests: 2}, fetched(t, f, h2.url(), tip(two), tip(one))); diff != "" {
		t.Errorf("second host (-want +got):\n%s", diff)
	}

	strict := newFetcher(t, fetch.Options{AllowLocal: true})
	got = fetched(t, strict, h1.url(), tip(two), tip(one))
	if got.Failure != fetch.NotOurs || got.Requests != 2 || len(got.Denied) != 1 || len(got.Missing) != 2 {
		t.Errorf("without asking again: got %+v, want not ours after 2 requests", got)
	}
}

// A host that gives tips of refs only is asked for those, and for its branches if the want is none of them.
func TestTipsOnly(t *testing.T) {
	first := objectsOf("first")
	second := objectsOf("second", tip(first))
	tag := gitstore.NewTag("v1", tip(first), gitstore.Commit, 1_600_000_000, "v1")
	for _, test := range []struct {
		name string
		want repo.OID
	}{{"a tip", tip(second)}, {"the tag's commit", tip(first)}, {"the tag", tag.OID()}, {"a parent", first[1].OID()}} {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			h.version = ""
			h.put(t, "refs/heads/main", append(first, second...)...)
			h.put(t, "refs/tags/v1", append(first, tag)...)
			h.change = func(path string, body []byte) []byte {
				if strings.HasSuffix(path, "/info/refs") {
					return bytes.ReplaceAll(body, []byte("-sha1-in-want"), []byte("-xxxx-in-want"))
				}
				return body
			}
			got := fetched(t, newFetcher(t, fetch.Options{AllowLocal: true}), h.url(), test.want)
			if diff := cmp.Diff(fetch.Result{Requests: 2}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Whatever a host does has a name, and leaves nothing behind.
func TestFailures(t *testing.T) {
	objects := objectsOf("wanted")
	want := tip(objects)
	good := func(t *testing.T, change func(path string, body []byte) []byte) *host {
		h := newHost(t)
		h.put(t, "refs/heads/main", objects...)
		h.change = change
		return h
	}
	ofPack := func(change func([]byte) []byte) func(string, []byte) []byte {
		return func(path string, body []byte) []byte {
			if strings.HasSuffix(path, "/git-upload-pack") {
				return change(body)
			}
			return body
		}
	}
	const advertised = "application/x-git-upload-pack-advertisement"
	git := map[string]string{"Content-Type": advertised}
	tests := []struct {
		name string
		host func(t *testing.T) *host
		want fetch.Failure
		wait time.Duration
	}{
		{"404", func(t *testing.T) *host { return answering(t, 404, nil, "") }, fetch.NotFound, 0},
		{"401", func(t *testing.T) *host { return answering(t, 401, map[string]string{"WWW-Authenticate": "Basic"}, "") }, fetch.Denied, 0},
		{"429", func(t *testing.T) *host { return answering(t, 429, nil, "") }, fetch.RateLimited, 0},
		{"429 with seconds", func(t *testing.T) *host { return answering(t, 429, map[string]string{"Retry-After": "90"}, "") }, fetch.RateLimited, 90 * time.Second},
		{"429 with a year", func(t *testing.T) *host { return answering(t, 429, map[string]string{"Retry-After": "31536000"}, "") }, fetch.RateLimited, 24 * time.Hour},
		{"429 with nonsense", func(t *testing.T) *host { return answering(t, 429, map[string]string{"Retry-After": "-3"}, "") }, fetch.RateLimited, 0},
		{"503", func(t *testing.T) *host { return answering(t, 503, nil, "") }, fetch.ServerError, 0},
		{"503 with seconds", func(t *testing.T) *host { return answering(t, 503, map[string]string{"Retry-After": "1"}, "") }, fetch.RateLimited, time.Second},
		{"500", func(t *testing.T) *host { return answering(t, 500, nil, "") }, fetch.ServerError, 0},
		{"a web page", func(t *testing.T) *host {
			return answering(t, 200, map[string]string{"Content-Type": "text/html"}, "<html>")
		}, fetch.BadData, 0},
		{"no pkt-lines", func(t *testing.T) *host { return answering(t, 200, git, "hello") }, fetch.BadData, 0},
		{"nothing", func(t *testing.T) *host { return answering(t, 200, git, "") }, fetch.BadData, 0},
		{"half an advertisement", func(t *testing.T) *host { return answering(t, 200, git, pkt("version 2\n")) }, fetch.BadData, 0},
		{"no fetch", func(t *testing.T) *host { return answering(t, 200, git, pkt("version 2\n")+"0000") }, fetch.BadData, 0},
		{"SHA-256", func(t *testing.T) *host {
			return answering(t, 200, git, pkt("version 2\n")+pkt("fetch\n")+pkt("object-format=sha256\n")+"0000")
		}, fetch.NotFound, 0},
		{"an error line", func(t *testing.T) *host { return answering(t, 200, git, pkt("ERR no\n")) }, fetch.NotFound, 0},
		{"an endless advertisement", func(t *testing.T) *host {
			return answering(t, 200, git, pkt("version 2\n")+strings.Repeat(pkt(strings.Repeat("x", 60_000)), 4))
		}, fetch.TooLarge, 0},
		{"a dropped connection", func(t *testing.T) *host {
			h := newHost(t)
			h.handle = func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }
			return h
		}, fetch.Broken, 0},
		{"a host that is gone", func(t *testing.T) *host {
			h := newHost(t)
			h.Close()
			return h
		}, fetch.Refused, 0},
		{"an object that is not there", newHost, fetch.NotOurs, 0},
		{"something else than HTTP", babbler, fetch.NoHTTP, 0},
		{"a refusal of what nobody asked", func(t *testing.T) *host {
			return good(t, ofPack(func([]byte) []byte {
				return []byte(pkt("ERR upload-pack: not our ref " + strings.Repeat("1", 40)))
			}))
		}, fetch.BadData, 0},
		{"a refusal in other words", func(t *testing.T) *host {
			return good(t, ofPack(func([]byte) []byte { return []byte(pkt("ERR not our ref " + string(want) + " sorry")) }))
		}, fetch.BadData, 0},
		{"a pack that is cut off", func(t *testing.T) *host {
			return good(t, ofPack(func(body []byte) []byte { return body[:len(body)-20] }))
		}, fetch.BadData, 0},
		{"a connection that is cut off", func(t *testing.T) *host {
			h := newHost(t)
			h.handle = func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodPost {
					return false
				}
				w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
				w.Header().Set("Content-Length", "100")
				_, _ = w.Write([]byte(pkt("packfile\n")))
				return true
			}
			h.put(t, "refs/heads/main", objects...)
			return h
		}, fetch.Broken, 0},
		{"a pack that was changed", func(t *testing.T) *host {
			return good(t, ofPack(func(body []byte) []byte {
				body[len(body)-40] ^= 1
				return body
			}))
		}, fetch.BadData, 0},
		{"a pack without what it needs", func(t *testing.T) *host {
			return good(t, ofPack(func([]byte) []byte { return packAnswer(t, objects[1:]...) }))
		}, fetch.BadData, 0},
		{"a pack of something else", func(t *testing.T) *host {
			return good(t, ofPack(func([]byte) []byte { return packAnswer(t, objectsOf("else")...) }))
		}, fetch.None, 0},
		{"a pack that is too large", func(t *testing.T) *host {
			big := gitstore.NewBlob(bytes.Repeat([]byte("0123456789abcdef"), 1000))
			for i := range big.Data {
				big.Data[i] ^= byte(i * i >> 3)
			}
			return good(t, ofPack(func([]byte) []byte { return packAnswer(t, big) }))
		}, fetch.TooLarge, 0},
		{"progress without end", func(t *testing.T) *host {
			return good(t, ofPack(func([]byte) []byte {
				return []byte(pkt("packfile\n") + strings.Repeat(pkt("\x02"+strings.Repeat("x", 65_000)), 20))
			}))
		}, fetch.TooLarge, 0},
		{"an error in the side-band", func(t *testing.T) *host {
			return good(t, ofPack(func([]byte) []byte { return []byte(pkt("packfile\n") + pkt("\x03no")) }))
		}, fetch.BadData, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			spool := t.TempDir()
			store := own(t)
			f := fetch.New(fetch.Options{
				Backend: store, AllowLocal: true, Spool: spool,
				Limits: fetch.Limits{Advertisement: 100_000, Pack: 1000},
			})
			defer f.Close()
			got := fetched(t, f, test.host(t).url(), want)
			if got.Failure != test.want || got.RetryAfter != test.wait {
				t.Errorf("got %q after %v (%v), want %q after %v", got.Failure, got.RetryAfter, got.Err, test.want, test.wait)
			}
			if diff := cmp.Diff([]repo.OID{want}, got.Missing); diff != "" {
				t.Errorf("Missing (-want +got):\n%s", diff)
			}
			if left, err := os.ReadDir(spool); err != nil || len(left) > 0 {
				t.Errorf("left in the spool: %v, %v", left, err)
			}
		})
	}
}

// babbler is a host that answers every request with a line that is no HTTP.
func babbler(t *testing.T) *host {
	h := newHost(t)
	h.handle = func(w http.ResponseWriter, _ *http.Request) bool {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return true
		}
		_, _ = c.Write([]byte("220 hello\r\n"))
		_ = c.Close()
		return true
	}
	return h
}

// packAnswer is an answer of version 2 with a pack of the objects.
func packAnswer(t *testing.T, objects ...gitstore.Object) []byte {
	t.Helper()
	var pack bytes.Buffer
	if err := gitstore.WritePack(&pack, objects); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(pkt("packfile\n"))
	for rest := pack.Bytes(); len(rest) > 0; {
		n := min(len(rest), 60_000)
		b.WriteString(pkt("\x01" + string(rest[:n])))
		rest = rest[n:]
	}
	return []byte(b.String() + "0000")
}

// Nobody is asked whose URL or address is none of the public ones (SEC-02, REF-HUNT-23).
func TestForbidden(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	f := newFetcher(t, fetch.Options{})
	for _, url := range []string{
		"http://127.0.0.1:" + port + "/r.git", "http://localhost:" + port + "/r.git", "http://[::ffff:127.0.0.1]:" + port + "/r.git",
		"http://0.0.0.0:" + port + "/r.git", "http://user:secret@127.0.0.1:" + port + "/r.git",
		"http://10.0.0.1/r.git", "http://169.254.169.254/latest", "http://[fe80::1]/r.git", "http://100.64.0.1/r.git",
		"file:///etc/passwd", "ssh://git@example.com/r.git", "git://127.0.0.1:" + port + "/r.git", "ext::sh -c x", "/etc/passwd", "",
		"http://", "http:opaque", "http://127.0.0.1:" + port + "/r.git?x=y", "-oProxyCommand=x", "http://127.0.0.1:" + port + "/\x7f",
	} {
		if got := fetched(t, f, url, tip(objectsOf("x"))); got.Failure != fetch.Forbidden {
			t.Errorf("%q: got %q (%v), want forbidden", url, got.Failure, got.Err)
		}
	}
	if err := listener.(*net.TCPListener).SetDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if c, err := listener.Accept(); err == nil {
		t.Errorf("a connection was made from %v", c.RemoteAddr())
	}
}

// A redirect is followed within a host, and to no other; where it leads nothing else is sent either.
func TestRedirects(t *testing.T) {
	objects := objectsOf("wanted")
	other := newHost(t)
	other.put(t, "refs/heads/main", objects...)
	tests := []struct {
		name string
		to   string
		want fetch.Failure
		n    int
	}{
		{"the same host", "/r.git/info/refs?service=git-upload-pack", fetch.None, 3},
		{"another host", other.url() + "/info/refs?service=git-upload-pack", fetch.Redirected, 1},
		{"another scheme", "file:///r.git/info/refs?service=git-upload-pack", fetch.Redirected, 1},
		{"another kind of place", "/login", fetch.Redirected, 1},
		{"itself", "/old.git/info/refs?service=git-upload-pack", fetch.Redirected, 4},
		{"nowhere", "", fetch.Redirected, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := newHost(t)
			h.put(t, "refs/heads/main", objects...)
			h.handle = func(w http.ResponseWriter, r *http.Request) bool {
				if !strings.HasPrefix(r.URL.Path, "/old.git/") {
					return false
				}
				if test.to != "" {
					w.Header().Set("Location", test.to)
				}
				w.WriteHeader(http.StatusMovedPermanently)
				return true
			}
			got := fetched(t, newFetcher(t, fetch.Options{AllowLocal: true}), h.URL+"/old.git", tip(objects))
			if got.Failure != test.want || got.Requests != test.n {
				t.Errorf("got %q after %d requests (%v), want %q after %d", got.Failure, got.Requests, got.Err, test.want, test.n)
			}
		})
	}
	if n := len(other.requests()); n > 0 {
		t.Errorf("the other host: got %d requests, want 0", n)
	}
}

// A POST is not redirected.
func TestRedirectedPost(t *testing.T) {
	objects := objectsOf("wanted")
	h := newHost(t)
	h.put(t, "refs/heads/main", objects...)
	h.handle = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}
		return r.Method == http.MethodPost
	}
	got := fetched(t, newFetcher(t, fetch.Options{AllowLocal: true}), h.url(), tip(objects))
	if got.Failure != fetch.Redirected || got.Requests != 2 {
		t.Errorf("got %q after %d requests, want redirected after 2", got.Failure, got.Requests)
	}
}

// What is in a URL or in the environment stays with us.
func TestNothingIsShown(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	objects := objectsOf("wanted")
	h := newHost(t)
	h.put(t, "refs/heads/main", objects...)
	h.handle = func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Set-Cookie", "a=b")
		return false
	}
	url := strings.Replace(h.url(), "http://", "http://user:secret@", 1)
	f := newFetcher(t, fetch.Options{AllowLocal: true})
	if got := fetched(t, f, url, tip(objects)); got.Failure != fetch.None {
		t.Errorf("got %q (%v), want success", got.Failure, got.Err)
	}
	for _, r := range h.requests() {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != "" || r.Header.Get("Referer") != "" {
			t.Errorf("%s %s: got header %v", r.Method, r.URL, r.Header)
		}
	}
}

func TestCertificate(t *testing.T) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	server.Config.ErrorLog = nil
	defer server.Close()
	f := newFetcher(t, fetch.Options{AllowLocal: true})
	if got := fetched(t, f, server.URL+"/r.git", tip(objectsOf("x"))); got.Failure != fetch.Certificate {
		t.Errorf("unknown authority: got %q (%v), want certificate", got.Failure, got.Err)
	}
	plain := newHost(t)
	url := strings.Replace(plain.url(), "http://", "https://", 1)
	if got := fetched(t, f, url, tip(objectsOf("x"))); got.Failure != fetch.Certificate {
		t.Errorf("no TLS: got %q (%v), want certificate", got.Failure, got.Err)
	}
}

func TestLookup(t *testing.T) {
	f := newFetcher(t, fetch.Options{})
	got := fetched(t, f, "http://nowhere.invalid/r.git", tip(objectsOf("x")))
	if got.Failure != fetch.Lookup && got.Failure != fetch.Timeout { // a machine without name servers
		t.Errorf("got %q (%v), want lookup", got.Failure, got.Err)
	}
}

// Ids that can name nothing are not asked for (REF-HUNT-22).
func TestOtherIDs(t *testing.T) {
	h := newHost(t)
	f := newFetcher(t, fetch.Options{AllowLocal: true})
	got := fetched(t, f, h.url(), repo.OID(strings.Repeat("1", 64)), repo.ZeroOID, "main", "--upload-pack=x")
	if got.Failure != fetch.NotFound || len(got.Missing) != 4 || len(h.requests()) > 0 {
		t.Errorf("got %+v and %d requests, want not found and none", got, len(h.requests()))
	}
}

// The installed git serves what is fetched, over its own HTTP program where it is there.
func TestStockGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git installed")
	}
	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command(git, args...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+dir,
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	work, bare := filepath.Join(dir, "work"), filepath.Join(dir, "r.git")
	run("init", "--quiet", "--initial-branch=main", work)
	var tips []repo.OID
	for i := range 20 {
		if err := os.WriteFile(filepath.Join(work, "file"), bytes.Repeat(fmt.Appendf(nil, "line %d\n", i), 1000+i), 0o644); err != nil {
			t.Fatal(err)
		}
		run("-C", work, "add", "file")
		run("-C", work, "commit", "--quiet", "-m", fmt.Sprint(i))
		tips = append(tips, repo.OID(run("-C", work, "rev-parse", "HEAD")))
	}
	run("clone", "--quiet", "--bare", work, bare)
	run("-C", bare, "repack", "-adq")
	for _, test := range []struct {
		name   string
		config []string
		strip  bool // the host speaks version 0
		want   repo.OID
		other  fetch.Failure
	}{
		{"version 2", nil, false, tips[19], fetch.None},
		{"version 2, an ancestor", nil, false, tips[3], fetch.None},
		{"version 0", nil, true, tips[19], fetch.None},
		{"version 0, an ancestor by the branch", nil, true, tips[3], fetch.None},
		{"version 0, an ancestor by id", []string{"uploadpack.allowAnySHA1InWant=true"}, true, tips[3], fetch.None},
		{"an object that is not there", nil, false, tip(objectsOf("none")), fetch.NotOurs},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := httptest.NewServer(stock(t, git, bare, test.config, test.strip))
			defer server.Close()
			got := fetched(t, newFetcher(t, fetch.Options{AllowLocal: true}), server.URL+"/r.git", test.want)
			if got.Failure != test.other || (len(got.Missing) == 0) != (test.other == fetch.None) {
				t.Errorf("got %+v, want %q", got, test.other)
			}
		})
	}
}

// stock serves a bare repository by git upload-pack.
func stock(t *testing.T, git, bare string, config []string, strip bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var args []string
		for _, setting := range config {
			args = append(args, "-c", setting)
		}
		args = append(args, "upload-pack", "--stateless-rpc")
		advertise := r.Method == http.MethodGet
		if advertise {
			args = append(args, "--advertise-refs")
		}
		cmd := exec.CommandContext(r.Context(), git, append(args, bare)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+bare)
		if protocol := r.Header.Get("Git-Protocol"); !strip && protocol != "" {
			cmd.Env = append(cmd.Env, "GIT_PROTOCOL="+protocol)
		}
		cmd.Stdin = r.Body
		out, err := cmd.Output()
		if err != nil {
			t.Logf("git: %v", err)
		}
		if advertise {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = w.Write([]byte(pkt("# service=git-upload-pack\n") + "0000"))
		} else {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		}
		_, _ = w.Write(out)
	})
}
