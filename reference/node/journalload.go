package node

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"github.com/graspkit/graspkit/reference/core"
)

// asideMax is how many records may be unreadable, with the server going on without them. With more the file as a whole is
// not to be trusted.
const asideMax = 100

// Load returns what is kept, in the file and in the logs, and changes neither. A record that cannot be read, its place in the
// file sound, is left out: it stays where it is until an event or a mark of its name is written. Any other damage is
// ErrJournalCorrupt, and nothing is returned.
func (j *BoltJournal) Load() (started core.Started, aside []error, err error) {
	if started, aside, err = j.load(); err != nil {
		j.stored, j.held = nil, nil
		return core.Started{}, nil, fmt.Errorf("load journal: %w", err)
	}
	started.Incomplete = len(aside) > 0
	sortSurvivors(started)
	return started, aside, nil
}

func (j *BoltJournal) load() (started core.Started, aside []error, err error) {
	if err := j.collect(true); err != nil {
		return started, nil, err
	}
	if err := j.findLogs(); err != nil {
		return started, nil, err
	}
	waiting, err := j.logged()
	if err != nil {
		return started, nil, err
	}
	over := overlay(waiting)
	err = j.view(func(tx *bbolt.Tx) error {
		j.stored, j.held = places{}, places{}
		var stored, held, marks error
		started.Stored, stored = readAll(tx, bucketStored, j.stored.add, decodeStored, over.stored, &aside)
		started.Held, held = readAll(tx, bucketHeld, j.held.add, decodeHeld, over.held, &aside)
		started.Marks, marks = readAll(tx, bucketMarks, asName, decodeMark, over.marks, &aside)
		if err := errors.Join(stored, held, marks); err != nil {
			return err
		}
		if len(aside) > asideMax {
			return fmt.Errorf("%w: %d records, the first of them: %w", ErrJournalCorrupt, len(aside), aside[0])
		}
		return nil
	})
	return started, aside, err
}

// findLogs learns from the file where the logs begin, and opens them if a server that was not ended in order has left some.
func (j *BoltJournal) findLogs() error {
	if j.begun() {
		return nil
	}
	err := j.view(func(tx *bbolt.Tx) error {
		value := tx.Bucket(bucketMeta).Get(keyLogs)
		if value == nil {
			j.place = nil
			return nil
		}
		place, err := decodePlace(value)
		j.place = &place
		return err
	})
	if err != nil || j.place == nil {
		return err
	}
	for i := range j.logs {
		if j.logs[i] != nil {
			continue
		}
		file, err := os.OpenFile(j.logPath(i), os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: %s, which belongs to it, is missing", ErrJournalCorrupt, j.logPath(i))
		}
		if err != nil {
			return err
		}
		if err := j.keep(i, file); err != nil {
			return err
		}
	}
	return nil
}

// logged reads what the logs have and the file does not.
func (j *BoltJournal) logged() (all []logged, err error) {
	if j.place == nil {
		return nil, nil
	}
	at := *j.place
	for range j.logs {
		content, err := readLog(j.logs[at.number%2])
		if err != nil {
			return nil, err
		}
		var more []logged
		if more, at, err = readBatches(content, at); err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// An over is what stands in logs, by bucket and name: the entry that counts instead of that in the file, nil if there is none.
type over struct{ stored, held, marks map[string][]byte }

func overlay(all []logged) over {
	o := over{map[string][]byte{}, map[string][]byte{}, map[string][]byte{}}
	for _, l := range all {
		switch l.op {
		case core.OpStore:
			o.stored[l.name], o.held[l.name] = l.entry, nil
		case core.OpUnstore:
			o.stored[l.name] = nil
		case core.OpHold:
			o.held[l.name] = l.entry
		case core.OpDrop:
			o.held[l.name] = nil
		case core.OpMark:
			o.marks[l.name] = l.entry
		case core.OpUnmark:
			o.marks[l.name] = nil
		}
	}
	return o
}

func asName(key []byte) (string, error) { return string(key), nil }

// readAll reads a bucket, whose number of entries is kept under its name, and what logs say of its names.
func readAll[T any](
	tx *bbolt.Tx, bucket []byte, name func(key []byte) (string, error), decode func(string, []byte) (T, error),
	over map[string][]byte, aside *[]error,
) ([]T, error) {
	var all []T
	take := func(called string, value []byte) {
		one, err := decode(called, value)
		if err != nil {
			*aside = append(*aside, fmt.Errorf("%s: %w", bucket, err))
			return
		}
		all = append(all, one)
	}
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
		if _, elsewhere := over[called]; !elsewhere {
			take(called, value)
		}
		return nil
	})
	for _, called := range slices.Sorted(maps.Keys(over)) {
		if over[called] != nil {
			take(called, over[called])
		}
	}
	return all, errors.Join(err, checkNumber(tx, bucket, n))
}
