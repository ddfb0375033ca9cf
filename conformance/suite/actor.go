package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// actors are those that steps speak of.
func actors() []string { return strings.Split(actorNames, "|") }

// An actor is somebody with a key, fresh for every check of every run, and with repositories.
type actor struct {
	key client.Key
}

// actor returns somebody by name.
func (w *world) actor(name string) *actor {
	if !slices.Contains(actors(), name) && !slices.Contains(bystanders(), name) {
		panic(fmt.Sprintf("suite: invariant: actor %q", name))
	}
	a, ok := w.actors[name]
	if !ok {
		a = &actor{key: client.NewKey(w.run.cfg.Seed, w.check.ID+"/"+name)}
		w.actors[name] = a
	}
	return a
}

func (w *world) key(actor string) client.Key { return w.actor(actor).key }

// path is the path of an actor's repository below the service URL.
func (w *world) path(actor string) string {
	return w.client.RepoPath(w.key(actor).Pubkey, w.identifier)
}

// bystanders are actors that no step speaks of.
func bystanders() []string { return nil }
