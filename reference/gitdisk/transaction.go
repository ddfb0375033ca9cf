package gitdisk

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// move carries out the commands, all or none of them, if their old values are those on the disk: gitstore.ErrConflict
// if not. It reports whether the refs have moved; beside an error that means that they may not survive a crash.
func (d *Disk) move(path string, commands []gitproto.Command) (moved bool, err error) {
	if err := d.layout.Settle(path); err != nil {
		return false, err
	}
	unlock, err := lockPacked(path)
	if err != nil {
		return false, fmt.Errorf("lock refs: %w", err)
	}
	defer unlock()
	t, err := gitread.Refs(path)
	if err != nil {
		return false, err
	}
	for _, c := range commands {
		if t.Refs.At(c.Ref) != c.Old {
			return false, gitstore.ErrConflict
		}
	}
	if t, err = d.fold(t, path, commands); err != nil {
		return false, fmt.Errorf("pack refs: %w", err)
	}
	after := gitstore.Refs{Refs: t.Packed}.Apply(commands)
	return d.writePacked(path, after.Refs)
}

// lockPacked takes git's own lock on packed-refs.
func lockPacked(path string) (unlock func(), err error) {
	name := filepath.Join(path, gitread.PackedName+".lock")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	return func() { _ = errors.Join(f.Close(), os.Remove(name)) }, nil
}

// fold moves the refs of the commands that lie in files of their own into packed-refs, where they can be changed at
// once. No value changes, and after each step the refs read the same.
func (d *Disk) fold(t gitread.Table, path string, commands []gitproto.Command) (gitread.Table, error) {
	named := make(map[string]bool, len(commands))
	for _, c := range commands {
		named[c.Ref] = true
	}
	var folded, left []gitread.Loose
	var same []gitproto.Command
	for _, one := range t.Loose {
		if named[one.Name] {
			folded = append(folded, one)
			same = append(same, gitproto.Command{New: t.Refs.At(one.Name), Ref: one.Name})
		} else {
			left = append(left, one)
		}
	}
	if len(folded) == 0 {
		return t, nil
	}
	packed := gitstore.Refs{Refs: t.Packed}.Apply(same).Refs
	if _, err := d.writePacked(path, packed); err != nil {
		return t, err
	}
	for _, one := range folded {
		file := filepath.Join(path, filepath.FromSlash(one.Name))
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return t, err
		}
		if err := d.layout.SyncDir(filepath.Dir(file)); err != nil {
			return t, err
		}
	}
	t.Packed, t.Loose = packed, left
	return t, nil
}

// writePacked replaces packed-refs and reports whether the new file is in place.
func (d *Disk) writePacked(path string, refs []repo.Ref) (written bool, err error) {
	b := bytes.NewBufferString("# pack-refs with: sorted \n")
	for _, ref := range refs {
		b.WriteString(string(ref.OID) + " " + ref.Name + "\n")
	}
	name := filepath.Join(path, gitread.PackedName)
	if err := d.layout.WriteFile(name, ".new", b.Bytes()); err != nil {
		content, readErr := os.ReadFile(name)
		return readErr == nil && bytes.Equal(content, b.Bytes()), fmt.Errorf("write packed refs: %w", err)
	}
	return true, nil
}

// Update implements gitstore.Backend.
func (d *Disk) Update(id repo.ID, commands []gitproto.Command, head string) error {
	defer d.layout.Lock(id)()
	path, err := d.layout.Open(id)
	if err != nil {
		return err
	}
	check := func(v *gitstore.View) error { return v.Check(commands, head) }
	if err := d.read(id, check); err != nil {
		return err
	}
	if len(commands) > 0 {
		if _, err := d.move(path, commands); err != nil {
			return err
		}
	}
	if head == "" {
		return nil
	}
	if err := d.layout.WriteFile(filepath.Join(path, "HEAD"), ".lock", []byte(gitread.Symbolic+head+"\n")); err != nil {
		return fmt.Errorf("write HEAD: %w", err)
	}
	return nil
}
