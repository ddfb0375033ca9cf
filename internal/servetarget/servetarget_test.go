package servetarget_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"
	"go.uber.org/goleak"
	"golang.org/x/sync/errgroup"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/servetarget"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const key = "0000000000000000000000000000000000000000000000000000000000000007"

// both runs a test on each backend.
func both(t *testing.T, try func(*testing.T, *servetarget.Target)) {
	for _, backend := range []string{servetarget.BackendMemory, servetarget.BackendExec, servetarget.BackendDisk} {
		t.Run(backend, func(t *testing.T) {
			if _, err := exec.LookPath("git"); err != nil && backend == servetarget.BackendExec {
				t.Skip("no git installed")
			}
			s, err := servetarget.New(t.Context(), servetarget.Options{Backend: backend})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("Close: %v", err)
				}
			})
			try(t, s)
		})
	}
}

func dial(t *testing.T, s *servetarget.Target) target.Conn {
	t.Helper()
	c, err := s.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func send(t *testing.T, c target.Conn, msg string) {
	t.Helper()
	if err := c.Send(t.Context(), []byte(msg)); err != nil {
		t.Fatal(err)
	}
}

// drain receives until nothing more can come.
func drain(t *testing.T, c target.Conn) []string {
	t.Helper()
	var all []string
	for {
		msg, err := c.Recv(t.Context())
		if errors.Is(err, target.ErrIdle) {
			return all
		}
		if err != nil {
			t.Fatalf("Recv: %v", err)
		}
		all = append(all, string(msg))
	}
}

// announce publishes an announcement of an identifier and returns the path of its repository.
func announce(t *testing.T, s *servetarget.Target, c target.Conn, identifier string) string {
	t.Helper()
	pub, err := nostr.GetPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	npub, err := nip19.EncodePublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	path := "/" + npub + "/" + identifier + ".git"
	e := nostr.Event{
		Kind: 30617, CreatedAt: nostr.Timestamp(s.Now().Unix() - 60),
		Tags: nostr.Tags{
			{"d", identifier},
			{"clone", s.ServiceURL() + path},
			{"relays", "ws" + strings.TrimPrefix(s.ServiceURL(), "http")},
		},
	}
	if err := e.Sign(key); err != nil {
		t.Fatal(err)
	}
	send(t, c, fmt.Sprintf(`["EVENT",%s]`, e.String()))
	got := drain(t, c)
	if len(got) != 1 || !strings.HasPrefix(got[0], `["OK","`+e.ID+`",true,"`) {
		t.Fatalf("announcement: got %v, want OK true", got)
	}
	return path
}

// status is the status of the ref advertisement of a repository.
func status(t *testing.T, s *servetarget.Target, path string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.ServiceURL()+path+"/info/refs?service=git-upload-pack", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode
}

func TestIdleIsKnownAtOnce(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		c := dial(t, s)
		start := time.Now()
		const rounds = 50
		for range rounds {
			send(t, c, `["REQ","x",{"kinds":[30617]}]`)
			if got := drain(t, c); len(got) != 1 || got[0] != `["EOSE","x"]` {
				t.Fatalf("got %v, want EOSE", got)
			}
		}
		if took := time.Since(start); took > rounds*100*time.Millisecond {
			t.Errorf("%d rounds took %v: idle was waited for", rounds, took)
		}
	})
}

func TestHalfAnHourPassesExactly(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		c := dial(t, s)
		path := announce(t, s, c, "demo")
		if err := s.Advance(t.Context(), 30*time.Minute-time.Nanosecond); err != nil {
			t.Fatal(err)
		}
		if got := status(t, s, path); got != http.StatusOK {
			t.Errorf("a nanosecond before the end: got %d, want 200", got)
		}
		if err := s.Sleep(t.Context(), time.Nanosecond); err != nil {
			t.Fatal(err)
		}
		if got := status(t, s, path); got != http.StatusNotFound {
			t.Errorf("at the end: got %d, want 404", got)
		}
		if got, want := s.Now(), servetarget.Begin.Add(30*time.Minute); !got.Equal(want) {
			t.Errorf("Now: got %v, want %v", got, want)
		}
	})
}

