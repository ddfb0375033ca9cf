package gitread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

const (
	// PackedName is the file in a repository that holds refs which have no file of their own.
	PackedName = "packed-refs"
	// Symbolic begins the content of a ref that names another one.
	Symbolic = "ref: "

	looseMax = repo.RefNameMax + 64 // bytes of a file that holds one ref
	chainMax = 5                    // symbolic refs that are followed, as in git
)

// A Table is the refs of a repository as they lie on the disk.
type Table struct {
	Refs   gitstore.Refs // what they say together
	Packed []repo.Ref    // those in packed-refs, sorted
	Loose  []Loose       // those in files of their own, sorted; they prevail over packed ones
}

// A Loose ref is one in a file of its own.
type Loose struct {
	Name   string
	oid    repo.OID // "" if the content is no id
	target string   // of a symbolic ref
}

// Symbolic reports whether a ref other than HEAD names another one.
func (t Table) Symbolic() bool {
	return slices.ContainsFunc(t.Loose, func(one Loose) bool { return one.target != "" })
}

// Refs reads the refs of a repository. Files go before packed-refs: git packs in the other order, so that none is
// missed. A file that holds no ref, which a crash may leave, hides the ref of its name, as in git.
func Refs(path string) (Table, error) {
	var t Table
	var err error
	if t.Refs.Head, err = readHead(path); err != nil {
		return Table{}, err
	}
	if t.Loose, err = readLooseRefs(path); err != nil {
		return Table{}, fmt.Errorf("read refs: %w", err)
	}
	if t.Packed, err = readPacked(path); err != nil {
		return Table{}, err
	}
	t.Refs.Refs = t.merge()
	return t, nil
}

// readHead returns the ref that HEAD names, "" if it names none.
func readHead(path string) (string, error) {
	head, err := os.ReadFile(filepath.Join(path, "HEAD"))
	if err != nil {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	target, _ := strings.CutPrefix(strings.TrimSpace(string(head)), Symbolic)
	if !gitproto.CheckRefName(target) {
		return "", nil
	}
	return target, nil
}

func readLooseRefs(path string) ([]Loose, error) {
	var list []Loose
	err := filepath.WalkDir(filepath.Join(path, "refs"), func(file string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // removed meanwhile
		}
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		local, err := filepath.Rel(path, file)
		if err != nil {
			return err
		}
		// A lock is no ref: its name says so.
		name := filepath.ToSlash(local)
		if !gitproto.CheckRefName(name) {
			return nil
		}
		one, err := readLooseRef(file, name)
		if err == nil {
			list = append(list, one)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	slices.SortFunc(list, func(a, b Loose) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}

func readLooseRef(file, name string) (Loose, error) {
	f, err := os.Open(file)
	if err != nil {
		return Loose{}, err
	}
	content, err := io.ReadAll(io.LimitReader(f, looseMax))
	if err = errors.Join(err, f.Close()); err != nil {
		return Loose{}, err
	}
	one, text := Loose{Name: name}, strings.TrimSpace(string(content))
	if target, ok := strings.CutPrefix(text, Symbolic); ok {
		one.target = target
	} else if isSHA1(text) {
		one.oid = repo.OID(text)
	}
	return one, nil
}

// readPacked reads packed-refs. What tags point to, which may stand there too, is passed over.
func readPacked(path string) ([]repo.Ref, error) {
	content, err := os.ReadFile(filepath.Join(path, PackedName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read packed refs: %w", err)
	}
	var refs []repo.Ref
	for line := range bytes.Lines(content) {
		text := strings.TrimSuffix(string(line), "\n")
		if text == "" || text[0] == '#' || text[0] == '^' {
			continue
		}
		oid, name, ok := strings.Cut(text, " ")
		if !ok || !isSHA1(oid) || !gitproto.CheckRefName(name) {
			return nil, fmt.Errorf("gitread: packed refs have a line %.80q", text)
		}
		refs = append(refs, repo.Ref{Name: name, OID: repo.OID(oid)})
	}
	if !slices.IsSortedFunc(refs, compareRefs) {
		slices.SortStableFunc(refs, compareRefs)
	}
	return slices.CompactFunc(refs, func(a, b repo.Ref) bool { return a.Name == b.Name }), nil
}

func compareRefs(a, b repo.Ref) int { return strings.Compare(a.Name, b.Name) }

func isSHA1(text string) bool { return len(text) == len(repo.ZeroOID) && repo.IsOID(text) }

// merge returns all refs with what they point to.
func (t Table) merge() []repo.Ref {
	packed := t.Packed
	refs := make([]repo.Ref, 0, len(packed)+len(t.Loose))
	for _, one := range t.Loose {
		for len(packed) > 0 && packed[0].Name < one.Name {
			refs, packed = append(refs, packed[0]), packed[1:]
		}
		if len(packed) > 0 && packed[0].Name == one.Name {
			packed = packed[1:]
		}
		if oid, ok := t.resolve(one); ok {
			refs = append(refs, repo.Ref{Name: one.Name, OID: oid})
		}
	}
	return append(refs, packed...)
}

// resolve follows symbolic refs. A ref of no value is none.
func (t Table) resolve(one Loose) (repo.OID, bool) {
	for range chainMax {
		if one.target == "" {
			return one.oid, one.oid != ""
		}
		i, found := slices.BinarySearchFunc(t.Loose, one.target, func(l Loose, name string) int {
			return strings.Compare(l.Name, name)
		})
		if !found {
			oid := gitstore.Refs{Refs: t.Packed}.At(one.target)
			return oid, !oid.IsZero()
		}
		one = t.Loose[i]
	}
	return "", false
}
