package defect

import (
	"bytes"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// unreadDefects are mistakes of a server that reads packs by itself, and not all that git writes into them.
func unreadDefects() []Defect {
	kinds := func(odd ...plumbing.ObjectType) func(plumbing.ObjectType, []byte) bool {
		return func(kind plumbing.ObjectType, _ []byte) bool { return bytes.IndexByte(asBytes(odd), byte(kind)) >= 0 }
	}
	holding := func(of plumbing.ObjectType, text string) func(plumbing.ObjectType, []byte) bool {
		return func(kind plumbing.ObjectType, content []byte) bool {
			return kind == of && bytes.Contains(content, []byte(text))
		}
	}
	return []Defect{
		packsUnread("deltas-by-offset-unread", kinds(plumbing.OFSDeltaObject)),
		packsUnread("deltas-by-name-unread", kinds(plumbing.REFDeltaObject)),
		packsUnread("submodules-unread", holding(plumbing.TreeObject, "160000 ")),
		packsUnread("links-unread", holding(plumbing.TreeObject, "120000 ")),
		packsUnread("signed-commits-unread", holding(plumbing.CommitObject, "\ngpgsig ")),
		packsUnread("merges-unread", func(kind plumbing.ObjectType, content []byte) bool {
			return kind == plumbing.CommitObject && bytes.Count(content, []byte("\nparent ")) > 1
		}),
		packsUnread("tags-of-tags-unread", holding(plumbing.TagObject, "\ntype tag\n")),
	}
}

func asBytes(kinds []plumbing.ObjectType) []byte {
	out := make([]byte, len(kinds))
	for i, k := range kinds {
		out[i] = byte(k)
	}
	return out
}

// packsUnread refuses packs with an entry of a sort.
func packsUnread(name string, odd func(kind plumbing.ObjectType, content []byte) bool) Defect {
	return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return reading{backend{b}, odd} }}
}

type reading struct {
	backend
	odd func(kind plumbing.ObjectType, content []byte) bool
}

func (r reading) Receive(c gitstore.Cancel, id repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	whole, err := io.ReadAll(pack)
	if err != nil || !r.reads(whole) {
		return r.Backend.Receive(c, id, push, io.MultiReader(bytes.NewReader(whole), failingReader{err}))
	}
	if err := push.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	report := gitstore.Report{Unpack: "an object cannot be read"}
	for _, command := range push.Commands {
		report.Results = append(report.Results, gitstore.Result{Ref: command.Ref, Reason: "unpacker error"})
	}
	return report, nil
}

// reads reports whether a pack holds what this server cannot read.
func (r reading) reads(pack []byte) bool {
	s := packfile.NewScanner(bytes.NewReader(pack))
	_, count, err := s.Header()
	for range count {
		if err != nil {
			break
		}
		var head *packfile.ObjectHeader
		if head, err = s.NextObjectHeader(); err == nil {
			var content bytes.Buffer
			if _, _, err = s.NextObject(&content); err == nil && r.odd(head.Type, content.Bytes()) {
				return true
			}
		}
	}
	return false
}
