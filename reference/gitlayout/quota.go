package gitlayout

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
)

// A Quota bounds what repositories take on the disk, in bytes. 0 is no bound.
type Quota struct {
	Repository int64 // of one
	Total      int64 // of all but places for contributions
	// Of all places for contributions, which have no share in Total, and of those of one signer: anybody may push there.
	Contributions, Signer int64
}

// blockSize is what the smallest file takes, and a folder, as it is counted here.
const blockSize = 4 << 10

// An account knows what repositories take: from the disk at first, then by what was added, and from the disk once more before
// anything is refused. So no push walks through a repository that is not full.
type account struct {
	quota  Quota
	places string // the folder above all places for contributions

	mu    sync.Mutex // guards all below
	sizes map[string]size
	total int64            // of all but places for contributions
	all   int64            // of these
	of    map[string]int64 // and of those of a signer, by the folder that they are in
}

// contributed reports whether a folder is that of a place for contributions.
func (a *account) contributed(path string) bool { return filepath.Dir(filepath.Dir(path)) == a.places }

// summed reports whether the repository at a path belongs to a sum that is bounded.
func (a *account) summed(path string) bool {
	if a.contributed(path) {
		return a.quota.Contributions > 0 || a.quota.Signer > 0
	}
	return a.quota.Total > 0
}

// more counts bytes more, or fewer, of a repository among the sums that it belongs to. The lock is held.
func (a *account) more(path string, bytes int64) {
	signer := filepath.Dir(path)
	if !a.contributed(path) {
		a.total += bytes
		return
	}
	if a.of == nil {
		a.of = make(map[string]int64)
	}
	a.all += bytes
	if a.of[signer] += bytes; a.of[signer] == 0 {
		delete(a.of, signer)
	}
}

// beyond says which bound of a place for contributions so many bytes more would break, "" if none. The lock is held.
func (a *account) beyond(path string, bytes int64) string {
	signer := filepath.Dir(path)
	switch {
	case !a.contributed(path):
	case a.quota.Signer > 0 && a.of[signer]+bytes > a.quota.Signer:
		return fmt.Sprintf("quota exceeded: the pull requests of this signer would take more than %d bytes", a.quota.Signer)
	case a.quota.Contributions > 0 && a.all+bytes > a.quota.Contributions:
		return fmt.Sprintf("quota exceeded: all pull requests below /prs/ would take more than %d bytes", a.quota.Contributions)
	}
	return ""
}

// A size is what a repository takes.
type size struct {
	bytes int64
	exact bool // it was measured, and nothing was added since
}

// set replaces what is known of a repository.
func (a *account) set(path string, s size) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.more(path, s.bytes-a.sizes[path].bytes)
	if a.sizes == nil {
		a.sizes = make(map[string]size)
	}
	a.sizes[path] = s
}

func (a *account) forget(path string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.more(path, -a.sizes[path].bytes)
	delete(a.sizes, path)
}

// add counts bytes more, or fewer, of a repository. Of one that was not measured yet nothing is known.
func (a *account) add(path string, bytes int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if is, ok := a.sizes[path]; ok {
		a.sizes[path] = size{bytes: is.bytes + bytes}
		a.more(path, bytes)
	}
}

// reserve counts bytes more of a repository, unless they are too many: then it says why, and whether measuring could help.
func (a *account) reserve(path string, bytes int64) (refused string, unsure bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	is, known := a.sizes[path]
	switch beyond := a.beyond(path, bytes); {
	case !known:
		return "", true
	case beyond != "":
		return beyond, !is.exact
	case a.quota.Repository > 0 && is.bytes+bytes > a.quota.Repository:
		return fmt.Sprintf("quota exceeded: the repository would take more than %d bytes on this server", a.quota.Repository), !is.exact
	case a.quota.Total > 0 && !a.contributed(path) && a.total+bytes > a.quota.Total:
		return fmt.Sprintf("quota exceeded: all repositories of this server would take more than %d bytes", a.quota.Total), !is.exact
	}
	a.sizes[path] = size{bytes: is.bytes + bytes}
	a.more(path, bytes)
	return "", false
}

// on reports whether anything is bounded.
func (a *account) on() bool { return a.quota != Quota{} }

// Reserve counts so many bytes of a pack, with so many objects, as taken by a repository, unless a quota forbids it: then it
// says so, in words for the git user. What is not stored in the end is given back by Release.
func (l *Layout) Reserve(path string, bytes int64, objects int) (refused string, err error) {
	if !l.account.on() {
		return "", nil
	}
	refused, unsure := l.account.reserve(path, cost(bytes, objects))
	if !unsure {
		return refused, nil
	}
	measured, err := measure(path)
	if err != nil {
		return "", err
	}
	l.account.set(path, size{bytes: measured, exact: true})
	refused, _ = l.account.reserve(path, cost(bytes, objects))
	return refused, nil
}

// Release takes back a Reserve.
func (l *Layout) Release(path string, bytes int64, objects int) {
	l.account.add(path, -cost(bytes, objects))
}

// Added counts what has come into a repository without having been asked for.
func (l *Layout) Added(path string, bytes int64) { l.account.add(path, bytes) }

// cost is what a pack takes with its index, or its objects in files of their own if they are few.
func cost(bytes int64, objects int) int64 {
	const indexed, few = 40, 20
	if objects < few {
		return bytes + int64(objects)*blockSize
	}
	return bytes + int64(objects)*indexed
}

// measure adds up what the files and folders of a repository take, but for what is on its way.
func measure(path string) (total int64, err error) {
	err = filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && !strings.HasPrefix(entry.Name(), "tmp_") {
			var info fs.FileInfo
			if info, err = entry.Info(); err == nil {
				total += (info.Size() + blockSize - 1) / blockSize * blockSize
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it is gone meanwhile
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("measure repository: %w", err)
	}
	return total, nil
}
