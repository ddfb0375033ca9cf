//go:build !linux

package node

import "os"

// roomIn does not know here how much room there is: a write that fails tells.
func roomIn(string, int64) error { return nil }

// inPlace fails if another file has the place of a file. Whether it may be written to a write tells.
func (f openedFile) inPlace() error {
	info, err := os.Stat(f.path)
	if err == nil && !os.SameFile(info, f.info) {
		err = errMoved
	}
	if err == nil && info.Size() < f.least {
		err = errCut
	}
	return err
}
