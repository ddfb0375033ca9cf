package node

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// survivors says what is there at the start. A record that cannot be read is left out and reported, a repository that cannot
// is told as unknown: neither stops the start. Events and refs are read at the same time.
func (n *Node) survivors() (core.Started, error) {
	ids, err := n.backend.Repositories()
	if err != nil {
		return core.Started{}, fmt.Errorf("list repositories: %w", err)
	}
	var repositories []core.RepositoryRefs
	var reading sync.WaitGroup
	reading.Go(func() { repositories = n.refs(ids) })
	started, aside, err := n.journal.Load()
	reading.Wait()
	if err != nil {
		return core.Started{}, err
	}
	for _, why := range aside {
		n.counts.add("record_set_aside")
		n.log.LogAttrs(context.Background(), slog.LevelError, "record set aside at start", slog.Any("error", why))
	}
	started.Repositories = repositories
	return started, nil
}

// refs reads the refs of repositories, several at a time. Those that cannot be read are reported in the order of the ids.
func (n *Node) refs(ids []repo.ID) []core.RepositoryRefs {
	all, failed := make([]gitstore.Refs, len(ids)), make([]error, len(ids))
	next := make(chan int)
	var readers sync.WaitGroup
	for range workersMax {
		readers.Go(func() {
			for i := range next {
				all[i], failed[i] = n.refsOf(ids[i])
			}
		})
	}
	for i := range ids {
		next <- i
	}
	close(next)
	readers.Wait()
	var there []core.RepositoryRefs
	for i, id := range ids {
		if failed[i] != nil {
			n.log.LogAttrs(context.Background(), slog.LevelError, "repository not read at start",
				slog.String("repo", id.Path()), slog.Any("error", failed[i]))
		}
		there = append(there, core.RepositoryRefs{ID: id, Refs: all[i], Unknown: failed[i] != nil})
	}
	return there
}

// refsOf reads the refs of a repository, and makes whole one that a crash has left half made.
func (n *Node) refsOf(id repo.ID) (gitstore.Refs, error) {
	refs, err := n.backend.Refs(id)
	if err == nil {
		return refs, nil
	}
	if err := n.backend.Create(id); err != nil {
		return gitstore.Refs{}, err
	}
	return n.backend.Refs(id)
}
