// Package gitlayout is the folder of bare repositories that every store on disk uses: where a repository lies, how it
// is made, removed and found again, and what a crash may leave in it. Two stores may open the same folder one after the
// other, never at once. It reads and writes no objects and no refs.
package gitlayout

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
	"sync"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// removedName is the folder beside those of the npubs that holds repositories while they are deleted.
const removedName = ".removed"

// contributionsName is the folder that holds the places for contributions, by npub as all others.
const contributionsName = "prs"

const (
	suffix = ".git"
	// nameMax is the longest file name that every usual file system takes.
	nameMax = 255
	// hashedPrefix marks folders whose names are hashes, because the encoded identifier is too long: a percent sign
	// that no encoding produces. identifierName is the file inside that holds the identifier.
	hashedPrefix   = "%-"
	identifierName = "graspkit-identifier"
)

// A Layout is a folder of repositories. It is safe for use by many goroutines; while a repository is removed, nobody
// else may be working on it.
type Layout struct {
	info fs.FileInfo // of the folder, as it was opened
	dir  string
	sync Syncer

	// mu is held while folders of repositories are made and removed: two of them may share the owner's folder.
	mu sync.Mutex

	settled settled
	account account
	locks   locks
	readers readers
}

// Options are the settings of a Layout.
type Options struct {
	Sync  Syncer // makes durable what is written; default ToDisk
	Quota Quota
}

// New returns the layout of a folder, which it makes if it is not there.
func New(dir string, options Options) (*Layout, error) {
	if options.Sync == nil {
		options.Sync = ToDisk{}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("repository folder: %w", err)
	}
	if err := MakeDir(options.Sync, dir); err != nil {
		return nil, fmt.Errorf("make repository folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("repository folder: %w", err)
	}
	places := filepath.Join(dir, contributionsName)
	return &Layout{dir: dir, info: info, sync: options.Sync, account: account{quota: options.Quota, places: places}}, nil
}

// errMoved is why nothing may be kept in a folder that is not the one that was opened.
var errMoved = errors.New("it is not there any more, was it moved or deleted?")

// Room fails if the folder of all repositories is gone, or another one has its place: what is acknowledged then would be nowhere once the
// right one is back.
func (l *Layout) Room() error {
	now, err := os.Stat(l.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !os.SameFile(now, l.info):
		return fmt.Errorf("repository folder %s: %w", l.dir, errMoved)
	case err != nil:
		return fmt.Errorf("repository folder: %w", err)
	}
	return nil
}

// Dir returns the absolute path of the folder.
func (l *Layout) Dir() string { return l.dir }

// path returns the folder of a repository. The identifier was checked where it came in; here it is made sure once
// more that the path stays inside the store (G01-GIT-16).
func (l *Layout) path(id repo.ID) (string, error) {
	if reason := repo.CheckID(id); reason != "" {
		return "", fmt.Errorf("gitlayout: identifier refused: %s", reason)
	}
	if _, err := repo.ParsePubKey(string(id.Owner)); err != nil {
		return "", fmt.Errorf("gitlayout: owner refused: %w", err)
	}
	identifier, contribution := id.ContributionTo()
	local := filepath.Join(id.Owner.Npub(), folderName(identifier))
	if !filepath.IsLocal(local) || strings.Count(local, string(filepath.Separator)) != 1 {
		return "", fmt.Errorf("gitlayout: path %q leaves the store", local)
	}
	if contribution {
		local = filepath.Join(contributionsName, local)
	}
	return filepath.Join(l.dir, local), nil
}

// above lists the folders above that of a repository, from the top.
func (l *Layout) above(path string) []string {
	dirs := []string{l.dir}
	if l.account.contributed(path) {
		dirs = append(dirs, l.account.places)
	}
	return append(dirs, filepath.Dir(path))
}

func folderName(identifier string) string {
	name := repo.EncodeIdentifier(identifier) + suffix
	if len(name) <= nameMax {
		return name
	}
	sum := sha256.Sum256([]byte(identifier))
	return hashedPrefix + hex.EncodeToString(sum[:]) + suffix
}

// Open returns the folder of a complete repository, or gitstore.ErrNoRepository.
func (l *Layout) Open(id repo.ID) (string, error) {
	path, err := l.path(id)
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

// Create is what gitstore.Backend.Create does. Every step may be repeated, and HEAD comes last, after the names of all
// folders are durable: a repository without it is half-made.
func (l *Layout) Create(id repo.ID) error {
	path, err := l.path(id)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, dir := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		if err := os.MkdirAll(filepath.Join(path, filepath.FromSlash(dir)), 0o755); err != nil {
			return fmt.Errorf("create repository: %w", err)
		}
	}
	if _, err := os.Stat(filepath.Join(path, "HEAD")); err != nil {
		for _, dir := range append(l.above(path), path, filepath.Join(path, "objects"), filepath.Join(path, "refs")) {
			if err := l.sync.Dir(dir); err != nil {
				return fmt.Errorf("create repository: %w", err)
			}
		}
	}
	files := []struct{ name, content string }{{configName, config}, {"HEAD", "ref: " + repo.HeadNew + "\n"}}
	if strings.HasPrefix(filepath.Base(path), hashedPrefix) {
		identifier, _ := id.ContributionTo()
		files = slices.Insert(files, 0, struct{ name, content string }{identifierName, identifier})
	}
	for _, file := range files {
		path := filepath.Join(path, file.name)
		if info, err := os.Stat(path); err == nil && info.Size() > 0 {
			continue
		}
		if err := l.WriteFile(path, ".new", []byte(file.content)); err != nil {
			return fmt.Errorf("create repository: %w", err)
		}
	}
	return nil
}

// config is the configuration of a new repository.
const (
	configName = "config"
	config     = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"
)

// Plain reports whether nobody has changed by hand how git sees a repository: its configuration is the one of a new one,
// and it is not a shallow one.
func Plain(path string) bool {
	content, err := os.ReadFile(filepath.Join(path, configName))
	if err != nil || string(content) != config {
		return false
	}
	_, err = os.Lstat(filepath.Join(path, "shallow"))
	return errors.Is(err, fs.ErrNotExist)
}

// Remove is what gitstore.Backend.Remove does: the repository is renamed away, durably, then deleted.
func (l *Layout) Remove(id repo.ID) error {
	path, err := l.path(id)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := os.MkdirAll(filepath.Join(l.dir, removedName), 0o700); err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	l.settled.forget(path)
	away, err := os.MkdirTemp(filepath.Join(l.dir, removedName), "")
	if err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	if err := os.Rename(path, filepath.Join(away, "repository")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove repository: %w", err)
	}
	// The owner's folder goes with its last repository, and that of all contributions too; that it is not empty is the usual case.
	above := l.above(path)
	slices.Reverse(above)
	for _, dir := range above[:len(above)-1] {
		_ = os.Remove(dir)
	}
	for _, dir := range above {
		if err := l.sync.Dir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove repository: %w", err)
		}
	}
	if err := os.RemoveAll(away); err != nil {
		return fmt.Errorf("remove repository: %w", err)
	}
	l.account.forget(path)
	return nil
}

