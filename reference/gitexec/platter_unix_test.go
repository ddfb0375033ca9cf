//go:build unix

package gitexec_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/graspkit/graspkit/reference/gitlayout"
)

// A platter is a Syncer that remembers what was synced and nothing else: of each folder the names that it had then, of each
// file its content. It keeps all of them open, so that no number of theirs is given to another one.
type platter struct {
	t     *testing.T
	root  string
	ofGit func(name string) bool // files that git has synced before they got their names

	mu    sync.Mutex // guards all below
	held  []*os.File
	dirs  map[uint64]map[string]node // names, by the number of the folder
	files map[uint64]string          // content
}

// A node is what a name stands for.
type node struct {
	number uint64
	folder bool
}

var _ gitlayout.Syncer = (*platter)(nil)

func newPlatter(t *testing.T, ofGit func(name string) bool) *platter {
	t.Helper()
	p := &platter{t: t, root: t.TempDir(), ofGit: ofGit, dirs: map[uint64]map[string]node{}, files: map[uint64]string{}}
	t.Cleanup(func() {
		for _, f := range p.held {
			_ = f.Close()
		}
	})
	return p
}

// hold keeps a file open and returns its number and its content.
func (p *platter) hold(name string) (number uint64, content string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, "", err
	}
	p.held = append(p.held, f)
	info, err := f.Stat()
	if err != nil {
		return 0, "", err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, "", errors.ErrUnsupported
	}
	if info.Mode().IsRegular() {
		text, err := os.ReadFile(name)
		if err != nil {
			return 0, "", err
		}
		content = string(text)
	}
	return stat.Ino, content, nil
}

// File implements gitlayout.Syncer.
func (p *platter) File(f *os.File) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	number, content, err := p.hold(f.Name())
	p.files[number] = content
	return err
}

// Dir implements gitlayout.Syncer.
func (p *platter) Dir(path string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	number, _, err := p.hold(path)
	if err != nil {
		return err
	}
	names := map[string]node{}
	for _, entry := range entries {
		name := filepath.Join(path, entry.Name())
		number, content, err := p.hold(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // a temporary one
		}
		if err != nil {
			return err
		}
		names[entry.Name()] = node{number, entry.IsDir()}
		if inside, _ := filepath.Rel(p.root, name); !entry.IsDir() && p.ofGit(filepath.ToSlash(inside)) {
			p.files[number] = content
		}
	}
	p.dirs[number] = names
	return nil
}

// lose returns a folder with what there is after the power has failed: a name that was not synced is not there, a file that
// was not is empty.
func (p *platter) lose() string {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	number, _, err := p.hold(p.root)
	if err != nil {
		p.t.Fatal(err)
	}
	dir := p.t.TempDir()
	p.bring(number, dir)
	return dir
}

func (p *platter) bring(folder uint64, dir string) {
	p.t.Helper()
	for name, is := range p.dirs[folder] {
		path := filepath.Join(dir, name)
		var err error
		if is.folder {
			err = os.Mkdir(path, 0o755)
			p.bring(is.number, path)
		} else {
			err = os.WriteFile(path, []byte(p.files[is.number]), 0o644)
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// underObjects is what git writes of a repository, but for refs.
func underObjects(name string) bool { return strings.Contains(name, ".git/objects/") }

func nothing(string) bool { return false }

func everything(string) bool { return true }
