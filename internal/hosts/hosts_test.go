package hosts_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/hosts"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const path = "/alice/demo.git"

// A world is one host with two commits, the second on main.
type world struct {
	all           *hosts.Hosts
	host          target.GitHost
	clock         *clock.Mock
	client        *client.Client
	first, second string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{clock: clock.NewMock()}
	w.all = hosts.New(hosts.Options{Clock: w.clock})
	t.Cleanup(func() {
		if err := w.all.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	var err error
	if w.host, err = w.all.NewHost(t.Context()); err != nil {
		t.Fatal(err)
	}
	h := client.NewHistory("hosts")
	w.first = h.Commit("", map[string]string{"a": "1"}, "first")
	w.second = h.Commit(w.first, map[string]string{"a": "2"}, "second")
	refs := []target.GitRef{{Name: "refs/heads/main", OID: w.second}, {Name: "refs/heads/old", OID: w.first}}
	w.host.Put(path, refs, h.Objects(h.Closure(w.second)...))
	live, err := livetarget.New(w.host.URL(), livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.client = client.New(live, client.Options{})
	return w
}

func (w *world) behave(t *testing.T, b target.HostBehavior) {
	t.Helper()
	if err := w.host.Behave(b); err != nil {
		t.Fatal(err)
	}
}

// exchange sends one request and returns status and body; an error of the connection comes as status 0.
func (w *world) exchange(ctx context.Context, t *testing.T, service string) (int, string, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.host.URL()+path+service, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(service, "/git-") {
		req, err = http.NewRequestWithContext(ctx, http.MethodPost, w.host.URL()+path+service, strings.NewReader(
			string(client.WireLine("command=fetch"))+"0001"+string(client.WireLine("want "+w.second))+string(client.WireLine("done"))+"0000"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Git-Protocol", "version=2")
	}
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return 0, "", nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return resp.StatusCode, string(body) + " ...", resp.Header
	}
	return resp.StatusCode, string(body), resp.Header
}

const (
	advertised = "/info/refs?service=git-upload-pack"
	packed     = "/git-upload-pack"
)

func TestServes(t *testing.T) {
	for version := range 3 {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			w := newWorld(t)
			o := w.client.Advertise(t.Context(), path, client.UploadPack, version)
			advert, ok := o.(client.Advert)
			if !ok || advert.Version != version {
				t.Fatalf("Advertise: got %v, want version %d", o, version)
			}
			for name, want := range map[string]string{"HEAD": w.second, "refs/heads/main": w.second, "refs/heads/old": w.first} {
				if got, _ := advert.Ref(name); got != want {
					t.Errorf("%s: got %q, want %s", name, got, want)
				}
			}
			objects, o := w.client.Fetch(t.Context(), path, version, []string{w.second}, client.FetchOpts{})
			if o != nil || objects.Connected(w.second) != nil || objects.Count() != 6 {
				t.Errorf("Fetch: got %v, want 6 objects", o)
			}
			objects, o = w.client.Fetch(t.Context(), path, version, []string{w.second}, client.FetchOpts{Haves: []string{w.first}})
			if o != nil || objects.Connected(w.second) != nil || objects.Count() != 3 {
				t.Errorf("Fetch with a have: got %v, want 3 objects", o)
			}
			if _, o = w.client.Fetch(t.Context(), path, version, []string{strings.Repeat("2", 40)}, client.FetchOpts{}); !strings.Contains(fmt.Sprint(o), "not our ref") {
				t.Errorf("Fetch of what is not there: got %v, want a refusal", o)
			}
			w.host.Drop(path)
			if o := w.client.Advertise(t.Context(), path, client.UploadPack, version); status(o) != http.StatusNotFound {
				t.Errorf("after Drop: got %v, want 404", o)
			}
		})
	}
}

func status(o client.Observation) int {
	answer, _ := o.(client.HTTPAnswer)
	return answer.Status
}

func TestStockGitClones(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git installed")
	}
	w := newWorld(t)
	for version := range 3 {
		dir := t.TempDir()
		cmd := exec.CommandContext(t.Context(), git, "-c", fmt.Sprintf("protocol.version=%d", version),
			"clone", "--quiet", "--bare", w.host.URL()+path, filepath.Join(dir, "r"))
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("clone: %v\n%s", err, out)
		}
		out, err := exec.CommandContext(t.Context(), git, "--git-dir", filepath.Join(dir, "r"), "rev-parse", "HEAD").Output()
		if got := strings.TrimSpace(string(out)); err != nil || got != w.second {
			t.Errorf("version %d: got %q, %v, want %s", version, got, err, w.second)
		}
	}
}

