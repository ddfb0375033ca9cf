package smalldisk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// New mounts a file system of so many bytes ("48m") for the time of a test, which is skipped where none can be mounted.
func New(t *testing.T, size string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

// Fill takes up all the room where a folder is, until the function that it returns is called.
func Fill(t *testing.T, dir string) (empty func()) {
	t.Helper()
	name := filepath.Join(dir, "filler")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) || f.Close() != nil {
		t.Fatalf("fill the disk: %v", err)
	}
	return func() {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

// ReadOnly lets a folder take no writes, by its name, until the function that it returns is called. Files in it that are open
// already are not touched: a system asks where a file is opened.
func ReadOnly(t *testing.T, dir string) (writable func()) {
	t.Helper()
	writable = func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }
	for range 100 {
		if err := syscall.Mount(dir, dir, "", syscall.MS_BIND, ""); err != nil {
			t.Skipf("no folder can be mounted here: %v", err)
		}
		err := syscall.Mount("", dir, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, "")
		if err == nil {
			t.Cleanup(writable)
			return writable
		}
		writable()
		if !errors.Is(err, syscall.EBUSY) { // a server opened a file between the two mounts: another mount has none
			t.Fatalf("mount %s read-only: %v", dir, err)
		}
	}
	t.Fatalf("mount %s read-only: busy at every try", dir)
	return nil
}
