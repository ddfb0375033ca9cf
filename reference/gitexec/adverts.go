package gitexec

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
)

// Limits of the advertisements that are kept.
const (
	advertsMax     = 256      // of them
	advertBytesMax = 16 << 10 // of one; a longer one is git's to write each time
)

// adverts are the last words of git upload-pack about the refs of repositories. What it says follows from the refs, and from
// objects that never change: where the refs are as they were, no process has to say it again.
type adverts struct {
	mu     sync.Mutex // guards all below
	said   map[advertKey][]byte
	offers map[shape]gitproto.Capabilities // what it offers beside the refs; see compose
}

type advertKey [sha256.Size]byte

// keyOf names what an advertisement depends on. All repositories without a ref are the same to git, and no ref is in
// what version 2 begins with.
func keyOf(path string, version int, refs gitstore.Refs) advertKey {
	if version == 2 {
		path, refs = "", gitstore.Refs{}
	}
	if len(refs.Refs) == 0 {
		path = ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %q\n", path, version, refs.Head)
	for _, ref := range refs.Refs {
		fmt.Fprintf(h, "%q %s\n", ref.Name, ref.OID)
	}
	return advertKey(h.Sum(nil))
}

func (a *adverts) get(key advertKey) ([]byte, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	text, ok := a.said[key]
	return text, ok
}

// keep remembers an advertisement; with one too many it forgets all others.
func (a *adverts) keep(key advertKey, text []byte) {
	if len(text) > advertBytesMax {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.said == nil || len(a.said) >= advertsMax {
		a.said = make(map[advertKey][]byte)
	}
	a.said[key] = slices.Clone(text)
}

// A copied keeps what is written to it, as far as it may be kept.
type copied struct{ text []byte }

// Write keeps all of p, and one byte more than may be kept at most.
func (c *copied) Write(p []byte) (int, error) {
	c.text = append(c.text, p[:min(len(p), advertBytesMax+1-len(c.text))]...)
	return len(p), nil
}
