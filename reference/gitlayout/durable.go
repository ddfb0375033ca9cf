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
	return writeFile(path, extension, content, true)
}

// WriteFile is WriteFile, as durable as this layout is.
func (l *Layout) WriteFile(path, extension string, content []byte) error {
	return writeFile(path, extension, content, !l.unsynced)
}

// SyncDir is SyncDir, in a layout whose files are to outlive the machine.
func (l *Layout) SyncDir(path string) error {
	if l.unsynced {
		return nil
	}
	return SyncDir(path)
}

// Unsynced says that files need to outlive this process, but not the machine: nothing waits for the disk. It is for data
// that is removed when the process ends, and is called before anything else.
func (l *Layout) Unsynced() { l.unsynced = true }

func writeFile(path, extension string, content []byte, durable bool) error {
	half := path + extension
	f, err := os.Create(half)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if durable && err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(half, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half))
	}
	if !durable {
		return nil
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
