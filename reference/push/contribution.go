package push

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Contribution is what the decision on a push to a place for contributions is about (GRASP-06).
type Contribution struct {
	Place repo.ID    // as repo.Contribution has it
	Taken bool       // the server takes contributions
	Local []repo.Ref // all refs that are there, sorted by name
	Named func(event string) Contributed
}

// Contributed is what is known of the event whose id a ref below refs/nostr/ carries.
type Contributed struct {
	Named
	Signer repo.PubKey
	About  bool // an a tag names the identifier of the place
	Places bool // a clone value names the place
}

// Contribute judges a push to a place for contributions as a whole. Anybody may push refs named after events, and nothing else:
// of a push that holds any other ref no command is carried out (G06-PUSH-01, G06-PUSH-02). Where the event is known it has to be
// a pull request of the signer whose place it is, about the identifier, with this commit, and it has to name the place
// (G06-PUSH-03). No repository is asked for.
func Contribute(o Offer, c Contribution) policy.Ruling {
	switch {
	case o.Shape.Certificate:
		return refuse("G06-PUSH-04", "push certificates are not taken; push without --signed")
	case !c.Taken:
		return refuse("G06-ADV-01", "this server takes no contributions")
	case len(o.Commands) == 0:
		return refuse("G06-PUSH-02", "no ref updates found in push")
	}
	for _, command := range o.Commands {
		if _, ok := repo.PullRequestOf(command.Ref); !ok {
			return refuse("G06-PUSH-02", "GRASP-06: only pushes to refs/nostr/<event-id> are accepted ("+command.Ref+")")
		}
	}
	for _, command := range o.Commands {
		if r := contributed(command, c); !r.Accepted() {
			return r
		}
	}
	return policy.Ruling{Decision: policy.Accept, Requirement: "G06-PUSH-01"}
}

// contributed judges one command, whose ref is named after an event.
func contributed(command gitproto.Command, c Contribution) policy.Ruling {
	event, _ := repo.PullRequestOf(command.Ref)
	identifier, _ := c.Place.ContributionTo()
	known := Contributed{}
	if c.Named != nil {
		known = c.Named(event)
	}
	mismatch := func(reason string, args ...any) policy.Ruling {
		return refuse("G06-PUSH-03", "GRASP-06: "+fmt.Sprintf(reason, args...))
	}
	switch {
	case !known.Known:
	case known.Kind != repo.KindPullRequest && known.Kind != repo.KindPullRequestUpdate:
		return mismatch("event %s is of kind %d and no pull request", event, known.Kind)
	case known.Signer != c.Place.Owner:
		return mismatch("PR event %s is signed by another key than the one in the URL", event)
	case !known.About:
		return mismatch("PR event %s names no repository %s in its a tags", event, identifier)
	case !known.Places:
		return mismatch("PR event %s does not name this URL in its clone tag", event)
	case command.New.IsZero() && known.Served:
		return refuse("G01-PR-11", "the ref belongs to the accepted PR event "+event)
	case !command.New.IsZero() && command.New != known.Commit:
		return mismatch("PR event %s specifies commit %s, but push contains %s", event, known.Commit, command.New)
	}
	at, found := slices.BinarySearchFunc(c.Local, command.Ref, func(r repo.Ref, name string) int {
		return strings.Compare(r.Name, name)
	})
	old := repo.ZeroOID
	if found {
		old = c.Local[at].OID
	}
	if command.Old != old {
		return refuse("G01-PUSH-25", fmt.Sprintf("%s is at %s and not at %s; fetch first", command.Ref, short(old), short(command.Old)))
	}
	if command.New.IsZero() && !found {
		return refuse("G06-PUSH-02", command.Ref+" is not there")
	}
	return policy.Ruling{Decision: policy.Accept, Requirement: "G06-PUSH-01"}
}
