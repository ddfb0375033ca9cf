package node

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// spareBytes is how much room a journal keeps for itself: more than a turn writes. With less on the disk nothing is taken.
const spareBytes = 8 << 20

// spareExtension names the file beside a journal that takes up this room. When the disk is full it goes, and what the core
// has taken already is written in its place.
const spareExtension = ".spare"

// errMoved is why a journal cannot be written to whose files have others, or none, in their places.
var errMoved = errors.New("it is not there any more, was it moved or deleted?")

// errCut is why a journal cannot be written to of which somebody has cut off a part: what is in it is lost at the next start.
var errCut = errors.New("it is shorter than it was, was it cut off?")

// An openedFile is a file as it was opened.
type openedFile struct {
	path  string
	info  fs.FileInfo
	least int64 // bytes that it has from then on
}

// Room implements Journal. There is room if the files are in their places and may be written to, the spare file is there and
// whole, the disk has as much again, and no move of a log waits for any of this.
func (j *BoltJournal) Room() error {
	_ = j.collect(false) // what has failed, Write says
	if err := j.makeRoom(); err != nil {
		return fmt.Errorf("%w: %w", ErrNoRoom, err)
	}
	return nil
}

func (j *BoltJournal) makeRoom() error {
	need := int64(spareBytes)
	if !j.spared {
		need *= 2
	}
	if err := roomIn(filepath.Dir(j.path), need); err != nil {
		return err
	}
	if err := j.inPlace(); err != nil {
		return err
	}
	if !j.spared {
		if err := fillSpare(j.path + spareExtension); err != nil {
			return fmt.Errorf("spare file: %w", err)
		}
		j.spared = true
	}
	if j.stuck != nil {
		j.startMove()
		_ = j.collect(true) // as above
	}
	return j.stuck
}

// inPlace fails if what is written now would not be found by the next server, or may not be written.
func (j *BoltJournal) inPlace() error {
	for _, f := range j.files {
		if err := f.inPlace(); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				err = errMoved
			}
			return &fs.PathError{Op: "write to", Path: f.path, Err: err}
		}
	}
	return nil
}

// spend gives the spare room away, and reports whether there was some.
func (j *BoltJournal) spend() bool {
	if !j.spared {
		return false
	}
	j.spared = false
	return os.Remove(j.path+spareExtension) == nil
}

// spareWhole reports whether a spare file is there, from an earlier run, and whole.
func spareWhole(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() == spareBytes
}

// fillSpare makes the spare file. Its bytes are of a kind that no file system stores in less room.
func fillSpare(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	var made noise
	part := make([]byte, sparePart)
	for range spareBytes / sparePart {
		made.fill(part)
		if _, err = file.Write(part); err != nil {
			break
		}
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// sparePart is how much of the spare file is in memory at a time.
const sparePart = 64 << 10

// noise is bytes without a pattern (xorshift), the same ones each time.
type noise uint64

// fill makes the next of them, a multiple of eight.
func (x *noise) fill(part []byte) {
	if *x == 0 {
		*x = 0x9e3779b97f4a7c15
	}
	for ; len(part) > 0; part = part[8:] {
		*x ^= *x << 13
		*x ^= *x >> 7
		*x ^= *x << 17
		binary.LittleEndian.PutUint64(part, uint64(*x))
	}
}

// noRoom reports whether something failed before anything of it counted, for want of room or permission, or of the file. A sync that
// fails is not that: what it has left on the disk nobody knows.
func noRoom(err error) bool {
	failed, is := errors.AsType[*fs.PathError](err)
	if !is || failed.Op == "sync" {
		return false
	}
	for _, why := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, fs.ErrPermission, errMoved, errCut} {
		if errors.Is(err, why) {
			return true
		}
	}
	return false
}