// What needs no time, mode by mode.
func TestModes(t *testing.T) {
	w := newWorld(t)
	_, good, _ := w.exchange(t.Context(), t, packed)
	tests := []struct {
		b      target.HostBehavior
		status int
		check  func(pack string, header http.Header) bool
	}{
		{target.HostBehavior{}, 200, func(pack string, _ http.Header) bool { return pack == good }},
		{target.HostBehavior{Mode: target.HostRefuses}, 0, nil},
		{target.HostBehavior{Mode: target.HostDrops}, 0, nil},
		{target.HostBehavior{Mode: target.HostDenies}, 401, func(_ string, h http.Header) bool { return h.Get("WWW-Authenticate") != "" }},
		{target.HostBehavior{Mode: target.HostLacks}, 404, nil},
		{target.HostBehavior{Mode: target.HostLimits}, 429, func(_ string, h http.Header) bool { return h.Get("Retry-After") == "" }},
		{target.HostBehavior{Mode: target.HostLimits, RetryAfter: 90 * time.Second}, 429, func(_ string, h http.Header) bool { return h.Get("Retry-After") == "90" }},
		{target.HostBehavior{Mode: target.HostFails}, 500, nil},
		{target.HostBehavior{Mode: target.HostTruncates}, 200, func(pack string, _ http.Header) bool {
			return len(pack) < len(good) && strings.HasPrefix(good, pack)
		}},
		{target.HostBehavior{Mode: target.HostCorrupts}, 200, func(pack string, _ http.Header) bool { return len(pack) == len(good) && pack != good }},
		{target.HostBehavior{Mode: target.HostCheats}, 200, func(pack string, _ http.Header) bool {
			return strings.Contains(pack, "PACK\x00\x00\x00\x02\x00\x00\x00\x01")
		}},
		{target.HostBehavior{Mode: target.HostLies}, 200, func(pack string, _ http.Header) bool {
			return strings.Contains(pack, "PACK\x00\x00\x00\x02\x00\x00\x00\x00")
		}},
		{target.HostBehavior{Mode: target.HostFloods}, 200, func(pack string, _ http.Header) bool { return len(pack) == 1<<20 }},
		{target.HostBehavior{Mode: target.HostRedirects, RedirectTo: "http://127.0.0.1:1"}, 302, func(_ string, h http.Header) bool {
			return h.Get("Location") == "http://127.0.0.1:1"+path+packed
		}},
	}
	for _, test := range tests {
		t.Run(string(test.b.Mode), func(t *testing.T) {
			w.over(t)
			w.behave(t, test.b)
			before := len(w.host.Requests())
			got, pack, header := w.exchange(t.Context(), t, packed)
			if got != test.status || test.check != nil && !test.check(pack, header) {
				t.Errorf("got status %d, %d bytes, header %v; want status %d", got, len(pack), header, test.status)
			}
			all := w.host.Requests()
			if len(all) != before+1 {
				t.Fatalf("got %d records, want 1", len(all)-before)
			}
			q := all[before]
			if q.Status != test.status || q.Starts() != (test.b.Mode == target.HostRefuses) {
				t.Errorf("record: got %+v", q)
			}
			if q.Method != "" && (q.Path != path || q.Service != "git-upload-pack" || !cmp.Equal(q.Wants, []string{w.second})) {
				t.Errorf("record: got %+v", q)
			}
		})
	}
	w.behave(t, target.HostBehavior{Mode: target.HostLies, Version: target.VersionOld})
	if advert, ok := w.client.Advertise(t.Context(), path, client.UploadPack, 2).(client.Advert); !ok || advert.Version != 0 || advert.Refs[0].OID == w.second {
		t.Errorf("a host that lies: got %+v, want other refs, in version 0", advert)
	}
	w.behave(t, target.HostBehavior{TipsOnly: true, Version: 1})
	if advert, ok := w.client.Advertise(t.Context(), path, client.UploadPack, 2).(client.Advert); !ok || advert.Version != 0 || strings.Contains(fmt.Sprint(advert.Caps), "sha1-in-want") {
		t.Errorf("tips only: got %+v, want no wants by id", advert)
	}
}

// parked waits until n answers are parked.
func (w *world) parked(t *testing.T, n int) []hosts.Parked {
	t.Helper()
	for {
		changed := w.all.Changed()
		if p, all := w.all.Parked(); all && len(p) == n {
			return p
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("%d answers were not parked", n)
		}
	}
}

// over waits until no answer is under way.
func (w *world) over(t *testing.T) {
	t.Helper()
	for {
		changed, busy := w.all.Changed(), false
		for _, q := range w.host.Requests() {
			busy = busy || q.Ended.IsZero()
		}
		if !busy {
			return
		}
		<-changed
	}
}

