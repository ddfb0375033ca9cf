package defect

import (
	"sync"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A turning backend moves HEAD of a repository two times, and no more.
type turning struct {
	backend
	mu    sync.Mutex
	moves map[repo.ID]int
}

// Update implements gitstore.Backend.
func (t *turning) Update(id repo.ID, commands []gitproto.Command, head string) error {
	t.mu.Lock()
	if head != "" {
		if t.moves[id]++; t.moves[id] > 2 {
			head = ""
		}
	}
	t.mu.Unlock()
	return t.Backend.Update(id, commands, head)
}

// A headless backend moves either refs or HEAD.
type headless struct{ backend }

// Update implements gitstore.Backend.
func (h headless) Update(id repo.ID, commands []gitproto.Command, head string) error {
	if len(commands) > 0 {
		head = ""
	}
	return h.Backend.Update(id, commands, head)
}

var _ gitstore.Backend = headless{}
