package node

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/graspkit/graspkit/reference/core"
)

// Errors of a journal file. The file is left as it was found.
var (
	// ErrJournalLocked is returned when another process holds the journal.
	ErrJournalLocked = errors.New("node: is another server running on this data directory?")
	// ErrJournalVersion is returned when the journal was written by a version that this one does not know.
	ErrJournalVersion = errors.New("node: the journal has an unknown version")
	// ErrJournalCorrupt is returned when the journal is damaged. Nothing of it is used.
	ErrJournalCorrupt = errors.New("node: the journal is damaged")
)

// journalVersion is the format that this package reads and writes. Any other is refused.
const journalVersion = 3

// journalLockWait is how long OpenJournal waits for another process to let the file go: long enough for a server that
// is just ending.
const journalLockWait = time.Second

var (
	bucketMeta   = []byte("meta")
	bucketStored = []byte("stored")
	bucketHeld   = []byte("held")
	bucketMarks  = []byte("marks")
	keyVersion   = []byte("version")
	keyStored    = []byte("stored")
	keyHeld      = []byte("held")
	keyMarks     = []byte("marks")
)

// A BoltJournal is a journal in one bbolt file. Its buckets are stored and held, both by ordinal and event id, marks by their names,
// and meta, with the version and the number of entries of the others, so that a lost page does not pass for a small store.
type BoltJournal struct {
	db     *bbolt.DB
	path   string
	spared bool // the spare file is there and whole

	stored, held places // where events are; nil before the first Load or Write
}

// OpenJournal opens the journal at path and makes it if it is not there. It fails with ErrJournalLocked,
// ErrJournalVersion, ErrJournalCorrupt or what the file system says; an existing file is then left untouched.
func OpenJournal(path string) (*BoltJournal, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := createJournal(path); err != nil {
			return nil, fmt.Errorf("create journal: %w", err)
		}
	} else if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	db, err := openBolt(path)
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	j := &BoltJournal{db: db, path: path, spared: spareWhole(path + spareExtension)}
	version, err := j.check(path)
	if err == nil && version == journalByID {
		err = j.guarded(func() error { return db.Update(upgrade) })
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open journal %s: %w", path, err), db.Close())
	}
	return j, nil
}

// Unsynced says that what Write acknowledges needs to outlive this process, but not the machine: it no longer waits for
// the disk. It is for a journal that is removed when the process ends.
func (j *BoltJournal) Unsynced() { j.db.NoSync = true }

// createJournal writes an empty journal beside path and moves it there, so that a crash leaves either no file or a
// complete one.
func createJournal(path string) error {
	temporary := path + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := bbolt.Open(temporary, 0o600, &bbolt.Options{Timeout: journalLockWait})
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		for _, name := range [][]byte{bucketMeta, bucketStored, bucketHeld, bucketMarks} {
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
		}
		return errors.Join(
			putNumber(tx, keyVersion, journalVersion), putNumber(tx, keyStored, 0), putNumber(tx, keyHeld, 0), putNumber(tx, keyMarks, 0),
		)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil {
		return err
	}
	return syncDirectory(filepath.Dir(path))
}

func syncDirectory(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// openBolt opens an existing database file. What bbolt does to a damaged one (panic, fault on a page beyond the end)
// becomes ErrJournalCorrupt.
func openBolt(path string) (db *bbolt.DB, err error) {
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer corruptOnPanic(&err, func() {
		if file != nil {
			_ = file.Close() // bbolt lost it; its lock may stay with the process
		}
	})
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrJournalCorrupt) // bbolt would make a new one of it
	}
	db, err = bbolt.Open(path, 0o600, &bbolt.Options{
		Timeout: journalLockWait,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			var err error
			file, err = os.OpenFile(name, flag, mode)
			return file, err
		},
	})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, ErrJournalLocked
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch):
		return nil, fmt.Errorf("%w: %w", ErrJournalCorrupt, err)
	}
	return db, err
}

// corruptOnPanic is deferred around code that reads pages: damaged ones make bbolt panic, or fault beyond the end of
// the file, which the caller has made a panic too.
func corruptOnPanic(err *error, clean func()) {
	if r := recover(); r != nil {
		clean()
		*err = fmt.Errorf("%w: %v", ErrJournalCorrupt, r)
	}
}

// check reads the version and compares the size that the database believes in with that of its file.
func (j *BoltJournal) check(path string) (version uint64, err error) {
	err = j.view(func(tx *bbolt.Tx) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return fmt.Errorf("%w: it has %d bytes and should have %d", ErrJournalCorrupt, info.Size(), tx.Size())
		}
		version, err = number(tx, keyVersion)
		if err != nil {
			return err
		}
		if version != journalVersion && version != journalByID {
			return fmt.Errorf("%w: it is %d, this server reads %d", ErrJournalVersion, version, journalVersion)
		}
		if tx.Bucket(bucketStored) == nil || tx.Bucket(bucketHeld) == nil || tx.Bucket(bucketMarks) == nil {
			return fmt.Errorf("%w: a bucket is missing", ErrJournalCorrupt)
		}
		return nil
	})
	return version, err
}

