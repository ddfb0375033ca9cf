package node_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// A deletion request may name an address of any length. Whatever it names, the server outlives the request: when it
// expires, when the server starts again, and when what it deleted comes back.
func TestDeletionOfALongAddressExpires(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Unix(1_767_225_600, 0))
	journal, memory := filepath.Join(t.TempDir(), "events.db"), gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
	startOn := func() *node.Node {
		return begin(t, node.Config{Core: coreConfig(t), Backend: memory, Journal: openJournal(t, journal), Clock: mock})
	}
	long := strings.Repeat("x", 40_000)
	request := signed(t, mock, 5, nostr.Tag{"a", "30078:" + keyOf(t) + ":" + long}, expiration(mock, 10*time.Second))
	n := startOn()
	publish(t, n, request, `["OK","`+request.ID+`",true,""]`)
	mock.Set(mock.Now().Add(time.Minute))
	synced(t, n)

	deleted := signed(t, mock, 30078, nostr.Tag{"d", long})
	deleted.CreatedAt = request.CreatedAt - 1
	sign(t, deleted)
	refused := `["OK","` + deleted.ID + `",false,"blocked: this event is deleted"]`
	publish(t, n, deleted, refused)
	for range 2 {
		if err := n.Close(t.Context()); err != nil {
			t.Fatalf("Close: %v", err)
		}
		n = startOn()
		publish(t, n, deleted, refused)
	}
}

// A server that was stopped while the request stood lets it expire at its start.
func TestDeletionOfALongAddressExpiresAtAStart(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Unix(1_767_225_600, 0))
	journal := openJournal(t, filepath.Join(t.TempDir(), "events.db"))
	long := strings.Repeat("x", 40_000)
	request := signed(t, mock, 5, nostr.Tag{"a", "30078:" + keyOf(t) + ":" + long}, expiration(mock, 10*time.Second))
	write(t, journal, store(request))
	mock.Set(mock.Now().Add(time.Minute))
	n := begin(t, node.Config{Core: coreConfig(t), Backend: gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0), Journal: journal, Clock: mock})
	deleted := signed(t, mock, 30078, nostr.Tag{"d", long})
	deleted.CreatedAt = request.CreatedAt
	sign(t, deleted)
	publish(t, n, deleted, `["OK","`+deleted.ID+`",false,"blocked: this event is deleted"]`)
}

func coreConfig(t *testing.T) core.Config {
	t.Helper()
	service, err := repo.ParseService("ws://grasp.test")
	if err != nil {
		t.Fatal(err)
	}
	return core.Config{Service: service}
}

const secretKey = "0101010101010101010101010101010101010101010101010101010101010101"

func keyOf(t *testing.T) string {
	t.Helper()
	key, err := nostr.GetPublicKey(secretKey)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// signed makes an event of now.
func signed(t *testing.T, now clock.Clock, kind int, tags ...nostr.Tag) *nostr.Event {
	t.Helper()
	ev := &nostr.Event{Kind: kind, CreatedAt: nostr.Timestamp(now.Now().Unix()), Tags: tags}
	sign(t, ev)
	return ev
}

func sign(t *testing.T, ev *nostr.Event) {
	t.Helper()
	if err := ev.Sign(secretKey); err != nil {
		t.Fatal(err)
	}
}

func expiration(now clock.Clock, ahead time.Duration) nostr.Tag {
	return nostr.Tag{"expiration", strconv.FormatInt(now.Now().Add(ahead).Unix(), 10)}
}

// publish sends an event on a connection of its own and looks at the answer.
func publish(t *testing.T, n *node.Node, ev *nostr.Event, want string) {
	t.Helper()
	c := connect(t, n)
	defer c.Close()
	receive(t, c, `["EVENT",`+ev.String()+`]`)
	for {
		frame := next(t, c)
		if strings.HasPrefix(frame, `["AUTH"`) {
			continue
		}
		if frame != want {
			t.Errorf("got %s, want %s", frame, want)
		}
		return
	}
}
