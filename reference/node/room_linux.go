package node

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// readOnly is the flag of a file system that takes no writes.
const readOnly = 1

// roomIn fails if a folder cannot be written to, or has less room than so many bytes.
func roomIn(dir string, need int64) error {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return fmt.Errorf("look for room in %s: %w", dir, err)
	}
	if s.Flags&readOnly != 0 {
		return fmt.Errorf("%s: %w", dir, syscall.EROFS)
	}
	if free := int64(s.Bavail) * int64(s.Bsize); free < need { //nolint:unconvert // types differ between architectures
		return fmt.Errorf("%s has %d bytes left, %d are needed: %w", dir, free, need, syscall.ENOSPC)
	}
	return nil
}

// inPlace fails if a file may not be written to, if another has its place, or if a part of it is gone. Nothing but opening it tells for sure; the lock
// of a journal is not one that goes with that.
func (f openedFile) inPlace() error {
	fd, err := unix.Open(f.path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	var now unix.Stat_t
	if err := errors.Join(unix.Fstat(fd, &now), unix.Close(fd)); err != nil {
		return err
	}
	if was, is := f.info.Sys().(*syscall.Stat_t); is && (now.Dev != was.Dev || now.Ino != was.Ino) {
		return errMoved
	}
	if now.Size < f.least {
		return errCut
	}
	return nil
}
