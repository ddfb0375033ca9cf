package node

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// syncData waits until the bytes of a file are on the disk, without the time of its change.
func syncData(file *os.File) error {
	for {
		err := unix.Fdatasync(int(file.Fd()))
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, unix.EINTR):
			return &fs.PathError{Op: "sync", Path: file.Name(), Err: err}
		}
	}
}

// inPieces lets the system read a file no further than it is asked to, and so keep it in small pieces: those it writes whole.
func inPieces(file *os.File) {
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_RANDOM) // it is an advice
}
