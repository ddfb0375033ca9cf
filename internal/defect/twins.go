package defect

import (
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// twinDefects take branches at one commit for one branch.
func twinDefects() []Defect {
	return []Defect{
		{Name: "heads-are-the-first-branch-of-a-commit", Backend: pointedAmong(func(after gitstore.Refs, head string) string {
			for _, r := range after.Refs {
				if strings.HasPrefix(r.Name, "refs/heads/") && r.OID == after.At(head) {
					return r.Name
				}
			}
			return head
		})},
		{Name: "heads-are-the-last-branch-of-a-commit", Backend: pointedAmong(func(after gitstore.Refs, head string) string {
			last := head
			for _, r := range after.Refs {
				if strings.HasPrefix(r.Name, "refs/heads/") && r.OID == after.At(head) {
					last = r.Name
				}
			}
			return last
		})},
		{Name: "heads-stay-at-their-commit", Backend: pointedAmong(func(after gitstore.Refs, head string) string {
			if after.At(head) == after.At(after.Head) {
				return ""
			}
			return head
		})},
	}
}

// pointedAmong changes to which branch HEAD goes, by the refs as they are then; "" leaves it.
func pointedAmong(to func(after gitstore.Refs, head string) string) func(gitstore.Backend) gitstore.Backend {
	return func(b gitstore.Backend) gitstore.Backend {
		return aligning{backend{b}, func(id repo.ID, c []gitproto.Command, head string) ([]gitproto.Command, string) {
			if refs, err := b.Refs(id); err == nil && head != "" {
				head = to(refs.Apply(c), head)
			}
			return c, head
		}}
	}
}
