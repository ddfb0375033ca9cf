package gitlayout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// A Syncer makes durable what was written: what it has not done when the power fails may be gone. The content of a file
// and the name of that file are two things, and a new folder has a name in the one above it.
type Syncer interface {
	File(f *os.File) error // its content
	Dir(path string) error // the names in a folder
}

// ToDisk is the Syncer of data that outlive the machine.
type ToDisk struct{}

// File implements Syncer.
func (ToDisk) File(f *os.File) error { return f.Sync() }

// Dir implements Syncer, where the system can do that.
func (ToDisk) Dir(path string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be opened there
	}
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Unsynced is the Syncer of data that outlive the process and not the machine: nothing waits for the disk.
type Unsynced struct{}

// File implements Syncer.
func (Unsynced) File(*os.File) error { return nil }

// Dir implements Syncer.
func (Unsynced) Dir(string) error { return nil }

// WriteFile writes a file whole or not at all, durably: under its name with an extension first, renamed when its bytes
// are on the disk. Nobody else may write that file at the same time.
func (l *Layout) WriteFile(path, extension string, content []byte) error {
	half := path + extension
	f, err := os.Create(half)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil {
		err = l.sync.File(f)
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half))
	}
	return l.sync.Dir(filepath.Dir(path))
}

// SyncFile makes the content of a file durable.
func (l *Layout) SyncFile(f *os.File) error { return l.sync.File(f) }

// SyncDir makes the names in a folder durable.
func (l *Layout) SyncDir(path string) error { return l.sync.Dir(path) }

// MakeDir makes a folder, and those above it, and the names of new ones durable.
func MakeDir(s Syncer, path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	above := filepath.Dir(path)
	if above != path {
		if err := MakeDir(s, above); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return s.Dir(above)
}
