package node_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/nbd-wtf/go-nostr"
	"go.etcd.io/bbolt"

	"github.com/graspkit/graspkit/reference/gitlock"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// A record that cannot be read is set aside: the server says so and starts with the rest. No repository goes with it, for
// the record may be all that spoke of it; and when its event comes again, nothing is missing any more.
func TestOneBadRecordIsSetAside(t *testing.T) {
	mock := clock.NewMock()
	mock.Set(time.Unix(1_767_225_600, 0))
	path, memory := filepath.Join(t.TempDir(), "events.db"), gitlock.New(gitstore.NewMemory(gitstore.Limits{}), 0)
	var log strings.Builder
	startOn := func() *node.Node {
		log.Reset()
		return begin(t, node.Config{
			Core: coreConfig(t), Backend: memory, Journal: openJournal(t, path), Clock: mock, Logger: textLogger(&log),
		})
	}
	id := repo.ID{Owner: repo.PubKey(keyOf(t)), Identifier: "demo"}
	held := signed(t, mock, 30617, nostr.Tag{"d", "demo"}, nostr.Tag{"clone", "http://grasp.test" + id.Path()}, nostr.Tag{"relays", "ws://grasp.test"})
	list := signed(t, mock, 10317)
	request := signed(t, mock, 5, nostr.Tag{"e", strings.Repeat("a", 64)}, expiration(mock, time.Second))
	n := startOn()
	publish(t, n, held, `["OK","`+held.ID+`",true,"purgatory: won't be served until git data arrives"]`)
	publish(t, n, list, `["OK","`+list.ID+`",true,""]`)
	publish(t, n, request, `["OK","`+request.ID+`",true,""]`)
	mock.Set(mock.Now().Add(time.Minute))
	synced(t, n)
	closeNode(t, n)
	good := entries(t, path)
	if len(good) != 4 { // the list, the announcement, and the marks of the deletion and of the orderly end
		t.Fatalf("got %d records, want 4", len(good))
	}
	for _, bad := range good {
		restore(t, path, good)
		spoil(t, path, bad)
		for again := range 2 {
			want := 1
			if again > 0 && strings.HasPrefix(string(bad.key), "9/") {
				want = 0 // each orderly end writes it anew
			}
			n := startOn()
			if got := counted(n, "record_set_aside"); got != uint64(want) || strings.Count(log.String(), "level=ERROR") != want {
				t.Errorf("%s %s: got %d records set aside and the log %s, want %d", bad.bucket, bad.key, got, log.String(), want)
			}
			found, err := memory.Repositories()
			if err != nil || len(found) != 1 || found[0] != id {
				t.Fatalf("%s %s: got repositories %v and %v, want that of the announcement", bad.bucket, bad.key, found, err)
			}
			closeNode(t, n)
		}
		n := startOn()
		for _, ev := range []*nostr.Event{held, list} {
			c := connect(t, n)
			receive(t, c, `["EVENT",`+ev.String()+`]`)
			c.Close()
		}
		synced(t, n)
		closeNode(t, n)
		if aside := unreadable(t, path); bad.bucket != "marks" && aside != 0 {
			t.Errorf("%s %s: got %d bad records after its event came again, want none", bad.bucket, bad.key, aside)
		}
	}
}

// More than a few bad records are no accident of one: the file is refused.
func TestManyBadRecordsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.db")
	j := openJournal(t, path)
	for i := range 101 {
		write(t, j, store(event(int64(i), "x")))
	}
	closeJournal(t, j)
	all := entries(t, path)
	for i, bad := range all {
		if i == 100 {
			started, aside, err := loadFile(path)
			if err != nil || len(aside) != 100 || len(started.Stored) != 1 {
				t.Errorf("got %d records set aside and %v, want 100 and one event", len(aside), err)
			}
		}
		spoil(t, path, bad)
	}
	if _, _, err := loadFile(path); !errors.Is(err, node.ErrJournalCorrupt) {
		t.Errorf("Load: got %v, want ErrJournalCorrupt", err)
	}
}

func closeNode(t *testing.T, n *node.Node) {
	t.Helper()
	if err := n.Close(t.Context()); err != nil {
		t.Fatalf("Close: %v", err)
	}
}

func unreadable(t *testing.T, path string) int {
	t.Helper()
	_, aside, err := loadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return len(aside)
}

// An entry is a record as it is in the file.
type entry struct {
	bucket     string
	key, value []byte
}

func update(t *testing.T, path string, change func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.Update(change), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// entries lists the records of a file.
func entries(t *testing.T, path string) (all []entry) {
	t.Helper()
	update(t, path, func(tx *bbolt.Tx) error {
		for _, bucket := range []string{"stored", "held", "marks"} {
			err := tx.Bucket([]byte(bucket)).ForEach(func(key, value []byte) error {
				all = append(all, entry{bucket, bytes.Clone(key), bytes.Clone(value)})
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return all
}

// restore makes a file one of these records.
func restore(t *testing.T, path string, all []entry) {
	t.Helper()
	numbers := map[string]byte{"stored": 0, "held": 0, "marks": 0}
	update(t, path, func(tx *bbolt.Tx) error {
		for bucket := range numbers {
			if err := tx.DeleteBucket([]byte(bucket)); err != nil {
				return err
			}
			if _, err := tx.CreateBucket([]byte(bucket)); err != nil {
				return err
			}
		}
		for _, e := range all {
			numbers[e.bucket]++
			if err := tx.Bucket([]byte(e.bucket)).Put(e.key, e.value); err != nil {
				return err
			}
		}
		for bucket, n := range numbers {
			if err := tx.Bucket([]byte("meta")).Put([]byte(bucket), []byte{0, 0, 0, 0, 0, 0, 0, n}); err != nil {
				return err
			}
		}
		return nil
	})
}

// spoil changes the last byte of a record.
func spoil(t *testing.T, path string, e entry) {
	t.Helper()
	update(t, path, func(tx *bbolt.Tx) error {
		bad := bytes.Clone(e.value)
		bad[len(bad)-1] ^= 1
		return tx.Bucket([]byte(e.bucket)).Put(e.key, bad)
	})
}
