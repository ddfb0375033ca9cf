package gitstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// A Source gives the objects of one repository by id, as go-git's storers do. Both methods return an error that is
// plumbing.ErrObjectNotFound for an object that is not there; any other error means that the store itself failed.
type Source interface {
	EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error)
	HasEncodedObject(id plumbing.Hash) error
}

// An object is what a source holds under an id. Its own Hash method is not asked: go-git computes it anew.
type object struct {
	plumbing.EncodedObject
	id plumbing.Hash
}

// objects is a set of objects. With a base it is a quarantine: what is not in it is looked up in the base. A walk
// treats what a source cannot give as missing; failure then says that it was no absence, and must be asked for before
// anything is concluded.
type objects struct {
	source  Source
	base    *objects
	failure error // the first one
}

// failed returns the first failure of the source or its base.
func (o *objects) failed() error {
	if o.failure == nil && o.base != nil {
		return o.base.failed()
	}
	return o.failure
}

func (o *objects) note(err error, h plumbing.Hash) {
	if o.failure == nil {
		o.failure = fmt.Errorf("read object %s: %w", h, err)
	}
}

func (o *objects) get(h plumbing.Hash) (object, bool) {
	found, err := o.source.EncodedObject(plumbing.AnyObject, h)
	switch {
	case err == nil:
		return object{found, h}, true
	case !errors.Is(err, plumbing.ErrObjectNotFound):
		o.note(err, h)
	case o.base != nil:
		return o.base.get(h)
	}
	return object{}, false
}

func (o *objects) has(h plumbing.Hash) bool {
	err := o.source.HasEncodedObject(h)
	switch {
	case err == nil:
		return true
	case !errors.Is(err, plumbing.ErrObjectNotFound):
		o.note(err, h)
	case o.base != nil:
		return o.base.has(h)
	}
	return false
}

// data returns the content of an object, nil if it cannot be read.
func (o *objects) data(x object) []byte {
	if s, ok := x.EncodedObject.(*stored); ok && s.reopen == nil {
		return s.Data
	}
	data, err := readAll(x)
	if err != nil {
		o.note(err, x.id)
	}
	return data
}

func readAll(x plumbing.EncodedObject) ([]byte, error) {
	r, err := x.Reader()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(int(min(x.Size(), growMax)) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(r, x.Size()+1))
	if err = errors.Join(err, r.Close()); err == nil && int64(b.Len()) != x.Size() {
		err = errSize
	}
	if err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

var errSize = errors.New("the content of an object has another size than announced")

func (o *objects) commit(h plumbing.Hash) (commitLinks, bool) {
	x, ok := o.get(h)
	if !ok || x.Type() != Commit {
		return commitLinks{}, false
	}
	c, err := parseCommit(o.data(x))
	return c, err == nil
}

// tagChainMax bounds how many tags of tags are followed.
const tagChainMax = 64

// peel follows tags to what they point to in the end, and returns the tags that it passed.
func (o *objects) peel(h plumbing.Hash) (target object, tags []object, ok bool) {
	for range tagChainMax {
		x, found := o.get(h)
		if !found {
			return object{}, tags, false
		}
		if x.Type() != Tag {
			return x, tags, true
		}
		t, err := parseTag(o.data(x))
		if err != nil {
			return object{}, tags, false
		}
		tags = append(tags, x)
		h = t.target
	}
	return object{}, tags, false
}