// Repositories is what gitstore.Backend.Repositories does. It lists half-made repositories too; whatever else lies in
// the folder is passed over.
func (l *Layout) Repositories() ([]repo.ID, error) {
	ids, err := l.repositoriesIn(l.dir)
	if err != nil {
		return nil, err
	}
	places, err := l.repositoriesIn(l.account.places)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, id := range places {
		ids = append(ids, repo.Contribution(id.Owner, id.Identifier))
	}
	slices.SortFunc(ids, repo.ID.Compare)
	return ids, nil
}

// repositoriesIn lists the repositories below a folder of folders named by npubs.
func (l *Layout) repositoriesIn(dir string) ([]repo.ID, error) {
	owners, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("list repositories: %w", err)
	}
	var ids []repo.ID
	for _, owner := range owners {
		key, err := repo.ParseNpub(owner.Name())
		if err != nil || !owner.IsDir() {
			continue
		}
		folders, err := os.ReadDir(filepath.Join(dir, owner.Name()))
		if err != nil {
			return nil, fmt.Errorf("list repositories: %w", err)
		}
		for _, folder := range folders {
			if identifier, ok := identifierOf(filepath.Join(dir, owner.Name(), folder.Name())); ok && folder.IsDir() {
				ids = append(ids, repo.ID{Owner: key, Identifier: identifier})
			}
		}
	}
	return ids, nil
}

// identifierOf is the reverse of folderName, of the folder at a path.
func identifierOf(path string) (string, bool) {
	folder := filepath.Base(path)
	name, ok := strings.CutSuffix(folder, suffix)
	if !ok {
		return "", false
	}
	identifier, err := url.PathUnescape(name)
	if strings.HasPrefix(folder, hashedPrefix) {
		var content []byte
		content, err = os.ReadFile(filepath.Join(path, identifierName))
		identifier = string(content)
	}
	return identifier, err == nil && repo.CheckIdentifier(identifier) == "" && folderName(identifier) == folder
}
