package gitexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// fetchName is the folder beside those of the repositories where fetched packs are held until they are judged. It is
// not in a repository, whose own leftovers may be swept away while a fetch is under way.
const fetchName = ".fetch"

// Take implements gitstore.Backend. git index-pack takes the whole pack, and only if nothing that any of its objects
// names is missing; git rev-list makes sure of what the wanted objects reach. So what a repository has is always whole.
func (e *Exec) Take(c gitstore.Cancel, id repo.ID, wants []repo.OID, pack io.Reader) (gitstore.Taking, error) {
	path, err := e.layout.Open(id)
	if err != nil {
		return gitstore.Taking{}, err
	}
	ctx := contextOf(c)
	h, err := e.hold(c, path, pack)
	if err != nil {
		return gitstore.Taking{}, err
	}
	defer h.close()
	defer e.layout.Lock(id)() // what it builds on stays until it is there
	if err := ctx.Err(); err != nil {
		return gitstore.Taking{}, err
	}
	if h.screen.Refused == "" {
		if h.screen.Refused, err = e.layout.Reserve(path, h.screen.Bytes, h.screen.Objects); err != nil {
			return gitstore.Taking{}, err
		}
	}
	if h.screen.Refused != "" {
		missing, err := e.Missing(id, wants)
		return gitstore.Taking{Missing: missing, Refused: h.screen.Refused}, err
	}
	taking, err := e.takeIn(ctx, id, path, wants, h)
	if err != nil || taking.Refused != "" {
		e.layout.Release(path, h.screen.Bytes, h.screen.Objects)
	}
	return taking, err
}

// takeIn does what Take says with a pack that is held.
func (e *Exec) takeIn(ctx context.Context, id repo.ID, path string, wants []repo.OID, h held) (gitstore.Taking, error) {
	quarantine, err := os.MkdirTemp(filepath.Join(e.layout.Dir(), fetchName), "pack-")
	if err != nil {
		return gitstore.Taking{}, fmt.Errorf("quarantine of a pack: %w", err)
	}
	defer os.RemoveAll(quarantine)
	refused, err := e.indexPack(ctx, path, quarantine, h)
	if err == nil && refused == "" {
		refused, err = e.connected(ctx, path, quarantine, wants)
	}
	if err != nil {
		return gitstore.Taking{}, err
	}
	if refused == "" {
		if err := e.migrate(filepath.Join(quarantine, "pack"), filepath.Join(path, "objects", "pack")); err != nil {
			return gitstore.Taking{}, fmt.Errorf("store pack: %w", err)
		}
	}
	missing, err := e.Missing(id, wants)
	return gitstore.Taking{Missing: missing, Refused: refused}, err
}

// indexPack reads a pack into quarantine. It returns why the pack is refused, or "".
func (e *Exec) indexPack(ctx context.Context, path, quarantine string, pack held) (refused string, err error) {
	if err := os.Mkdir(filepath.Join(quarantine, "pack"), 0o700); err != nil {
		return "", err
	}
	git, err := e.child(ctx, e.receives, path, "index-pack", "--stdin", "--fix-thin", "--strict="+strings.Join(warts(), "=ignore,")+"=ignore",
		"--max-input-size="+strconv.FormatInt(e.options.Limits.PackMax, 10))
	if err != nil {
		return "", err
	}
	defer git.release()
	git.quarantined(path, quarantine)
	git.processor = e.processor(pack)
	in, err := git.cmd.StdinPipe()
	if err != nil {
		return "", fmt.Errorf("git index-pack: %w", err)
	}
	if err := git.start(); err != nil {
		return "", err
	}
	// As in receivePack: that the copy fails says only that git has ended before, and says itself why.
	_, _ = io.Copy(in, pack.reader())
	_ = in.Close()
	refused, err = git.verdict(ctx, "the pack is broken or incomplete")
	if refused != "" {
		refused = reason(git.told(e.layout.Dir()), refused)
	}
	return refused, err
}

// connected makes sure that everything is there that those wanted objects reach which the quarantine holds.
func (e *Exec) connected(ctx context.Context, path, quarantine string, wants []repo.OID) (refused string, err error) {
	var ask bytes.Buffer
	for _, oid := range wants {
		if isSHA1(oid) {
			ask.WriteString(string(oid) + "\n")
		}
	}
	if ask.Len() == 0 {
		return "", nil
	}
	there, err := e.child(ctx, e.queries, path, "cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return "", err
	}
	there.quarantined(path, quarantine)
	there.cmd.Stdin = &ask
	out, err := there.output()
	there.release()
	if err != nil {
		return "", err
	}
	var tips bytes.Buffer
	for line := range strings.Lines(string(out)) {
		if repo.IsOID(strings.TrimSuffix(line, "\n")) {
			tips.WriteString(line)
		}
	}
	if tips.Len() == 0 {
		return "", nil
	}
	walk, err := e.child(ctx, e.queries, path, "rev-list", "--objects", "--stdin", "--not", "--all", "--quiet")
	if err != nil {
		return "", err
	}
	defer walk.release()
	walk.quarantined(path, quarantine)
	walk.cmd.Stdin = &tips
	if err := walk.start(); err != nil {
		return "", err
	}
	return walk.verdict(ctx, gitstore.ReasonMissing)
}

// quarantined lets a git process write objects to a quarantine, and see those of the repository behind them.
func (c *child) quarantined(path, quarantine string) {
	c.cmd.Env = append(c.cmd.Env,
		"GIT_OBJECT_DIRECTORY="+quarantine,
		"GIT_ALTERNATE_OBJECT_DIRECTORIES="+quote(filepath.Join(path, "objects")))
}

// quote makes a path one entry of a list of paths, whatever is in it.
func quote(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path) + `"`
}

// verdict waits for a process whose failure means that what it was given is refused, unless it was killed.
func (c *child) verdict(ctx context.Context, reason string) (refused string, err error) {
	err = c.cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return "", nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &exit) && exit.Exited():
		return reason, nil
	}
	return "", c.fault(err)
}

// migrate moves a pack into a repository, its index last: git takes no notice of a pack without.
func (e *Exec) migrate(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	for _, name := range names {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return e.layout.SyncDir(to)
}

func rank(name string) int {
	switch filepath.Ext(name) {
	case ".pack":
		return 0
	case ".idx":
		return 2
	}
	return 1
}

// openFetches makes the folder of fetched packs, without those that a crash has left in it.
func (e *Exec) openFetches() error {
	dir := filepath.Join(e.layout.Dir(), fetchName)
	if err := os.RemoveAll(dir); err != nil {
		return fmt.Errorf("remove packs of a crash: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make folder of fetched packs: %w", err)
	}
	return nil
}
