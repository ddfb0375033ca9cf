package suite

import (
	"fmt"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
)

// proposalSteps speak of one pull request of a check, by which git data comes beside branches and tags. Its event goes
// by the name "proposal".
func proposalSteps() []definition {
	return []definition{
		define(`the {actor} prepared to propose the commit (\w+)`, func(w *world, a []string, _ [][]string) outcome {
			w.propose(a[0], a[1])
			return outcome{}
		}),
		define(`the {actor} proposed the commit (\w+)`, func(w *world, a []string, _ [][]string) outcome {
			return w.publish(w.propose(a[0], a[1])).then(w.accepted).asSetup()
		}),
		define(`the proposal comes`, func(w *world, _ []string, _ [][]string) outcome { return w.publish(w.proposal()) }),
		define(`the (state|pull request) is sent once more`, func(w *world, a []string, _ [][]string) outcome {
			if a[0] == "state" {
				return w.publish(w.event("state"))
			}
			return w.publish(w.proposal())
		}),
		define(`a client pushes the commit (\w+) for the proposal`, func(w *world, a []string, _ [][]string) outcome {
			return w.pushProposal(a[0])
		}),
		define(`a client pushed the commit (\w+) for the proposal`, func(w *world, a []string, _ [][]string) outcome {
			return w.pushProposal(a[0]).then(w.succeeded).asSetup()
		}),
		define(`the proposal has its ref at the commit (\w+)`, func(w *world, a []string, _ [][]string) outcome {
			return w.proposalAt(w.history.oid(a[0]))
		}),
		define(`the proposal has no ref`, func(w *world, _ []string, _ [][]string) outcome { return w.proposalAt("") }),
	}
}

// propose makes a pull request to the owner's repository.
func (w *world) propose(actor, commit string) *nostr.Event {
	owner := w.key("owner").Pubkey
	tags := [][]string{
		{"a", client.RepoAddress(owner, w.identifier)},
		{"p", owner},
		{"subject", "a proposal"},
		{"c", w.history.oid(commit)},
		{"clone", w.client.CloneURL(owner, w.identifier)},
	}
	ev := client.Build(w.key(actor), client.KindPullRequest, append(tags, w.run.markers()...), w.run.purpose(), w.tick())
	last := w.lastEvent
	w.remember("event", "proposal", ev)
	w.lastEvent = last // nobody has seen it yet
	return ev
}

func (w *world) proposal() *nostr.Event { return w.event(`event "proposal"`) }

func (w *world) pushProposal(commit string) outcome {
	return w.push("owner", [][]string{{"refs/nostr/" + w.proposal().ID, commit}}, nil)
}

// proposalAt waits for the ref of the proposal to be at an object, or to be gone if that is "".
func (w *world) proposalAt(want string) outcome {
	ref := "refs/nostr/" + w.proposal().ID
	return w.eventually("owner", client.UploadPack, 0, func(advert client.Advert) string {
		if oid, _ := advert.Ref(ref); oid != want {
			return fmt.Sprintf("%s is at %q, want %q", ref, oid, want)
		}
		return ""
	})
}
