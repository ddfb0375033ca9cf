package gitexec

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Refs implements gitstore.Backend.
func (e *Exec) Refs(id repo.ID) (gitstore.Refs, error) {
	path, err := e.layout.Open(id)
	if err != nil {
		return gitstore.Refs{}, err
	}
	return e.refs(context.Background(), path)
}

func (e *Exec) refs(ctx context.Context, path string) (gitstore.Refs, error) {
	head, err := os.ReadFile(filepath.Join(path, "HEAD"))
	if err != nil {
		return gitstore.Refs{}, fmt.Errorf("read HEAD: %w", err)
	}
	var refs gitstore.Refs
	if target, ok := strings.CutPrefix(strings.TrimSpace(string(head)), "ref: "); ok {
		refs.Head = target
	}
	out, err := e.output(ctx, path, nil, "for-each-ref", "--format=%(objectname) %(refname)")
	if err != nil {
		return gitstore.Refs{}, err
	}
	for line := range strings.Lines(string(out)) {
		oid, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || !repo.IsOID(oid) {
			return gitstore.Refs{}, fmt.Errorf("gitexec: git lists a ref as %.80q", line)
		}
		refs.Refs = append(refs.Refs, repo.Ref{Name: name, OID: repo.OID(oid)})
	}
	slices.SortFunc(refs.Refs, func(a, b repo.Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs, nil
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
	var ask bytes.Buffer
	for _, oid := range oids {
		if isSHA1(oid) {
			ask.WriteString(string(oid) + "\n")
		}
	}
	present := map[string]bool{}
	if ask.Len() > 0 {
		out, err := e.output(context.Background(), path, &ask, "cat-file", "--batch-check=%(objectname)")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			present[strings.TrimSuffix(line, "\n")] = true // a missing one is followed by the word "missing"
		}
	}
	var missing []repo.OID
	for _, oid := range oids {
		if !present[string(oid)] {
			missing = append(missing, oid)
		}
	}
	return missing, nil
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
		refs, err := e.refs(ctx, path)
		if err != nil {
			return err
		}
		if stale(refs, commands) != nil {
			return gitstore.ErrConflict
		}
		if err := e.updateRefs(ctx, path, commands); err != nil {
			return err
		}
	}
	if head == "" {
		return nil
	}
	_, err = e.output(ctx, path, nil, "symbolic-ref", "HEAD", head)
	return err
}

// updateRefs moves refs in one transaction, comparing old values once more.
func (e *Exec) updateRefs(ctx context.Context, path string, commands []gitproto.Command) error {
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
	return err
}
