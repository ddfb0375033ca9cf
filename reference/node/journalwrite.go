package node

import (
	"errors"
	"fmt"

	"github.com/graspkit/graspkit/reference/core"
)

// Write appends the records to a log as one batch, and waits for the disk once. On a full disk it takes the spare room.
func (j *BoltJournal) Write(records []core.Record) error {
	if j.failed != nil {
		return fmt.Errorf("write journal: %w", j.failed)
	}
	err := j.write(records)
	if noRoom(err) && j.spend() {
		err = j.write(records)
	}
	switch {
	case noRoom(err):
		return fmt.Errorf("write journal: %w: %w", ErrNoRoom, err)
	case err != nil:
		j.failed = err
		return fmt.Errorf("write journal: %w", err)
	}
	return nil
}

func (j *BoltJournal) write(records []core.Record) error {
	batch, err := makeBatch(j.batch, records)
	if err != nil {
		return err
	}
	if j.batch = batch; cap(batch) > logBytes {
		j.batch = nil // so large is no usual one
	}
	if err := j.beginLogs(); err != nil {
		return err
	}
	if err := j.collect(false); err != nil {
		return err
	}
	if j.end > 0 && j.end+int64(len(batch)) > j.room {
		if err := j.turnOver(); err != nil {
			return err
		}
	}
	file := j.logs[j.next.number%2]
	sealBatch(batch, logPlace{j.next.salt, j.next.number, j.last})
	if _, err := file.WriteAt(batch, j.end); err != nil {
		return err
	}
	if err := j.sync(file); err != nil {
		return err
	}
	j.end += int64(len(batch))
	j.last++
	return nil
}

// turnOver goes on with the other log, and has this one moved into the file. It waits until the other one has been.
func (j *BoltJournal) turnOver() error {
	if err := j.empty(); err != nil {
		return err
	}
	j.next, j.end = logPlace{j.next.salt, j.next.number + 1, j.last}, 0
	j.startMove()
	return nil
}

// empty waits until the log that was written before has been moved. A move that found no room is tried again.
func (j *BoltJournal) empty() error {
	if j.stuck != nil {
		j.startMove()
	}
	if err := j.collect(true); err != nil {
		return err
	}
	return j.stuck
}

// startMove moves the log that was written before. That is the work of one goroutine, which ends with it: until its answer is
// collected the file, the places of events in it and that log are its own.
func (j *BoltJournal) startMove() {
	from, to, answer := *j.place, j.next, make(chan error, 1)
	j.moving, j.stuck = answer, nil
	go func() { answer <- j.move(from, to) }()
}

// collect takes over what a move has done, if one is under way and has ended, or waits for its end. One that found no room
// leaves everything as it was.
func (j *BoltJournal) collect(wait bool) error {
	if j.moving == nil {
		return nil
	}
	var err error
	if wait {
		err = <-j.moving
	} else {
		select {
		case err = <-j.moving:
		default:
			return nil
		}
	}
	j.moving = nil
	switch {
	case noRoom(err):
		j.stuck = err
		return nil
	case err != nil:
		j.failed = fmt.Errorf("move log: %w", err)
		return j.failed
	}
	done, next := j.place.number, j.next
	j.place = &next
	shrinkLog(j.logs[done%2], j.room)
	return nil
}

// Close moves what the logs have into the file, closes it and gives its lock back. What cannot be moved stays in the logs, for
// the next one who opens the journal.
func (j *BoltJournal) Close() error {
	err := j.collect(true)
	if err == nil && j.failed == nil && j.stored != nil && j.place != nil {
		if err = j.inPlace(); err == nil { // a file that was cut off must not be read: its pages are not there
			err = j.moveAll(nil)
		}
		if noRoom(err) {
			err = nil
		}
	}
	for _, file := range j.logs {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return errors.Join(err, j.db.Close())
}
