package fetch_test

import (
	"bytes"
	"net/http"
	"os"
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
			if diff := cmp.Diff(fetch.Result{Got: true, Requests: 2}, got); diff != "" {
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
	if diff := cmp.Diff(fetch.Result{Got: true}, got); diff != "" || len(h.requests()) > 0 {
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
	want := fetch.Result{Got: true, Missing: []repo.OID{tip(two)}, Denied: []repo.OID{tip(two)}, Requests: 3}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first host (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(fetch.Result{Got: true, Requests: 2}, fetched(t, f, h2.url(), tip(two), tip(one))); diff != "" {
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
			if diff := cmp.Diff(fetch.Result{Got: true, Requests: 2}, got); diff != "" {
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

// Ids that can name nothing are not asked for (REF-HUNT-22).
func TestOtherIDs(t *testing.T) {
	h := newHost(t)
	f := newFetcher(t, fetch.Options{AllowLocal: true})
	got := fetched(t, f, h.url(), repo.OID(strings.Repeat("1", 64)), repo.ZeroOID, "main", "--upload-pack=x")
	if got.Failure != fetch.NotFound || len(got.Missing) != 4 || len(h.requests()) > 0 {
		t.Errorf("got %+v and %d requests, want not found and none", got, len(h.requests()))
	}
}
