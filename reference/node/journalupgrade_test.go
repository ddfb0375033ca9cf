package node_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.etcd.io/bbolt"

	"github.com/graspkit/graspkit/reference/core"
)

// Files of both versions before are taken over as they are, and are refused by those who wrote them.
func TestJournalUpgrade(t *testing.T) {
	t.Run("from 3", func(t *testing.T) { upgraded(t, func(tx *bbolt.Tx) error { return setVersion(tx, 3) }) })
	t.Run("from 2", func(t *testing.T) {
		upgraded(t, func(tx *bbolt.Tx) error { return errors.Join(withoutOrdinals(tx), setVersion(tx, 2)) })
	})
}

func setVersion(tx *bbolt.Tx, version byte) error {
	return tx.Bucket([]byte("meta")).Put([]byte("version"), []byte{0, 0, 0, 0, 0, 0, 0, version})
}

// withoutOrdinals makes the keys of events their ids alone.
func withoutOrdinals(tx *bbolt.Tx) error {
	for _, name := range []string{"stored", "held"} {
		entries := map[string][]byte{}
		err := tx.Bucket([]byte(name)).ForEach(func(key, value []byte) error {
			entries[string(key[8:])] = bytes.Clone(value)
			return nil
		})
		if err != nil {
			return err
		}
		if err := tx.DeleteBucket([]byte(name)); err != nil {
			return err
		}
		b, err := tx.CreateBucket([]byte(name))
		if err != nil {
			return err
		}
		for id, entry := range entries {
			if err := b.Put([]byte(id), entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// upgraded makes a file older and looks at what becomes of it.
func upgraded(t *testing.T, age func(*bbolt.Tx) error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events.db")
	j := openJournal(t, path)
	var records []core.Record
	for i := range 20 {
		records = append(records, store(event(int64(i), "stored")), hold(event(int64(i), "held"), 1, 2))
	}
	write(t, j, append(records, marked(core.OpMark, mark("x", "demo", 9)))...)
	want := load(t, j)
	closeJournal(t, j)
	update(t, path, age)
	for range 2 {
		j = openJournal(t, path)
		if diff := cmp.Diff(want, load(t, j), sameEvents); diff != "" {
			t.Errorf("after the upgrade (-want +got):\n%.1000s", diff)
		}
		closeJournal(t, j)
		update(t, path, func(tx *bbolt.Tx) error {
			if got := tx.Bucket([]byte("meta")).Get([]byte("version")); got[7] != 4 {
				t.Errorf("version: got %d, want 4", got[7])
			}
			return nil
		})
	}
	j = openJournal(t, path)
	defer closeJournal(t, j)
	first := want.Stored[0]
	write(t, j, store(first), forget(core.OpUnstore, want.Stored[1])) // without a Load
	if got := load(t, j); len(got.Stored) != len(want.Stored)-1 || got.Stored[0].ID != first.ID {
		t.Errorf("after more: got %d stored events, want %d", len(got.Stored), len(want.Stored)-1)
	}
}
