package cleanup

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// Times in which repositories go.
const (
	// stayWithin is how long a server has, where it is not slow, before another one of those that are left is gone. Most remove a
	// repository with its announcement or not at all, and who does it later is asked later, by the ledger.
	stayWithin = 2 * time.Second
	// lookAgain is the pause between two looks. Connections are not given up for less than half a second.
	lookAgain = 250 * time.Millisecond
)

// repositories looks which of those that were announced or pushed to are still there, all of them in turns, until none is or no
// other one goes.
func (c *cleaner) repositories(ctx context.Context) {
	named := c.book.Made()
	c.result.Repositories = len(named)
	var paths []string
	for _, at := range named {
		path, below := strings.CutPrefix(at, c.book.Run.URL)
		if !below || !strings.HasPrefix(path, "/") {
			c.result.Unseen++
			continue
		}
		paths = append(paths, path)
	}
	if len(paths) == 0 {
		return
	}
	never := c.advert(ctx, c.neverMade())
	inside := c.shut && shows(never) // as a member
	within := stayWithin * time.Duration(max(c.cfg.Slowness, 1))
	seen := make(map[string]client.Observation)
	for since := c.target.Now(); ; {
		before := len(paths)
		maps.Copy(seen, c.adverts(ctx, paths))
		paths = slices.DeleteFunc(paths, func(path string) bool {
			return goneFor(seen[path], never) || inside && turnedAway(seen[path]) && !c.hosts(path)
		})
		if len(paths) < before {
			since = c.target.Now()
		}
		if len(paths) == 0 || c.target.Now().Sub(since) >= within || !slices.ContainsFunc(paths, func(path string) bool { return shows(seen[path]) }) {
			break
		}
		if c.client.Wait(ctx, lookAgain) != nil || ctx.Err() != nil {
			break
		}
	}
	for _, path := range paths {
		o := seen[path]
		if !shows(o) {
			c.result.Unseen++
			if turnedAway(o) && !inside {
				c.result.Shut++
			}
			continue
		}
		if advert, is := o.(client.Advert); is && len(advert.Refs) == 0 {
			c.result.Empty++
		}
		c.result.Left = append(c.result.Left, fmt.Sprintf("%s%s (%.120v)", c.book.Run.URL, path, o))
	}
}

// adverts asks for the refs of many repositories, several at a time where everybody is let in. What was not answered so is asked for
// again by itself.
func (c *cleaner) adverts(ctx context.Context, paths []string) map[string]client.Observation {
	seen := make([]client.Observation, len(paths))
	if len(c.door) == 0 && c.cfg.Parallel > 1 {
		var next atomic.Int64
		var lookers sync.WaitGroup
		for range min(c.cfg.Parallel, len(paths)) {
			lookers.Go(func() {
				for i := next.Add(1) - 1; i < int64(len(paths)) && ctx.Err() == nil; i = next.Add(1) - 1 {
					seen[i] = c.advert(ctx, paths[i])
				}
			})
		}
		lookers.Wait()
	}
	by := make(map[string]client.Observation, len(paths))
	for i, path := range paths {
		if ctx.Err() == nil && (seen[i] == nil || client.Inconclusive(seen[i])) {
			seen[i] = c.advert(ctx, path)
		}
		if seen[i] != nil {
			by[path] = seen[i]
		}
	}
	return by
}

// neverMade is the path of a repository of which the server has never heard: what it answers there, it answers where there is nothing.
func (c *cleaner) neverMade() string {
	nobody := client.NewKey(client.Root(c.book.Run.Seed, c.book.Run.Nonce), "cleanup/nobody")
	return c.client.RepoPath(nobody.Pubkey, "gc-"+c.book.Run.Run+"-never")
}

// hosts reports whether there can be a repository at a path at all. Nobody has one at a name with a slash in it, however that is written,
// nor below /prs/ where GRASP-06 is not listed: a service that knows no token for such a path turns members away from there, too.
func (c *cleaner) hosts(path string) bool {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if parts[0] == "prs" {
		if !slices.Contains(c.facts.GRASPs, any("GRASP-06")) {
			return false
		}
		parts = parts[1:]
	}
	if len(parts) != 2 || !strings.HasPrefix(parts[0], "npub1") {
		return false
	}
	name := parts[1]
	for range 2 { // it may be written twice
		if plain, err := url.PathUnescape(name); err == nil {
			name = plain
		}
	}
	return !strings.ContainsAny(name, `/\`)
}

// shows reports whether an answer shows anything about a repository.
func shows(o client.Observation) bool {
	return o != nil && !client.Inconclusive(o) && !turnedAway(o)
}

// goneFor reports whether an answer shows that there is no repository: it says so, or it is that of a place where there never was
// one. An empty repository is one, and only where empty is all that there is at such a place it is none.
func goneFor(o, never client.Observation) bool {
	switch o := o.(type) {
	case client.HTTPAnswer:
		switch o.Status {
		case http.StatusNotFound, http.StatusGone, http.StatusBadRequest:
			return true
		}
		other, is := never.(client.HTTPAnswer)
		return is && shows(o) && other.Status == o.Status
	case client.Advert:
		other, is := never.(client.Advert)
		return is && len(o.Refs)+len(other.Refs) == 0
	}
	return false
}
