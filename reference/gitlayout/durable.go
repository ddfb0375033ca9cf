package gitlayout

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// WriteFile writes a file whole or not at all, durably: under its name with an extension first, renamed when its bytes
// are on the disk. Nobody else may write that file at the same time.
func WriteFile(path, extension string, content []byte) error {
	half := path + extension
	f, err := os.Create(half)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half))
	}
	return SyncDir(filepath.Dir(path))
}

// SyncDir makes the names in a folder durable, where the system can do that.
func SyncDir(path string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened there
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
