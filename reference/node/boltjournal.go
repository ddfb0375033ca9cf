package node

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
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

// journalVersion is the format that this package reads and writes. The two before are read and written anew as they are
// opened; any other is refused.
const journalVersion = 4

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
	keyLogs      = []byte("logs")
)

// A BoltJournal is a journal in one bbolt file, with two logs before it: Write appends to a log, and a log that is full is moved
// into the file while the other one is written to. The buckets of the file are stored and held, both by ordinal and event id,
// marks by their names, and meta, with the version, the number of entries of the others, so that a lost page does not pass for a
// small store, and where the logs begin; that is not there if everything is in the file, as after Close.
type BoltJournal struct {
	db       *bbolt.DB
	path     string
	files    []openedFile
	spared   bool // the spare file is there and whole
	unsynced bool
	sync     func(*os.File) error // waits for the disk
	room     int64                // of a log

	stored, held places // where events are in the file; nil before the first Load or Write

	logs   [2]*os.File // by whether their number is odd; nil before they are needed
	place  *logPlace   // where the logs begin; nil if all is in the file
	next   logPlace    // where the one that is written to begins; zero before the first Write
	last   uint64      // the number of the next batch
	end    int64       // where it goes
	batch  []byte      // the memory of the last one
	moving chan error  // answers a move; nil if none is under way
	stuck  error       // why the last move found no room
	failed error       // why the journal must not be used any more
}

// OpenJournal opens the journal at path and makes it if nothing of it is there. It fails with ErrJournalLocked,
// ErrJournalVersion, ErrJournalCorrupt or what the file system says; an existing file is then left untouched.
func OpenJournal(path string) (*BoltJournal, error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		for _, log := range []string{logPath(path, 0), logPath(path, 1)} {
			if _, err := os.Lstat(log); err == nil {
				return nil, fmt.Errorf("open journal %s: %w: it is not there, and its log %s is", path, ErrJournalCorrupt, log)
			}
		}
		if err := createJournal(path); err != nil {
			return nil, fmt.Errorf("create journal: %w", err)
		}
	} else if err != nil {
		return nil, fmt.Errorf("open journal: %w", err)
	}
	db, info, err := openBolt(path)
	if err != nil {
		return nil, fmt.Errorf("open journal %s: %w", path, err)
	}
	j := &BoltJournal{
		db: db, path: path, files: []openedFile{{path, info, info.Size()}}, spared: spareWhole(path + spareExtension), sync: syncData, room: logBytes,
	}
	version, err := j.check(path)
	if err == nil && version != journalVersion {
		err = j.guarded(func() error { return db.Update(func(tx *bbolt.Tx) error { return upgrade(tx, version) }) })
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open journal %s: %w", path, err), db.Close())
	}
	return j, nil
}

// Unsynced says that what Write acknowledges needs to outlive this process, but not the machine: it no longer waits for
// the disk. It is for a journal that is removed when the process ends.
func (j *BoltJournal) Unsynced() {
	j.unsynced, j.db.NoSync = true, true
	j.sync = func(*os.File) error { return nil }
}

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
func openBolt(path string) (db *bbolt.DB, info fs.FileInfo, err error) {
	var file *os.File
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer corruptOnPanic(&err, func() {
		if file != nil {
			_ = file.Close() // bbolt lost it; its lock may stay with the process
		}
	})
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		return nil, nil, fmt.Errorf("%w: it is empty", ErrJournalCorrupt) // bbolt would make a new one of it
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
		return nil, nil, ErrJournalLocked
	case errors.Is(err, berrors.ErrInvalid), errors.Is(err, berrors.ErrChecksum), errors.Is(err, berrors.ErrVersionMismatch):
		return nil, nil, fmt.Errorf("%w: %w", ErrJournalCorrupt, err)
	case err != nil:
		return nil, nil, err
	}
	if info, err = file.Stat(); err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, info, nil
}

// corruptOnPanic is deferred around code that reads pages: damaged ones make bbolt panic, or fault beyond the end of
// the file, which the caller has made a panic too.
func corruptOnPanic(err *error, clean func()) {
	if r := recover(); r != nil {
		clean()
		if fault, ok := r.(runtime.Error); ok {
			r = fmt.Sprintf("a page of it cannot be read (%v)", fault)
		}
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
		if version < journalByID || version > journalVersion {
			return fmt.Errorf("%w: it is %d, this server reads %d", ErrJournalVersion, version, journalVersion)
		}
		if tx.Bucket(bucketStored) == nil || tx.Bucket(bucketHeld) == nil || tx.Bucket(bucketMarks) == nil {
			return fmt.Errorf("%w: a bucket is missing", ErrJournalCorrupt)
		}
		return nil
	})
	return version, err
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