func TestTime(t *testing.T) {
	w := newWorld(t)
	begin := w.clock.Now()
	w.behave(t, target.HostBehavior{Delay: 3 * time.Second, Mode: target.HostFails, From: time.Minute, Period: time.Minute})
	answers := make(chan int, 1)
	ask := func() {
		status, _, _ := w.exchange(t.Context(), t, advertised)
		answers <- status
	}
	go ask()
	w.parked(t, 1)
	if at, ok := w.all.Deadline(); !ok || !at.Equal(begin.Add(3*time.Second)) {
		t.Errorf("Deadline: got %v, %t, want 3 s on", at, ok)
	}
	w.clock.Set(begin.Add(3*time.Second - 1))
	w.parked(t, 1)
	w.clock.Set(begin.Add(3 * time.Second))
	if got := <-answers; got != 200 {
		t.Errorf("before the failure: got %d, want 200", got)
	}
	for _, want := range []struct {
		at     time.Duration
		status int
	}{{time.Minute, 500}, {2 * time.Minute, 200}, {3 * time.Minute, 500}} {
		w.clock.Set(begin.Add(want.at))
		go ask()
		w.parked(t, 1)
		w.clock.Add(3 * time.Second)
		if got := <-answers; got != want.status {
			t.Errorf("after %v: got %d, want %d", want.at, got, want.status)
		}
	}
	w.over(t)
	for i, q := range w.host.Requests() {
		if took := q.Ended.Sub(q.At); took != 3*time.Second || !q.Starts() {
			t.Errorf("request %d: took %v, want 3s", i, took)
		}
	}
}

func TestDrips(t *testing.T) {
	w := newWorld(t)
	_, good, _ := w.exchange(t.Context(), t, packed)
	w.behave(t, target.HostBehavior{Mode: target.HostDrips, DripBytes: len(good)/3 + 1})
	answer := make(chan string, 1)
	go func() {
		_, body, _ := w.exchange(t.Context(), t, packed)
		answer <- body
	}()
	first := w.parked(t, 1)[0].Wrote
	w.clock.Add(time.Second)
	if second := w.parked(t, 1)[0].Wrote; second <= first {
		t.Errorf("bytes after a second: got %d, want more than %d", second, first)
	}
	w.clock.Add(time.Second)
	if got := <-answer; got != good {
		t.Errorf("got %d bytes, want the %d of a good host", len(got), len(good))
	}
}

// An answer that hangs ends when its asker leaves, and one that still hangs when the host closes; both are counted.
func TestHangs(t *testing.T) {
	w := newWorld(t)
	w.behave(t, target.HostBehavior{Mode: target.HostHangs})
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan int, 3)
	for i := range 3 {
		asker := t.Context()
		if i == 0 {
			asker = ctx
		}
		go func() {
			status, _, _ := w.exchange(asker, t, advertised)
			ended <- status
		}()
		w.parked(t, i+1)
	}
	if _, ok := w.all.Deadline(); ok {
		t.Error("Deadline: got one, want none")
	}
	w.clock.Add(time.Hour)
	leave()
	<-ended
	w.parked(t, 2)
	w.over1(t)
	if err := w.host.Close(); err != nil {
		t.Error(err)
	}
	<-ended
	<-ended
	for _, q := range w.host.Requests() {
		if q.Ended.Sub(q.At) != time.Hour {
			t.Errorf("a request that hangs: got %v, want it over after 1h", q.Ended.Sub(q.At))
		}
	}
	if most := target.BusiestMoment(w.host.Requests(), 0); most != 3 {
		t.Errorf("BusiestMoment: got %d, want 3", most)
	}
	if err := w.host.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

// over1 waits until the first request is over.
func (w *world) over1(t *testing.T) {
	t.Helper()
	for {
		changed := w.all.Changed()
		if !w.host.Requests()[0].Ended.IsZero() {
			return
		}
		<-changed
	}
}

func TestBehaviorErrors(t *testing.T) {
	w := newWorld(t)
	for _, b := range []target.HostBehavior{
		{Mode: "x"},
		{Delay: -1},
		{RetryAfter: time.Millisecond},
		{Mode: target.HostDrips},
		{Version: 3},
		{Version: -2},
		{Mode: target.HostRedirects},
		{Mode: target.HostRedirects, RedirectTo: "http://a/"},
	} {
		if err := w.host.Behave(b); err == nil {
			t.Errorf("%+v: got no error", b)
		}
	}
	if _, err := hosts.New(hosts.Options{Listen: "192.0.2.1"}).NewHost(t.Context()); err == nil {
		t.Error("an address of nobody: got no error")
	} else if errors.Is(err, target.ErrUnsupported) {
		t.Errorf("got %v, want an error of the network", err)
	}
}
