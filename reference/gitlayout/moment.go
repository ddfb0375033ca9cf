package gitlayout

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Moment is the time by the clock of a file system, which alone says when its folders have changed. The zero Moment is
// before every other one.
type Moment struct{ at time.Time }

// momentSlack is by how much a file system may be wrong about when a folder has changed: some count in steps of two seconds.
const momentSlack = 2 * time.Second

// Mark names the moment at which it is called.
func Mark(path string) (Moment, error) {
	probe, err := os.MkdirTemp(filepath.Join(path, "objects"), "tmp_mark-")
	if err != nil {
		return Moment{}, fmt.Errorf("ask a file system for the time: %w", err)
	}
	info, err := os.Lstat(probe)
	if removed := os.Remove(probe); err == nil {
		err = removed
	}
	if err != nil {
		return Moment{}, fmt.Errorf("ask a file system for the time: %w", err)
	}
	return Moment{info.ModTime()}, nil
}

// after reports whether a folder has changed last before the moment for sure.
func (m Moment) after(info fs.FileInfo) bool { return info.ModTime().Before(m.at.Add(-momentSlack)) }
