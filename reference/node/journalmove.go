package node

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"
)

// begun reports whether this process has written: the logs are its own.
func (j *BoltJournal) begun() bool { return j.next.number > 0 }

// beginLogs makes the logs ready before the first batch, and moves what an earlier process has left in them.
func (j *BoltJournal) beginLogs() error {
	if j.begun() {
		return nil
	}
	if j.stored == nil {
		if _, _, err := j.Load(); err != nil { // it says where everything is
			return err
		}
	}
	if err := j.inPlace(); err != nil {
		return err
	}
	for i := range j.logs {
		if err := j.makeLog(i); err != nil {
			return err
		}
	}
	if !j.unsynced {
		if err := syncDirectory(filepath.Dir(j.path)); err != nil {
			return err
		}
	}
	var salt [8]byte
	_, _ = rand.Read(salt[:]) // it does not fail
	begin := logPlace{binary.BigEndian.Uint64(salt[:]), 1, 1}
	if err := j.moveAll(&begin); err != nil {
		return err
	}
	j.place, j.next, j.last, j.end = &begin, begin, begin.batch, 0
	return nil
}

func (j *BoltJournal) makeLog(i int) error {
	if j.logs[i] == nil {
		file, err := os.OpenFile(j.logPath(i), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		if err := j.keep(i, file); err != nil {
			return err
		}
	}
	if j.unsynced {
		return nil
	}
	if err := fillLog(j.logs[i], j.room); err != nil {
		return err
	}
	for n := range j.files {
		if j.files[n].path == j.logPath(i) {
			j.files[n].least = j.room // nothing makes it shorter
		}
	}
	return nil
}

// keep takes an open log.
func (j *BoltJournal) keep(i int, file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	inPieces(file)
	j.logs[i] = file
	j.files = append(j.files, openedFile{j.logPath(i), info, 0})
	return nil
}

func (j *BoltJournal) logPath(i int) string { return logPath(j.path, i) }

func logPath(path string, i int) string { return fmt.Sprint(path, ".log", i) }

// shrinkLog takes back the room of a large batch. If that fails now, it is tried again after the next one.
func shrinkLog(file *os.File, room int64) {
	if info, err := file.Stat(); err == nil && info.Size() > room {
		_ = file.Truncate(room)
	}
}

// moveAll moves all that the logs have into the file, which then says where they begin anew; nil is nowhere, until a server
// writes again.
func (j *BoltJournal) moveAll(to *logPlace) error {
	all, err := j.logged()
	if err != nil {
		return err
	}
	return j.absorb(all, to)
}

// move moves one log into the file. It is read as it is on the disk, so that a batch that was damaged there is not passed on.
func (j *BoltJournal) move(from, to logPlace) error {
	content, err := readLog(j.logs[from.number%2])
	if err != nil {
		return err
	}
	all, end, err := readBatches(content, from)
	if err != nil {
		return err
	}
	if end != to {
		return fmt.Errorf("%w: its log %d ends before batch %d, and had those before %d", ErrJournalCorrupt, from.number, end.batch, to.batch)
	}
	if err := j.inPlace(); err != nil {
		return err
	}
	return j.absorb(all, &to)
}

// absorb applies what logs have in one transaction, with the place where logs go on. So a log is in the file and is no more at
// the same moment, and whoever is killed before finds both as they were.
func (j *BoltJournal) absorb(all []logged, to *logPlace) error {
	var t journalTx
	err := j.guarded(func() error {
		return j.db.Update(func(tx *bbolt.Tx) error {
			t = journalTx{
				tx: tx, marks: tx.Bucket(bucketMarks), stored: newShelf(tx, bucketStored, j.stored), held: newShelf(tx, bucketHeld, j.held),
			}
			for _, l := range all {
				if err := t.apply(l); err != nil {
					return err
				}
			}
			if to == nil {
				return errors.Join(t.addCounts(), tx.Bucket(bucketMeta).Delete(keyLogs))
			}
			return errors.Join(t.addCounts(), tx.Bucket(bucketMeta).Put(keyLogs, to.encode()))
		})
	})
	if err == nil {
		t.stored.settle()
		t.held.settle()
	}
	return err
}
