package gitstore

import (
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/repo"
)

// ErrBroken is returned by Tidy when something that a ref reaches cannot be read; nothing was removed then.
var ErrBroken = errors.New("gitstore: an object is broken or missing that others need")

// Needed lists what the refs and the objects of keep reach, those themselves included, in a fixed order. What of keep is not
// here is passed over. ErrBroken if anything else is not.
func (v *View) Needed(c Cancel, keep []repo.OID) ([]plumbing.Hash, error) {
	var list []plumbing.Hash
	var stack []link
	seen := hashes{}
	follow := func(l link) {
		if !seen[l.hash] {
			seen[l.hash] = true
			list, stack = append(list, l.hash), append(stack, l)
		}
	}
	for _, ref := range v.refs.Refs {
		follow(link{hash: hashOf(ref.OID), kind: plumbing.AnyObject})
	}
	for _, oid := range keep {
		if isSHA1(oid) && v.objects.has(hashOf(oid)) {
			follow(link{hash: hashOf(oid), kind: plumbing.AnyObject})
		}
	}
	for len(stack) > 0 {
		if err := c.Err(); err != nil {
			return nil, err
		}
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		links, whole := v.below(next)
		if err := v.objects.failed(); err != nil {
			return nil, err
		}
		if !whole {
			return nil, fmt.Errorf("%w: %s", ErrBroken, next.hash)
		}
		for _, l := range links {
			follow(l)
		}
	}
	return list, v.objects.failed()
}

// below returns what an object points to. Of a blob only that it is there is asked.
func (v *View) below(l link) ([]link, bool) {
	if l.kind == Blob {
		return nil, v.objects.has(l.hash)
	}
	x, ok := v.objects.get(l.hash)
	if !ok || l.kind != plumbing.AnyObject && l.kind != x.Type() {
		return nil, false
	}
	links, err := linksOf(x, v.objects)
	return links, err == nil
}

// Tidy implements Backend: there are no packs here, and what is not needed goes.
func (m *Memory) Tidy(c Cancel, id repo.ID, keep []repo.OID) error {
	r, err := m.repository(id)
	if err != nil {
		return err
	}
	view := r.view()
	needed, err := view.Needed(c, keep)
	if err != nil {
		return err
	}
	storage := newStorage()
	for _, h := range needed {
		x, err := view.mustBeThere(h)
		if err != nil {
			return err
		}
		put(storage, x)
	}
	r.storage = storage
	return nil
}
