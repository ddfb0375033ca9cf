package gitexec

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/repo"
)

// movedMax is how many refs are moved at a time without a process.
const movedMax = 16

// movePlain writes refs as git does that get values of objects in files of their own: each in a file that was its lock
// before. Nothing may be deleted, no name may stand in the way of another one, and a branch gets a commit. It reports
// false, and has done nothing, if that is not so or a lock is taken: git decides then. Once all is locked and written
// only names change, one after the other, as in git; an error says that some have and one has not.
func (e *Exec) movePlain(path string, commands []gitproto.Command) (done bool, err error) {
	if len(commands) > movedMax || slices.ContainsFunc(commands, func(c gitproto.Command) bool { return !settable(path, c) }) {
		return false, nil
	}
	for i, c := range commands {
		if err := e.lockRef(path, c); err != nil {
			unlock(path, commands[:i])
			return false, nil //nolint:nilerr // git says what is wrong
		}
	}
	table, err := gitread.Refs(path)
	if err != nil || table.Symbolic() || stale(table.Refs, commands) != nil || crowded(table.Refs.Refs, commands) {
		unlock(path, commands)
		return false, nil //nolint:nilerr // git says what is wrong
	}
	for i, c := range commands {
		name := refFile(path, c.Ref)
		if err := os.Rename(name+lockSuffix, name); err != nil {
			unlock(path, commands[i:])
			if i == 0 {
				return false, nil
			}
			return true, err
		}
	}
	return true, e.syncRefs(path, commands)
}

const lockSuffix = ".lock"

// settable reports whether a command gives a ref a value that git would take too.
func settable(path string, c gitproto.Command) bool {
	if !gitproto.CheckRefName(c.Ref) || !strings.HasPrefix(c.Ref, "refs/") || !isSHA1(c.Old) || c.New.IsZero() {
		return false
	}
	kind, err := gitread.Kind(path, c.New)
	if err != nil || kind == "" || strings.HasPrefix(c.Ref, "refs/heads/") && kind != "commit" {
		return false
	}
	info, err := os.Lstat(refFile(path, c.Ref)) // a folder may be there that was one of refs
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular()
}

// crowded reports whether a ref, or a new one, has a name that is a folder of another one.
func crowded(refs []repo.Ref, commands []gitproto.Command) bool {
	return slices.ContainsFunc(commands, func(c gitproto.Command) bool {
		within := func(other string) bool {
			return strings.HasPrefix(other, c.Ref+"/") || strings.HasPrefix(c.Ref, other+"/")
		}
		return slices.ContainsFunc(refs, func(r repo.Ref) bool { return within(r.Name) }) ||
			slices.ContainsFunc(commands, func(other gitproto.Command) bool { return within(other.Ref) })
	})
}

// lockRef writes the new value of a ref into its lock. If it fails there is no lock of this call.
func (e *Exec) lockRef(path string, c gitproto.Command) error {
	name := refFile(path, c.Ref) + lockSuffix
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(string(c.New) + "\n")
	if err == nil {
		err = e.layout.SyncFile(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// unlock gives up locks.
func unlock(path string, commands []gitproto.Command) {
	for _, c := range commands {
		_ = os.Remove(refFile(path, c.Ref) + lockSuffix) // whoever is left one sweeps it
	}
}

func refFile(path, ref string) string { return filepath.Join(path, filepath.FromSlash(ref)) }
