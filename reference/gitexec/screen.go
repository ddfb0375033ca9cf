package gitexec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/graspkit/graspkit/reference/gitspool"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// spoolName is the folder beside those of the repositories where packs wait until they are there whole, and answers until the
// client has taken them.
const spoolName = ".spool"

// A held pack is there whole and has been screened: git neither waits for who sends it nor meets what costs far more than its
// bytes.
type held struct {
	spool  *gitspool.Spool
	screen gitstore.Screening
}

// hold reads a pack to its end. It must be closed.
func (e *Exec) hold(c gitstore.Cancel, path string, pack io.Reader) (held, error) {
	h := held{spool: e.packs.Open()}
	looked := 0
	kind := func(oid repo.OID) (gitstore.ObjectType, bool) {
		if looked++; looked > kindsMax {
			return 0, false
		}
		return e.kindOf(contextOf(c), path, oid)
	}
	var err error
	h.screen, err = gitstore.Screen(c, pack, e.options.Limits, kind, h.spool)
	switch {
	case errors.Is(err, gitspool.ErrFull):
		h.screen.Refused = gitspool.Busy
	case err != nil:
		return held{}, errors.Join(fmt.Errorf("hold pack: %w", err), h.spool.Close())
	}
	return h, nil
}

func (h held) close() {
	_ = h.spool.Close() // what is left goes at the next start
}

// reader returns the pack.
func (h held) reader() io.Reader { return io.NewSectionReader(h.spool, 0, h.spool.Len()) }

// kindsMax is how many objects are looked up of one pack.
const kindsMax = 64

// kindOf returns what an object of a repository is.
func (e *Exec) kindOf(ctx context.Context, path string, oid repo.OID) (gitstore.ObjectType, bool) {
	out, err := e.output(ctx, path, strings.NewReader(string(oid)+"\n"), "cat-file", "--batch-check=%(objecttype)")
	if err != nil {
		return 0, false
	}
	for _, kind := range []gitstore.ObjectType{gitstore.Commit, gitstore.Tree, gitstore.Blob, gitstore.Tag} {
		if kind.String() == string(bytes.TrimSpace(out)) {
			return kind, true
		}
	}
	return 0, false
}

// What processor time the git process gets that takes a pack in: some in any case, and more for what there is to unpack.
const (
	packProcessor = 5 * time.Second
	packPace      = 4 << 20 // bytes a second
)

// processor returns the limit of processor time for who takes a pack in.
func (e *Exec) processor(h held) time.Duration {
	return min(e.options.Processor, packProcessor+time.Duration(h.screen.Work/packPace)*time.Second)
}
