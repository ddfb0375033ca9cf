package gitexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Tidy implements gitstore.Backend. git pack-objects writes what is needed into one pack, aside. When that is durable and in its
// place, and is seen to have what the refs name, all that was there before goes: git repack would do so at once, whoever reads.
// A repository that somebody has changed by hand is left to who did.
func (e *Exec) Tidy(c gitstore.Cancel, id repo.ID, keep []repo.OID) error {
	path, err := e.layout.Open(id)
	if err != nil || !gitlayout.OwnObjects(path) {
		return err
	}
	defer e.layout.Lock(id)() // nobody takes in meanwhile what builds on an object that goes
	if err := c.Err(); err != nil {
		return err
	}
	if err := e.layout.Settle(path); err != nil { // the refs that are read are those that a crash leaves
		return err
	}
	old, err := e.layout.Objects(path)
	if err != nil {
		return err
	}
	there, err := e.there(path, keep)
	if err != nil {
		return err
	}
	name, err := e.packNeeded(contextOf(c), path, there)
	if err != nil {
		return errors.Join(err, gitlayout.Sweep(path)) // of a process that was killed
	}
	return e.layout.Discard(contextOf(c), old, name)
}

// there returns those of the objects that a repository has.
func (e *Exec) there(path string, oids []repo.OID) ([]repo.OID, error) {
	missing, err := gitread.Missing(path, oids)
	if err != nil {
		return nil, err
	}
	lacks := make(map[repo.OID]bool, len(missing))
	for _, oid := range missing {
		lacks[oid] = true
	}
	var there []repo.OID
	for _, oid := range oids {
		if !lacks[oid] {
			there = append(there, oid)
		}
	}
	return there, nil
}

// packNeeded brings a pack of what the refs and some objects reach into a repository, and returns its name without extension, ""
// if there is nothing to pack.
func (e *Exec) packNeeded(ctx context.Context, path string, keep []repo.OID) (string, error) {
	aside, err := os.MkdirTemp(filepath.Join(e.layout.Dir(), fetchName), "tidy-")
	if err != nil {
		return "", fmt.Errorf("folder of a new pack: %w", err)
	}
	defer os.RemoveAll(aside)
	name, err := e.packObjects(ctx, path, keep, filepath.Join(aside, "pack"))
	if name == "" || err != nil {
		return "", err
	}
	refs, err := refsIn(path)
	if err != nil {
		return "", err
	}
	named := keep
	for _, ref := range refs.Refs {
		named = append(named, ref.OID)
	}
	lacks, err := gitread.NotIndexed(filepath.Join(aside, name+".idx"), named)
	if err != nil {
		return "", fmt.Errorf("look into a new pack: %w", err)
	}
	if len(lacks) > 0 {
		return "", fmt.Errorf("%w: %s is not in the new pack", gitstore.ErrBroken, lacks[0])
	}
	packs := filepath.Join(path, "objects", "pack")
	if _, err := os.Lstat(filepath.Join(packs, name+".idx")); err == nil {
		return name, nil // its name is that of its content
	}
	if err := e.migrate(aside, packs); err != nil {
		return "", fmt.Errorf("store pack: %w", err)
	}
	return name, nil
}

// packObjects lets git write the pack. It has one thread and the lowest claim to the processor: nobody waits for it.
func (e *Exec) packObjects(ctx context.Context, path string, keep []repo.OID, base string) (string, error) {
	git, err := e.child(ctx, e.copies, path, "pack-objects", "--revs", "--all", "--local", "--non-empty", "--delta-base-offset",
		"--threads=1", "--window-memory=256m", "--quiet", base)
	if err != nil {
		return "", err
	}
	defer git.release()
	git.idle = true
	var ask bytes.Buffer
	for _, oid := range keep {
		ask.WriteString(string(oid) + "\n")
	}
	in, err := git.cmd.StdinPipe()
	if err != nil {
		return "", fmt.Errorf("git pack-objects: %w", err)
	}
	said := limited{max: stderrMax}
	git.cmd.Stdout = &said
	if err := git.start(); err != nil {
		return "", err
	}
	_, _ = ask.WriteTo(in) // that it fails says only that git has ended before, and says itself why
	_ = in.Close()
	if err := git.cmd.Wait(); err != nil {
		return "", git.fault(err)
	}
	sum := strings.TrimSpace(said.String())
	switch {
	case sum == "":
		return "", nil
	case !isSHA1(repo.OID(sum)):
		return "", fmt.Errorf("gitexec: git pack-objects names %.80q as its pack", sum)
	}
	return "pack-" + sum, nil
}
