package gitstore

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// A View is one repository as it is at one moment, for one operation of a Backend: its refs, and a source of its
// objects. It changes nothing. Every object that a ref reaches must be in the source. What a source fails at is an
// error of the operation, never taken for an absence. A View is for one goroutine.
type View struct {
	refs    Refs
	objects *objects

	// sound says that every object of the source is complete with all that it reaches, whether a ref reaches it or
	// not, because nothing comes in that is not: then looking for what is missing ends where the source begins.
	sound bool
}

// NewView returns a view of a repository. Refs.Refs must be sorted by name and hold SHA-1 ids.
func NewView(refs Refs, source Source) *View {
	return &View{refs: refs, objects: &objects{source: source}}
}

// at returns what a ref points to, ZeroOID if there is no such ref.
func (v *View) at(ref string) repo.OID { return v.refs.At(ref) }

// At returns what a ref points to, repo.ZeroOID if there is no such ref.
func (r Refs) At(name string) repo.OID {
	if i, ok := find(r.Refs, name); ok {
		return r.Refs[i].OID
	}
	return repo.ZeroOID
}

func find(refs []repo.Ref, name string) (int, bool) {
	return slices.BinarySearchFunc(refs, name, func(r repo.Ref, name string) int { return strings.Compare(r.Name, name) })
}

// Apply returns the refs as they are after the commands; old values are not compared. The receiver is not changed.
func (r Refs) Apply(commands []gitproto.Command) Refs {
	values := make(map[string]repo.OID, len(commands))
	for _, c := range commands {
		values[c.Ref] = c.New
	}
	after := Refs{Head: r.Head, Refs: make([]repo.Ref, 0, len(r.Refs)+len(commands))}
	take := func(ref repo.Ref) {
		if value, ok := values[ref.Name]; ok {
			ref.OID = value
			delete(values, ref.Name)
		}
		if !ref.OID.IsZero() {
			after.Refs = append(after.Refs, ref)
		}
	}
	for _, ref := range r.Refs {
		take(ref)
	}
	old := len(after.Refs)
	for _, c := range commands {
		take(repo.Ref{Name: c.Ref, OID: repo.ZeroOID})
	}
	if len(after.Refs) > old {
		slices.SortFunc(after.Refs, func(a, b repo.Ref) int { return strings.Compare(a.Name, b.Name) })
	}
	return after
}

// Missing is what Backend.Missing asks for. Ids that are no SHA-1 ids are missing.
func (v *View) Missing(oids []repo.OID) ([]repo.OID, error) {
	var missing []repo.OID
	for _, oid := range oids {
		if !isSHA1(oid) || !v.objects.has(hashOf(oid)) {
			missing = append(missing, oid)
		}
	}
	return missing, v.objects.failed()
}

func isSHA1(oid repo.OID) bool { return len(oid) == len(repo.ZeroOID) && repo.IsOID(string(oid)) }

// Advertise is what Backend.Advertise writes.
func (v *View) Advertise(service gitproto.Service, version int, w io.Writer) error {
	a := v.advertisement(service, version)
	if err := v.objects.failed(); err != nil {
		return err
	}
	return a.Write(w)
}

func (v *View) advertisement(service gitproto.Service, version int) gitproto.Advertisement {
	a := gitproto.Advertisement{Service: service, Version: version, HeadTarget: v.refs.Head}
	if head := v.at(v.refs.Head); !head.IsZero() {
		a.Head = head
	}
	a.Refs = make([]gitproto.AdvertisedRef, 0, len(v.refs.Refs))
	for _, ref := range v.refs.Refs {
		advertised := gitproto.AdvertisedRef{Ref: ref}
		// Nothing but a commit gets below refs/heads/.
		if !strings.HasPrefix(ref.Name, "refs/heads/") {
			if target, tags, ok := v.objects.peel(hashOf(ref.OID)); ok && len(tags) > 0 {
				advertised.Peeled = oidOf(target.id)
			}
		}
		a.Refs = append(a.Refs, advertised)
	}
	return a
}

// Check says whether Backend.Update may carry out the commands and point HEAD at head: ErrConflict if an old value
// does not match, another error if something else forbids it. A ref may be named once, as git has it.
func (v *View) Check(commands []gitproto.Command, head string) error {
	if head != "" && (!strings.HasPrefix(head, "refs/heads/") || !gitproto.CheckRefName(head)) {
		return fmt.Errorf("gitstore: HEAD cannot name %q", head)
	}
	reasons := v.refusals(commands, v.objects)
	if err := v.objects.failed(); err != nil {
		return err
	}
	named := map[string]bool{}
	for _, c := range commands {
		if named[c.Ref] {
			return fmt.Errorf("gitstore: update of ref %q: it is named twice", c.Ref)
		}
		named[c.Ref] = true
		switch reason := reasons[c.Ref]; reason {
		case "":
		case ReasonStale:
			return ErrConflict
		default:
			return fmt.Errorf("gitstore: update of ref %q: %s", c.Ref, reason)
		}
	}
	return nil
}

// refusals returns why commands cannot be applied, by ref: bad names, old values that do not match, names that
// would be both a ref and a folder of refs, branches that are no commits. Nil means that all can.
func (v *View) refusals(commands []gitproto.Command, from *objects) map[string]string {
	after := v.refs.Apply(commands).Refs
	var reasons map[string]string
	for _, c := range commands {
		if reason := v.refusal(c, after, from); reason != "" {
			if reasons == nil {
				reasons = map[string]string{}
			}
			reasons[c.Ref] = reason
		}
	}
	return reasons
}

func (v *View) refusal(c gitproto.Command, after []repo.Ref, from *objects) string {
	switch {
	case !gitproto.CheckRefName(c.Ref) || !strings.HasPrefix(c.Ref, "refs/"):
		return ReasonName
	case v.at(c.Ref) != c.Old:
		return ReasonStale
	case c.New.IsZero():
		return ""
	case collides(c.Ref, after):
		return ReasonCollides
	case !isSHA1(c.New):
		return ReasonMissing
	}
	x, ok := from.get(hashOf(c.New))
	switch {
	case !ok:
		return ReasonMissing
	case strings.HasPrefix(c.Ref, "refs/heads/") && x.Type() != Commit:
		return ReasonBranch
	}
	return ""
}

// collides reports whether one of the sorted refs has ref as a folder, or is a folder of it.
func collides(ref string, refs []repo.Ref) bool {
	if i, _ := find(refs, ref+"/"); i < len(refs) && strings.HasPrefix(refs[i].Name, ref+"/") {
		return true
	}
	for i := range len(ref) {
		if ref[i] == '/' {
			if _, found := find(refs, ref[:i]); found {
				return true
			}
		}
	}
	return false
}

// mustBeThere returns the object of a list that a walk over the source has made.
func (v *View) mustBeThere(h plumbing.Hash) (plumbing.EncodedObject, error) {
	x, ok := v.objects.get(h)
	if !ok {
		if err := v.objects.failed(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("gitstore: object %s is gone", h)
	}
	return x.EncodedObject, nil
}