func TestManyDeadlinesPassInOrder(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		c := dial(t, s)
		var paths []string
		for i := range 20 {
			paths = append(paths, announce(t, s, c, fmt.Sprintf("demo%d", i)))
			if err := s.Advance(t.Context(), time.Second); err != nil {
				t.Fatal(err)
			}
		}
		// The first ten have been there for half an hour, the others have not.
		if err := s.Advance(t.Context(), 30*time.Minute-11*time.Second); err != nil {
			t.Fatal(err)
		}
		for i, path := range paths {
			want := http.StatusOK
			if i < 10 {
				want = http.StatusNotFound
			}
			if got := status(t, s, path); got != want {
				t.Errorf("repository %d: got %d, want %d", i, got, want)
			}
		}
	})
}

func TestRestartKeepsWhatIsHeld(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		c := dial(t, s)
		path := announce(t, s, c, "demo")
		if err := s.Advance(t.Context(), 10*time.Minute); err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Recv(t.Context()); !errors.Is(err, target.ErrClosed) {
			t.Errorf("connection of the old server: got %v, want ErrClosed", err)
		}
		if got := status(t, s, path); got != http.StatusOK {
			t.Errorf("after the restart: got %d, want 200", got)
		}
		if got := drain(t, dial(t, s)); len(got) != 0 {
			t.Errorf("new connection: got %v, want nothing", got)
		}
		if err := s.Advance(t.Context(), 20*time.Minute); err != nil {
			t.Fatal(err)
		}
		if got := status(t, s, path); got != http.StatusNotFound {
			t.Errorf("half an hour after the announcement: got %d, want 404", got)
		}
	})
}

func TestSeveralConnectionsShareTheBarrier(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		talker, listener := dial(t, s), dial(t, s)
		for i := range 20 {
			send(t, listener, fmt.Sprintf(`["REQ","s%d",{"kinds":[30617]}]`, i))
			send(t, talker, `["REQ","x",{"kinds":[30617]}]`)
			if got := drain(t, listener); len(got) != 1 {
				t.Fatalf("round %d: got %v, want one EOSE", i, got)
			}
			if got := drain(t, talker); len(got) != 1 {
				t.Fatalf("round %d: got %v, want one EOSE", i, got)
			}
		}
	})
}

// Who has sent something hears the answer, however many others settle the server at the same moment.
func TestClientsAtTheSameTime(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		var clients errgroup.Group
		for range 8 {
			clients.Go(func() error {
				c, err := s.Dial(t.Context())
				if err != nil {
					return err
				}
				defer c.Close()
				for round := range 100 {
					if err := c.Send(t.Context(), []byte(`["REQ","x",{"kinds":[30617]}]`)); err != nil {
						return err
					}
					if _, err := c.Recv(t.Context()); err != nil {
						return fmt.Errorf("round %d: %w", round, err)
					}
				}
				return nil
			})
		}
		if err := clients.Wait(); err != nil {
			t.Error(err)
		}
	})
}

func TestRawConnection(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		c, err := s.DialRaw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(c)
		if err != nil && len(answer) == 0 {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(answer), "HTTP/1.1 400 ") {
			t.Errorf("got %.60q, want status 400", answer)
		}
	})
}

// Whether somebody reads from a bare connection is not waited for while it is open, and it can be closed by halves.
func TestRawConnectionIsNotWaitedFor(t *testing.T) {
	both(t, func(t *testing.T, s *servetarget.Target) {
		c, err := s.DialRaw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := s.Unawaited(), c.LocalAddr().String(); len(got) != 1 || got[0] != want {
			t.Errorf("open: got %q, want %q alone", got, want)
		}
		half, is := c.(interface{ CloseWrite() error })
		if !is {
			t.Fatalf("%T cannot be closed by halves", c)
		}
		if err := half.CloseWrite(); err != nil {
			t.Errorf("CloseWrite: %v", err)
		}
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if got := s.Unawaited(); len(got) != 0 {
			t.Errorf("closed: got %q, want none", got)
		}
	})
}

func TestUnknownBackend(t *testing.T) {
	if _, err := servetarget.New(context.Background(), servetarget.Options{Backend: "tape"}); err == nil {
		t.Error("got a target, want an error")
	}
}
