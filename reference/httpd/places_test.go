package httpd_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// post sends the body of a git request as somebody behind a proxy, and returns the status and how long to wait.
func (s *served) post(path, service, address, body string) (status int, wait string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://"+s.addr+path+"/"+service, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-"+service+"-request")
	req.Header.Set("X-Forwarded-For", address)
	resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode, resp.Header.Get("Retry-After")
}

// Who pushes to places faster than an address may is told to wait. Others, fetches and pushes elsewhere are none of that.
func TestContributorsAreSlowedDown(t *testing.T) {
	s := serve(t, setup{contributions: true, limits: httpd.Limits{Contributions: relay.PerMinute(1, 2)}})
	const receive, upload = "git-receive-pack", "git-upload-pack"
	p := hosted(t, s, "demo")
	elsewhere := strings.TrimPrefix(p.url, "http://"+s.addr)
	owner, _, _ := strings.Cut(strings.TrimPrefix(elsewhere, "/"), "/")
	key, err := repo.ParseNpub(owner)
	if err != nil {
		t.Fatal(err)
	}
	place := repo.Contribution(key, "demo").Path()
	for i, c := range []struct {
		path, service, address string
		want                   int
	}{
		{place, receive, "192.0.2.1", 200},
		{place, receive, "192.0.2.1", 200},
		{place, receive, "192.0.2.1", 429},
		{place, upload, "192.0.2.1", 200},
		{elsewhere, receive, "192.0.2.1", 200},
		{place, receive, "192.0.2.2", 200},
		{place, receive, "", 200},
	} {
		status, wait := s.post(c.path, c.service, c.address, "0000")
		if status != c.want || (wait != "") != (c.want == 429) {
			t.Errorf("%d: got %d, wait %q, want %d", i, status, wait, c.want)
		}
	}
}

// told waits until a store has as many places as it should, or fails.
func told(t *testing.T, b gitstore.Backend, want int) {
	t.Helper()
	late := time.After(10 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		ids, err := b.Repositories()
		if err != nil {
			t.Fatal(err)
		}
		if len(ids) == want {
			return
		}
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("got repositories %v, want %d", ids, want)
		}
	}
}

// A pack that is broken, or whose client goes away, leaves no place behind, and the event that it was for waits; the whole pack
// releases it, also where several come at a time (G06-EV-04).
func TestPlacesAndBrokenPushes(t *testing.T) {
	backends(t, func(t *testing.T, b gitstore.Backend) {
		s := serve(t, setup{backend: b, contributions: true})
		w := newWork(t)
		tip := w.commit("first")
		pub, err := nostr.GetPublicKey(ownerKey)
		if err != nil {
			t.Fatal(err)
		}
		id := repo.Contribution(repo.PubKey(pub), "demo")
		url := "http://" + s.addr + id.Path()
		ev := nostr.Event{Kind: 1618, CreatedAt: nostr.Timestamp(begun.Unix() - 1), Tags: nostr.Tags{
			{"a", "30617:" + pub + ":demo"}, {"c", tip}, {"clone", url},
		}}
		if err := ev.Sign(ownerKey); err != nil {
			t.Fatal(err)
		}
		relay := s.dial()
		if accepted, text := relay.publish(ev); !accepted || !strings.HasPrefix(text, "purgatory:") {
			t.Fatalf("pull request: got %t %q", accepted, text)
		}
		line := fmt.Sprintf("%s %s refs/nostr/%s\x00 report-status", repo.ZeroOID, tip, ev.ID)
		list := fmt.Sprintf("%04x%s0000", len(line)+4, line)
		head := "POST " + id.Path() + "/git-receive-pack HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-git-receive-pack-request\r\n"

		answer := s.exchange(head + fmt.Sprintf("Connection: close\r\nContent-Length: %d\r\n\r\n", len(list)+12) + list + "PACK\x00\x00\x00\x02junk")
		if !strings.Contains(answer, "ng refs/nostr/") && !strings.Contains(answer, "unpack ") {
			t.Errorf("broken pack: got %q", answer)
		}
		told(t, b, 0)

		var dialing net.Dialer
		c, err := dialing.DialContext(t.Context(), "tcp", s.addr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, head+"Content-Length: 100000\r\n\r\n"+list+"PACK"); err != nil {
			t.Fatal(err)
		}
		told(t, b, 1)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		told(t, b, 0)
		if got := relay.query(`{"kinds":[1618]}`); len(got) != 0 {
			t.Errorf("served without its commit: %v", got)
		}

		var pushes sync.WaitGroup
		done := make([]string, 4)
		for i := range done {
			pushes.Go(func() {
				_, stderr, err := w.try("push", url, "HEAD:refs/nostr/"+ev.ID)
				if err != nil {
					done[i] = stderr
				}
			})
		}
		pushes.Wait()
		if slices.IndexFunc(done, func(stderr string) bool { return stderr == "" }) < 0 {
			t.Errorf("four pushes at a time: got none through: %q", done)
		}
		if got := relay.query(`{"kinds":[1618]}`); len(got) != 1 {
			t.Errorf("served with its commit: got %v", got)
		}
		if got := w.git("ls-remote", url); got != tip+"\trefs/nostr/"+ev.ID {
			t.Errorf("refs: got %q", got)
		}
		told(t, b, 1)
	})
}
