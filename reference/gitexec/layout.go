package gitexec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Names inside the store's folder, besides one folder for each npub.
const (
	homeName    = ".home"    // HOME of git processes; stays empty
	removedName = ".removed" // repositories that are being deleted
)

const (
	suffix = ".git"
	// nameMax is the longest file name that every usual file system takes.
	nameMax = 255
	// hashedPrefix marks folders whose names are hashes, because the encoded identifier is too long: a percent sign
	// that no encoding produces. identifierName is the file inside that holds the identifier.
	hashedPrefix   = "%-"
	identifierName = "graspkit-identifier"
)

// path returns the folder of a repository. The identifier was checked where it came in; here it is made sure once
// more that the path stays inside the store.
func (e *Exec) path(id repo.ID) (string, error) {
	if reason := repo.CheckIdentifier(id.Identifier); reason != "" {
		return "", fmt.Errorf("gitexec: identifier refused: %s", reason)
	}
	if _, err := repo.ParsePubKey(string(id.Owner)); err != nil {
		return "", fmt.Errorf("gitexec: owner refused: %w", err)
	}
	local := filepath.Join(id.Owner.Npub(), folderName(id.Identifier))
	if !filepath.IsLocal(local) || strings.Count(local, string(filepath.Separator)) != 1 {
		return "", fmt.Errorf("gitexec: path %q leaves the store", local)
	}
	return filepath.Join(e.dir, local), nil
}

func folderName(identifier string) string {
	name := repo.EncodeIdentifier(identifier) + suffix
	if len(name) <= nameMax {
		return name
	}
	sum := sha256.Sum256([]byte(identifier))
	return hashedPrefix + hex.EncodeToString(sum[:]) + suffix
}

// open returns the folder of a complete repository, or gitstore.ErrNoRepository.
func (e *Exec) open(id repo.ID) (string, error) {
	path, err := e.path(id)
	if err != nil {
		return "", err
	}
	// HEAD is written last.
	if _, err := os.Stat(filepath.Join(path, "HEAD")); errors.Is(err, fs.ErrNotExist) {
		return "", gitstore.ErrNoRepository
	} else if err != nil {
		return "", fmt.Errorf("open repository: %w", err)
	}
	return path, nil
}

// Create implements gitstore.Backend. Every step may be repeated, and HEAD comes last: a repository without it is
// half-made.
func (e *Exec) Create(id repo.ID) error {
	path, err := e.path(id)
	if err != nil {
		return err
	}
	e.layout.Lock()
	defer e.layout.Unlock()
	for _, dir := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(path, filepath.FromSlash(dir)), 0o755); err != nil {
			return fmt.Errorf("create repository: %w", err)
		}
	}
	const config = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
	files := []struct{ name, content string }{{"config", config}, {"HEAD", "ref: refs/heads/main\n"}}
	if strings.HasPrefix(filepath.Base(path), hashedPrefix) {
		files = slices.Insert(files, 0, struct{ name, content string }{identifierName, id.Identifier})
	}
	for _, file := range files {
		if err := writeMissing(filepath.Join(path, file.name), file.content); err != nil {
			return fmt.Errorf("create repository: %w", err)
		}
	}
	return nil
}

// writeMissing makes a file that is not there, whole or not at all.
func writeMissing(path, content string) error {
	if info, err := os.Stat(path); err == nil && info.Size() > 0 {
		return nil
	}
	half := path + ".new"
	f, err := os.Create(half)
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(half, path)
}

// Remove implements gitstore.Backend: the repository is renamed away, then deleted.
func (e *Exec) Remove(id repo.ID) error {
	path, err := e.path(id)
	if err != nil {
		return err
	}
	e.layout.Lock()
	defer e.layout.Unlock()
	if err := os.MkdirAll(filepath.Join(e.dir, removedName), 0o700); err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	away, err := os.MkdirTemp(filepath.Join(e.dir, removedName), "")
	if err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	if err := os.Rename(path, filepath.Join(away, "repository")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove repository: %w", err)
	}
	// The owner's folder goes with its last repository; that it is not empty is the usual case.
	_ = os.Remove(filepath.Dir(path))
	if err := os.RemoveAll(away); err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	return nil
}

// Repositories implements gitstore.Backend. It lists half-made repositories too; whatever else lies in the folder is
// passed over.
func (e *Exec) Repositories() ([]repo.ID, error) {
	owners, err := os.ReadDir(e.dir)
	if err != nil {
		return nil, fmt.Errorf("list repositories: %w", err)
	}
	var ids []repo.ID
	for _, owner := range owners {
		key, err := repo.ParseNpub(owner.Name())
		if err != nil || !owner.IsDir() {
			continue
		}
		folders, err := os.ReadDir(filepath.Join(e.dir, owner.Name()))
		if err != nil {
			return nil, fmt.Errorf("list repositories: %w", err)
		}
		for _, folder := range folders {
			if identifier, ok := e.identifier(owner.Name(), folder.Name()); ok && folder.IsDir() {
				ids = append(ids, repo.ID{Owner: key, Identifier: identifier})
			}
		}
	}
	slices.SortFunc(ids, repo.ID.Compare)
	return ids, nil
}

// identifier is the reverse of folderName.
func (e *Exec) identifier(owner, folder string) (string, bool) {
	name, ok := strings.CutSuffix(folder, suffix)
	if !ok {
		return "", false
	}
	identifier, err := url.PathUnescape(name)
	if strings.HasPrefix(folder, hashedPrefix) {
		var content []byte
		content, err = os.ReadFile(filepath.Join(e.dir, owner, folder, identifierName))
		identifier = string(content)
	}
	return identifier, err == nil && repo.CheckIdentifier(identifier) == "" && folderName(identifier) == folder
}
