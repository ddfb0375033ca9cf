package gitexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Refs implements gitstore.Backend.
func (e *Exec) Refs(id repo.ID) (gitstore.Refs, error) {
	path, err := e.layout.Open(id)
	if err != nil {
		return gitstore.Refs{}, err
	}
	return refsIn(path)
}

// refsIn reads refs from their files: no process of git is needed to look at them.
func refsIn(path string) (gitstore.Refs, error) {
	t, err := gitread.Refs(path)
	return t.Refs, err
}

// stale returns why commands do not fit to the refs that are there, by ref: old values that do not match.
func stale(refs gitstore.Refs, commands []gitproto.Command) map[string]string {
	var reasons map[string]string
	for _, c := range commands {
		if refs.At(c.Ref) != c.Old {
			if reasons == nil {
				reasons = map[string]string{}
			}
			reasons[c.Ref] = gitstore.ReasonStale
		}
	}
	return reasons
}

// Missing implements gitstore.Backend. Ids that are no SHA-1 ids are missing.
func (e *Exec) Missing(id repo.ID, oids []repo.OID) ([]repo.OID, error) {
	path, err := e.layout.Open(id)
	if err != nil {
		return nil, err
	}
	return gitread.Missing(path, oids)
}

func isSHA1(oid repo.OID) bool { return len(oid) == len(repo.ZeroOID) && repo.IsOID(string(oid)) }

// Update implements gitstore.Backend.
func (e *Exec) Update(id repo.ID, commands []gitproto.Command, head string) error {
	path, err := e.layout.Open(id)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if head != "" && (!strings.HasPrefix(head, "refs/heads/") || !gitproto.CheckRefName(head)) {
		return fmt.Errorf("gitexec: HEAD cannot name %q", head)
	}
	if len(commands) > 0 {
		refs, err := refsIn(path)
		if err != nil {
			return err
		}
		if stale(refs, commands) != nil {
			return gitstore.ErrConflict
		}
		if err := e.layout.Settle(path); err != nil {
			return err
		}
		if err := e.updateRefs(ctx, path, commands); err != nil {
			return err
		}
	}
	if head == "" {
		return nil
	}
	if err := e.layout.WriteFile(filepath.Join(path, "HEAD"), ".lock", []byte(gitread.Symbolic+head+"\n")); err != nil {
		return fmt.Errorf("write HEAD: %w", err)
	}
	return nil
}

// updateRefs moves refs in one transaction, comparing old values once more: git update-ref does, but for what is plain. It refuses a ref
// whose name is a folder of one that goes, or the other way round, so what is in the way goes before, and comes back if the rest fails.
func (e *Exec) updateRefs(ctx context.Context, path string, commands []gitproto.Command) error {
	if first, rest := split(commands); len(first) > 0 {
		if err := e.updateRefs(ctx, path, first); err != nil {
			return err
		}
		err := e.updateRefs(ctx, path, rest)
		if err != nil {
			err = errors.Join(err, e.updateRefs(context.WithoutCancel(ctx), path, back(first)))
		}
		return err
	}
	if done, err := e.movePlain(path, commands); done || err != nil {
		if err != nil {
			err = fmt.Errorf("move refs: %w", err)
		}
		return err
	}
	var script bytes.Buffer
	for _, c := range commands {
		if !gitproto.CheckRefName(c.Ref) || !strings.HasPrefix(c.Ref, "refs/") || !isSHA1(c.Old) || !isSHA1(c.New) {
			return fmt.Errorf("gitexec: update of %q refused: not a ref or not an object id", c.Ref)
		}
		switch {
		case c.New.IsZero():
			fmt.Fprintf(&script, "delete %s\x00%s\x00", c.Ref, c.Old)
		case c.Old.IsZero():
			fmt.Fprintf(&script, "create %s\x00%s\x00", c.Ref, c.New)
		default:
			fmt.Fprintf(&script, "update %s\x00%s\x00%s\x00", c.Ref, c.New, c.Old)
		}
	}
	_, err := e.output(ctx, path, &script, "update-ref", "--no-deref", "-z", "--stdin")
	return errors.Join(err, e.syncRefs(path, commands))
}

// back undoes commands.
func back(commands []gitproto.Command) []gitproto.Command {
	undo := make([]gitproto.Command, len(commands))
	for i, c := range commands {
		undo[i] = gitproto.Command{Old: c.New, New: c.Old, Ref: c.Ref}
	}
	return undo
}
