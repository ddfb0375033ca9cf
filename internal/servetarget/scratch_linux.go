package servetarget

import (
	"os"
	"syscall"
)

// sharedMemory is a file system in memory, where Linux has one; usual is where files go that nobody names another place for.
const (
	sharedMemory = "/dev/shm"
	usual        = "/tmp"
)

// tmpfsMagic is the type of such a file system, and sharedMin how many bytes of it have to be free: more than all targets of a
// run hold at a time.
const (
	tmpfsMagic = 0x01021994
	sharedMin  = 2 << 30
)

// scratch is where the data directory of a target goes that takes it along, "" for the usual place: thousands of small
// repositories that are gone in a moment are no business of a disk. Who names another place than that one by TMPDIR is obeyed.
func scratch() string {
	var fs syscall.Statfs_t
	if os.TempDir() != usual || syscall.Statfs(sharedMemory, &fs) != nil {
		return ""
	}
	if fs.Type != tmpfsMagic || fs.Bavail*uint64(fs.Bsize) < sharedMin {
		return ""
	}
	return sharedMemory
}
