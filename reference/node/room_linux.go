package node

import (
	"fmt"
	"io/fs"
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

// writable fails if a file may not be written to. Nothing but opening it tells for sure; the lock of a journal is not one that
// goes with that.
func writable(path string) error {
	fd, err := unix.Open(path, unix.O_WRONLY|unix.O_CLOEXEC, 0)
	if err == nil {
		err = unix.Close(fd)
	}
	if err != nil {
		return &fs.PathError{Op: "write to", Path: path, Err: err}
	}
	return nil
}
