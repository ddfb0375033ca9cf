package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// actors are those that steps speak of.
func actors() []string { return strings.Split(actorNames, "|") }

// ActorOf finds who of a check has a public key, by what it is derived from (client.NewKey): the root of the run and a name. False is
// for a key that was given to the run, or is of nobody in the check.
func ActorOf(root, check, pubkey string) (seed, name string, known bool) {
	for _, seed := range []string{root, againRoot(root)} {
		for _, a := range actors() {
			if name := check + "/" + a; client.NewKey(seed, name).Pubkey == pubkey {
				return seed, name, true
			}
		}
	}
	return "", "", false
}

// An actor is somebody with a key, fresh for every check of every run, and with repositories by name; "" is the one that
// the check is about.
type actor struct {
	key          client.Key
	repositories map[string]repository
}

// A repository is one that an actor may announce.
type repository struct {
	owner      client.Key
	identifier string
}

// actor returns somebody by name.
func (w *world) actor(name string) *actor {
	if !slices.Contains(actors(), name) && !slices.Contains(bystanders(), name) {
		panic(fmt.Sprintf("suite: invariant: actor %q", name))
	}
	a, ok := w.actors[name]
	if !ok {
		a = &actor{key: w.run.keyOf(w.check, name, w.again), repositories: make(map[string]repository)}
		w.actors[name] = a
	}
	return a
}

func (w *world) key(actor string) client.Key { return w.actor(actor).key }

// authorOf is the key that an event of the check is signed with.
func (w *world) authorOf(ev *nostr.Event) client.Key {
	for _, name := range actors() {
		if key := w.key(name); key.Pubkey == ev.PubKey {
			return key
		}
	}
	panic("suite: invariant: an event of nobody")
}

// repository returns an actor's repository by its name.
func (w *world) repository(actor, name string) repository {
	a := w.actor(actor)
	if name == "" {
		return repository{owner: a.key, identifier: w.identifier}
	}
	r, ok := a.repositories[name]
	if !ok {
		r = repository{owner: a.key, identifier: w.identifier + "-" + name}
		a.repositories[name] = r
	}
	return r
}

// pathOf is the path of a repository below the service URL.
func (w *world) pathOf(r repository) string { return w.client.RepoPath(r.owner.Pubkey, r.identifier) }

// whose joins an actor and the name of one of his repositories, as steps say it: `owner`, or `owner "other"`.
func whose(actor, name string) string {
	if name == "" {
		return actor
	}
	return actor + " " + quote(name)
}

// repositoryOf returns a repository by what whose joined.
func (w *world) repositoryOf(whose string) repository {
	actor, name, _ := strings.Cut(whose, ` "`)
	return w.repository(actor, strings.TrimSuffix(name, `"`))
}

// path is the path of an actor's repository: of the one that the check is about, or of a named one; see whose. Or it is that of his
// place for pull requests; see placeOf.
func (w *world) path(whose string) string {
	if whose, is := strings.CutPrefix(whose, placeWords); is {
		return placesPath + w.path(whose)
	}
	return w.pathOf(w.repositoryOf(whose))
}
