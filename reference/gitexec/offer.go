package gitexec

import (
	"bytes"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitread"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A shape is what the offer of git depends on in versions 0 and 1, but for the name of the branch in it.
type shape struct {
	version int
	head    bool // HEAD names a branch that is there
}

// headOffer begins the word of an offer that names the branch of HEAD.
const headOffer = "symref=HEAD:"

// composedMax is how many refs an advertisement may have that is not git's own: each of their objects is looked at.
const composedMax = 64

// bare reports whether an advertisement of these refs is a list of them and nothing more: HEAD names a branch, and every
// object is there and no tag, behind which git would write what it points to. Of an object that is in a pack it does not
// know, and says no. What git says of no ref at all is its own affair.
func bare(path string, refs gitstore.Refs) bool {
	if refs.Head == "" || len(refs.Refs) == 0 || len(refs.Refs) > composedMax {
		return false
	}
	return !slices.ContainsFunc(refs.Refs, func(ref repo.Ref) bool {
		kind, err := gitread.Kind(path, ref.OID)
		return err != nil || kind == "" || kind == "tag"
	})
}

// learn keeps what git has offered beside bare refs, if with them it makes the very text that git has written.
func (a *adverts) learn(version int, refs gitstore.Refs, text []byte) {
	_, rest, _ := bytes.Cut(text, []byte{0})
	line, _, found := bytes.Cut(rest, []byte{'\n'})
	if !found {
		return
	}
	offer := gitproto.ParseCapabilities(string(line))
	for i, word := range offer {
		if strings.HasPrefix(word, headOffer) {
			offer[i] = headOffer
		}
	}
	if !bytes.Equal(composed(version, refs, offer), text) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.offers == nil {
		a.offers = make(map[shape]gitproto.Capabilities)
	}
	a.offers[shapeOf(version, refs)] = offer
}

// compose writes what git would say of bare refs, once it has said what else belongs there.
func (a *adverts) compose(version int, refs gitstore.Refs) (text []byte, ok bool) {
	a.mu.Lock()
	offer, ok := a.offers[shapeOf(version, refs)]
	a.mu.Unlock()
	if !ok {
		return nil, false
	}
	return composed(version, refs, offer), true
}

func shapeOf(version int, refs gitstore.Refs) shape {
	return shape{version, !refs.At(refs.Head).IsZero()}
}

func composed(version int, refs gitstore.Refs, offer gitproto.Capabilities) []byte {
	said := gitproto.Advertisement{Service: gitproto.UploadPackService, Version: version, Offer: slices.Clone(offer)}
	for i, word := range offer {
		if word == headOffer {
			said.Offer[i] = headOffer + refs.Head
		}
	}
	if head := refs.At(refs.Head); !head.IsZero() {
		said.Head = head
	}
	for _, ref := range refs.Refs {
		said.Refs = append(said.Refs, gitproto.AdvertisedRef{Ref: ref})
	}
	var text bytes.Buffer
	_ = said.Write(&text) // a buffer takes all
	return text.Bytes()
}
