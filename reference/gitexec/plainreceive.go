package gitexec

import (
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
)

// plainBytes bounds what is taken in without a process of git: the bytes that the entries of a pack inflate to.
const plainBytes = 1 << 20

// receivePlain takes in a push that is small and plain without a process of git: most are, and three processes are what such a push
// costs otherwise. Whatever could be wrong with it is for git to say: then it reports false, and what it may have done is harmless,
// for objects that no ref reaches are whole. A push that it has done is on the disk when it returns.
func (e *Exec) receivePlain(c gitstore.Cancel, path string, commands []gitproto.Command, refs gitstore.Refs, pack held) (report gitstore.Report, done bool, err error) {
	deletes := func(c gitproto.Command) bool { return c.New.IsZero() }
	if len(commands) == 0 || len(commands) > movedMax || slices.ContainsFunc(commands, deletes) ||
		pack.screen.Objects >= unpackMax || pack.screen.Work > plainBytes || !gitlayout.Plain(path) {
		return gitstore.Report{}, false, nil
	}
	limits := e.options.Limits
	limits.InflatedMax = min(limits.InflatedMax, plainBytes)
	source := &objectFiles{path: path}
	defer source.close()
	objects, plain := gitstore.Plain(c, commands, refs, pack.reader(), limits, source)
	if !plain || e.storeLoose(path, objects) != nil {
		return gitstore.Report{}, false, nil
	}
	moved, err := e.movePlain(path, commands)
	if !moved && err == nil {
		return gitstore.Report{}, false, nil
	}
	after, refsErr := refsIn(path)
	if refsErr != nil {
		return gitstore.Report{}, true, errors.Join(err, refsErr)
	}
	return outcome(after, commands), true, err
}

// storeLoose gives objects, each behind those that it names, files of their own. A commit gets its name when the names of all
// that it reaches are on the disk: whenever this is cut off, a commit that is there is whole.
func (e *Exec) storeLoose(path string, objects []gitstore.Named) (err error) {
	written := make([]string, len(objects)) // names of the files that have no name of an object yet
	defer func() {
		for _, name := range written {
			if name != "" {
				err = errors.Join(err, os.Remove(name))
			}
		}
	}()
	fans := map[string]bool{}
	for i, x := range objects {
		name := looseFile(path, x.ID)
		if info, err := os.Lstat(name); err == nil && info.Size() > 0 { // an empty one, which a crash may leave, is none
			fans[filepath.Dir(name)] = true // whoever wrote it may not have synced its name
			continue
		}
		if written[i], err = e.writeLoose(filepath.Dir(name), x.Object); err != nil {
			return err
		}
	}
	name := func(i int) (fan string, err error) {
		file := looseFile(path, objects[i].ID)
		if written[i] != "" {
			err = os.Rename(written[i], file)
		}
		if err == nil {
			written[i] = ""
		}
		return filepath.Dir(file), err
	}
	for i, x := range objects {
		if x.Type == gitstore.Commit {
			continue
		}
		fan, err := name(i)
		if err != nil {
			return err
		}
		fans[fan] = true
	}
	fans[filepath.Join(path, "objects")] = true
	for fan := range fans {
		if err := e.layout.SyncDir(fan); err != nil {
			return err
		}
	}
	for i, x := range objects {
		if x.Type != gitstore.Commit {
			continue
		}
		fan, err := name(i)
		if err == nil {
			err = e.layout.SyncDir(fan)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeLoose writes an object into a file that has no name of one yet, down to the disk.
func (e *Exec) writeLoose(fan string, x gitstore.Object) (name string, err error) {
	if err := os.Mkdir(fan, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	f, err := os.CreateTemp(fan, "tmp_obj_*")
	if err != nil {
		return "", err
	}
	err = errors.Join(deflate(f, x), f.Chmod(0o444), e.layout.SyncFile(f), f.Close())
	if err != nil {
		return "", errors.Join(err, os.Remove(f.Name()))
	}
	return f.Name(), nil
}

// deflaters are as quick as git's for files of objects.
var deflaters = sync.Pool{New: func() any {
	w, _ := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed) // the level is one
	return w
}}

// deflate writes an object as it lies in a file of its own.
func deflate(w io.Writer, x gitstore.Object) error {
	z, _ := deflaters.Get().(*zlib.Writer) // nothing else is in it
	defer deflaters.Put(z)
	z.Reset(w)
	_, err := fmt.Fprintf(z, "%s %s\x00", x.Type, strconv.Itoa(len(x.Data)))
	if err == nil {
		_, err = z.Write(x.Data)
	}
	return errors.Join(err, z.Close())
}
