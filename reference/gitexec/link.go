package gitexec

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// listMax bounds the list of objects that are linked, in bytes: a few thousand of them.
const listMax = 256 << 10

// link brings into a repository what revisions of another one reach, by a second name of each file: git rev-list says
// which objects these are, and fails if one is missing. Nothing is read, packed or written again. It reports false, and
// has done nothing, if that cannot be: an object is in a pack or missing, there are too many, or the file system has no
// second names. What is wrong then, if anything, is for others to say.
func (e *Exec) link(ctx context.Context, path, source string, ask []byte) bool {
	if packed(source) {
		return false
	}
	// What an object names is there before it is: so a repository is whole at every moment.
	oids, few := reachedOf(source, ask)
	if !few {
		var err error
		if oids, err = e.reached(ctx, source, ask); err != nil {
			return false
		}
		slices.Reverse(oids)
	}
	made, err := e.linkAll(path, source, oids)
	if err == nil {
		e.layout.Added(path, sizesOf(made))
		return true
	}
	for _, name := range slices.Backward(made) {
		_ = os.Remove(name) // what is left is whole
	}
	return false
}

// packed reports whether a repository has a pack, or may have one.
func packed(path string) bool {
	entries, err := os.ReadDir(filepath.Join(path, "objects", "pack"))
	return len(entries) > 0 || err != nil
}

// reached lists the objects that revisions reach, each before what it names.
func (e *Exec) reached(ctx context.Context, source string, ask []byte) ([]repo.OID, error) {
	list, err := e.child(ctx, e.queries, source, "rev-list", "--objects", "--no-object-names", "--stdin")
	if err != nil {
		return nil, err
	}
	defer list.release()
	out := limited{max: listMax}
	list.cmd.Stdin, list.cmd.Stdout = bytes.NewReader(ask), &out
	if err := list.run(); err != nil {
		return nil, err
	}
	var oids []repo.OID
	for _, line := range strings.Fields(out.String()) {
		oids = append(oids, repo.OID(line))
	}
	return oids, nil
}

// fewMax is how many objects are looked through without a process of git.
const fewMax = 64

// reachedOf lists what reached does, each behind what it names, and perhaps some more objects that the excluded revisions reach. It
// reports false if there are many, or anything is not as it should be, and then others have to look.
func reachedOf(source string, ask []byte) ([]repo.OID, bool) {
	done := map[repo.OID]bool{}
	var tips, oids []repo.OID
	for _, line := range strings.Fields(string(ask)) {
		if excluded, is := strings.CutPrefix(line, "^"); is {
			done[repo.OID(excluded)] = true
		} else {
			tips = append(tips, repo.OID(line))
		}
	}
	var visit func(repo.OID) bool
	visit = func(oid repo.OID) bool {
		if done[oid] {
			return true
		}
		if len(done) >= fewMax {
			return false
		}
		done[oid] = true
		x, err := readLooseObject(looseFile(source, oid))
		if err != nil {
			return false
		}
		links := x.Links()
		if x.Type != gitstore.Blob && (x.OID() != oid || len(links) == 0) {
			return false // nothing below an object is nearly never so: git has to say
		}
		for _, below := range links {
			if !visit(below) {
				return false
			}
		}
		oids = append(oids, oid)
		return true
	}
	for _, oid := range tips {
		if !visit(oid) {
			return nil, false
		}
	}
	return oids, true
}

// errEmptyObject is of a file that is there and holds nothing, as a crash may leave it.
var errEmptyObject = errors.New("gitexec: an object is an empty file")

// linkAll gives files a second name each, and returns the names that it has made. One that is there is kept.
func (e *Exec) linkAll(path, source string, oids []repo.OID) (made []string, err error) {
	fans := map[string]bool{filepath.Join(path, "objects"): true} // whose names are to be durable
	for _, oid := range oids {
		name := looseFile(path, oid)
		fans[filepath.Dir(name)] = true
		if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		err := os.Link(looseFile(source, oid), name)
		if err == nil {
			made = append(made, name)
		} else if !errors.Is(err, fs.ErrExist) {
			return made, err
		}
		if info, err := os.Lstat(name); err != nil || info.Size() == 0 {
			return made, errors.Join(err, errEmptyObject)
		}
	}
	for fan := range fans {
		if err := e.layout.SyncDir(fan); err != nil {
			return made, err
		}
	}
	return made, nil
}

// looseFile is where an object lies that has a file of its own.
func looseFile(path string, oid repo.OID) string {
	return filepath.Join(path, "objects", string(oid[:2]), string(oid[2:]))
}

// sizesOf adds up the sizes of files.
func sizesOf(names []string) (total int64) {
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil {
			total += info.Size()
		}
	}
	return total
}