// asideMax is how many records may be unreadable, with the server going on without them. With more the file as a whole is
// not to be trusted.
const asideMax = 100

// Load returns what is kept. A record that cannot be read, its place in the file sound, is left out: it stays where it is
// until an event or a mark of its name is written. Any other damage is ErrJournalCorrupt, and nothing is returned.
func (j *BoltJournal) Load() (started core.Started, aside []error, err error) {
	err = j.view(func(tx *bbolt.Tx) error {
		aside = nil
		j.stored, j.held = places{}, places{}
		var stored, held, marks error
		started.Stored, stored = readAll(tx, bucketStored, j.stored.add, decodeStored, &aside)
		started.Held, held = readAll(tx, bucketHeld, j.held.add, decodeHeld, &aside)
		started.Marks, marks = readAll(tx, bucketMarks, asName, decodeMark, &aside)
		if err := errors.Join(stored, held, marks); err != nil {
			return err
		}
		if len(aside) > asideMax {
			return fmt.Errorf("%w: %d records, the first of them: %w", ErrJournalCorrupt, len(aside), aside[0])
		}
		return nil
	})
	if err != nil {
		return core.Started{}, nil, fmt.Errorf("load journal: %w", err)
	}
	started.Incomplete = len(aside) > 0
	sortSurvivors(started)
	return started, aside, nil
}

func asName(key []byte) (string, error) { return string(key), nil }

// readAll reads a bucket, whose number of entries is kept under its name.
func readAll[T any](tx *bbolt.Tx, bucket []byte, name func(key []byte) (string, error), decode func(string, []byte) (T, error), aside *[]error) ([]T, error) {
	var all []T
	var last []byte
	n := 0
	err := tx.Bucket(bucket).ForEach(func(key, value []byte) error {
		if n > 0 && bytes.Compare(last, key) >= 0 {
			return fmt.Errorf("%w: %s entries are out of order", ErrJournalCorrupt, bucket)
		}
		n, last = n+1, key
		called, err := name(key)
		if err != nil {
			return err
		}
		one, err := decode(called, value)
		if err != nil {
			*aside = append(*aside, fmt.Errorf("%s: %w", bucket, err))
			return nil
		}
		all = append(all, one)
		return nil
	})
	return all, errors.Join(err, checkNumber(tx, bucket, n))
}

// view runs a read transaction and turns damage into ErrJournalCorrupt.
func (j *BoltJournal) view(read func(*bbolt.Tx) error) error {
	return j.guarded(func() error { return j.db.View(read) })
}

func (j *BoltJournal) guarded(run func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer corruptOnPanic(&err, func() {})
	return run()
}

// Write applies the records in one transaction, which ends with an fsync. On a full disk it takes the spare room.
func (j *BoltJournal) Write(records []core.Record) error {
	err := j.update(records)
	if noRoom(err) && j.spend() {
		err = j.update(records)
	}
	switch {
	case noRoom(err):
		return fmt.Errorf("write journal: %w: %w", ErrNoRoom, err)
	case err != nil:
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

func (j *BoltJournal) update(records []core.Record) error {
	if j.stored == nil {
		if _, _, err := j.Load(); err != nil { // it says where everything is
			return err
		}
	}
	var t journalTx
	err := j.db.Update(func(tx *bbolt.Tx) error {
		t = journalTx{
			tx: tx, marks: tx.Bucket(bucketMarks), stored: newShelf(tx, bucketStored, j.stored), held: newShelf(tx, bucketHeld, j.held),
		}
		for _, r := range records {
			if err := t.apply(r); err != nil {
				return err
			}
		}
		return t.addCounts()
	})
	if err == nil {
		t.stored.settle()
		t.held.settle()
	}
	return err
}

// Close closes the file and gives its lock back.
func (j *BoltJournal) Close() error { return j.db.Close() }

func putNumber(tx *bbolt.Tx, key []byte, n uint64) error {
	return tx.Bucket(bucketMeta).Put(key, binary.BigEndian.AppendUint64(nil, n))
}

func number(tx *bbolt.Tx, key []byte) (uint64, error) {
	meta := tx.Bucket(bucketMeta)
	if meta == nil {
		return 0, fmt.Errorf("%w: it is a database of something else", ErrJournalCorrupt)
	}
	value := meta.Get(key)
	if len(value) != 8 {
		return 0, fmt.Errorf("%w: no %s number", ErrJournalCorrupt, key)
	}
	return binary.BigEndian.Uint64(value), nil
}

func checkNumber(tx *bbolt.Tx, key []byte, got int) error {
	want, err := number(tx, key)
	if err != nil {
		return err
	}
	if uint64(got) != want {
		return fmt.Errorf("%w: %d %s entries, %d expected", ErrJournalCorrupt, got, key, want)
	}
	return nil
}
