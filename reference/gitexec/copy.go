package gitexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Copy implements gitstore.Backend: files of few objects get a second name (see link); else git pack-objects in the other
// repository, which fails if anything is missing there, feeds git index-pack in this one. Nothing reads a ref or a configuration of the other, and no ref is written.
func (e *Exec) Copy(c gitstore.Cancel, id, from repo.ID, oids []repo.OID) error {
	path, err := e.layout.Open(id)
	if err != nil {
		return err
	}
	source, err := e.layout.Open(from)
	if err != nil {
		return err
	}
	defer e.layout.Read(source)()
	missing, err := e.Missing(from, oids)
	switch {
	case err != nil:
		return err
	case len(missing) > 0:
		return fmt.Errorf("%w: %s", gitstore.ErrIncomplete, missing[0])
	}
	ctx := contextOf(c)
	ask, err := e.revisions(path, from, oids)
	if err != nil {
		return err
	}
	if e.link(ctx, path, source, ask.Bytes()) {
		return nil
	}
	if err := e.pipe(ctx, path, source, ask); err != nil {
		return errors.Join(err, e.sweep(path))
	}
	if err := e.layout.SyncDir(filepath.Join(path, "objects", "pack")); err != nil {
		return fmt.Errorf("store pack: %w", err)
	}
	return nil
}

// revisions is what pack-objects reads: the objects, less what the refs of the receiving repository reach.
func (e *Exec) revisions(path string, from repo.ID, oids []repo.OID) (*bytes.Buffer, error) {
	refs, err := refsIn(path)
	if err != nil {
		return nil, err
	}
	var have []repo.OID
	for _, ref := range refs.Refs {
		have = append(have, ref.OID)
	}
	unknown, err := e.Missing(from, have)
	if err != nil {
		return nil, err
	}
	var ask bytes.Buffer
	for _, oid := range oids {
		ask.WriteString(string(oid) + "\n")
	}
	for _, oid := range have {
		if !slices.Contains(unknown, oid) {
			ask.WriteString("^" + string(oid) + "\n")
		}
	}
	return &ask, nil
}

// pipe runs the two processes. The one that writes has a place of its own kind, so that two that wait for each other's
// places cannot be.
func (e *Exec) pipe(ctx context.Context, path, source string, ask *bytes.Buffer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	into, err := e.child(ctx, e.copies, path, "index-pack", "--stdin", "--max-input-size="+strconv.FormatInt(e.options.Limits.PackMax, 10))
	if err != nil {
		return err
	}
	defer into.release()
	named := limited{max: stderrMax}
	into.cmd.Stdout = &named
	out, err := e.child(ctx, e.queries, source, "pack-objects", "--revs", "--stdout", "--delta-base-offset", "--quiet")
	if err != nil {
		return err
	}
	defer out.release()
	out.cmd.Stdin = ask
	pack, err := out.cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("git pack-objects: %w", err)
	}
	into.cmd.Stdin = pack
	if err := out.start(); err != nil {
		return err
	}
	received := into.run()
	if received != nil {
		cancel() // nobody reads what the other one writes
	}
	if err := out.cmd.Wait(); err != nil {
		return errors.Join(out.fault(err), received)
	}
	if name, ok := strings.CutPrefix(strings.TrimSpace(named.String()), "pack\t"); ok {
		pack := filepath.Join(path, "objects", "pack", "pack-"+name)
		e.layout.Added(path, sizesOf([]string{pack + ".pack", pack + ".idx"}))
	}
	return received
}
