// Package push answers one question: may these ref updates happen? It compares the refs that a push would leave with
// the refs that the winning state event declares. It reads no pack, moves no refs and knows no connections.
package push

import (
	"fmt"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
)

// An Offer is what a client wants: the commands as they will be executed, and the shape of their list.
type Offer struct {
	Commands []gitproto.Command
	Shape    gitproto.Shape
}

// The Facts are what the decision is about.
type Facts struct {
	Owner     repo.PubKey
	Announced bool                     // the owner has an announcement, held or stored, that lists this service
	Local     []repo.Ref               // all refs of the repository, sorted by name
	Latest    *repo.State              // the latest state, held or stored, of an author in the maintainer set; nil if there is none
	EachAlone bool                     // branches and tags are judged one by one, whatever the state says of others (AMB-02)
	Strangers int                      // held states of the identifier by authors outside the set
	Named     func(event string) Named // what is known of the event of a ref below refs/nostr/; nil means nothing
}

// Decide judges a push as a whole. Its branches and tags are accepted exactly when they equal, with all commands applied,
// what the latest state declares (INV-20); its refs below refs/nostr/ when no known event contradicts them; other refs
// never (INV-21). A push of refs below refs/nostr/ alone needs no state (G01-PR-01, G01-PR-15, G01-PR-16).
func Decide(o Offer, f Facts) policy.Ruling {
	if o.Shape.Certificate {
		return refuse("G01-PUSH-18", "push certificates are not taken; push without --signed")
	}
	if !f.Announced {
		return refuse("G01-GIT-10", "No repository announcement found for owner "+string(f.Owner))
	}
	named := f.Named
	if named == nil {
		named = func(string) Named { return Named{} }
	}
	declared := len(o.Commands) == 0
	for _, c := range o.Commands {
		if r := checkCommand(c, f.Local, named); !r.Accepted() {
			return r
		}
		declared = declared || Declarable(c.Ref)
	}
	if !declared {
		return policy.Ruling{Decision: policy.Accept, Requirement: "G01-PR-01"}
	}
	if f.Latest == nil {
		if f.Strangers > 0 {
			return refuse("G01-PUSH-14", fmt.Sprintf(
				"%d state event(s) in purgatory but none from authorized publishers", f.Strangers))
		}
		return refuse("G01-PUSH-02", "No state event found; publish a signed state event (kind 30618) first")
	}
	return align(o.Commands, f)
}

// checkCommand judges what can be said of one command without a state.
func checkCommand(c gitproto.Command, local []repo.Ref, named func(event string) Named) policy.Ruling {
	switch {
	case strings.HasPrefix(c.Ref, repo.PullRequestPrefix):
		if r := pullRequest(c, named); !r.Accepted() {
			return r
		}
	case !Declarable(c.Ref):
		return refuse("G01-PUSH-17", "Ref validation failed: "+c.Ref+" is neither a branch nor a tag")
	}
	at, found := slices.BinarySearchFunc(local, c.Ref, func(r repo.Ref, name string) int {
		return strings.Compare(r.Name, name)
	})
	old := repo.ZeroOID
	if found {
		old = local[at].OID
	}
	if c.Old != old {
		return refuse("G01-PUSH-25", fmt.Sprintf("%s is at %s and not at %s; fetch first", c.Ref, short(old), short(c.Old)))
	}
	return policy.Ruling{Decision: policy.Accept}
}

// Declarable reports whether a state event can declare the ref: a branch or a tag.
func Declarable(ref string) bool {
	return strings.HasPrefix(ref, "refs/heads/") || strings.HasPrefix(ref, "refs/tags/")
}

// align compares the refs that the push would leave with those that the state declares.
func align(commands []gitproto.Command, f Facts) policy.Ruling {
	local, declared := f.Local, f.Latest.Refs
	if f.EachAlone {
		local, declared = within(commands, local), within(commands, declared)
	}
	result := Apply(local, commands)
	var problems []string
	requirement, blamed := "", false
	blame := func(ref, id, text string) {
		problems = append(problems, text)
		// A ref that the push names explains the refusal better than one that it left out.
		named := slices.ContainsFunc(commands, func(c gitproto.Command) bool { return c.Ref == ref })
		if requirement == "" || !blamed && named {
			requirement, blamed = id, named
		}
	}
	i, j := 0, 0
	for i < len(result) || j < len(declared) {
		switch {
		case j == len(declared) || i < len(result) && result[i].Name < declared[j].Name:
			blame(result[i].Name, "G01-PUSH-04", result[i].Name+" would exist at "+short(result[i].OID)+" but state doesn't declare it")
			i++
		case i == len(result) || declared[j].Name < result[i].Name:
			blame(declared[j].Name, "G01-PUSH-08", declared[j].Name+" missing (state declares "+short(declared[j].OID)+")")
			j++
		default:
			if result[i].OID != declared[j].OID {
				blame(result[i].Name, "G01-PUSH-03",
					result[i].Name+" would be at "+short(result[i].OID)+" but state declares "+short(declared[j].OID))
			}
			i++
			j++
		}
	}
	if len(problems) == 0 {
		return policy.Ruling{Decision: policy.Accept, Requirement: "G01-PUSH-01"}
	}
	hint := ""
	if !blamed { // what the push names is as declared: it lacks the rest
		hint = "; " + hintWhole
	}
	return refuse(requirement, "the push doesn't match the latest state event ("+summary(problems)+")"+hint)
}

// within returns the refs that commands name.
func within(commands []gitproto.Command, refs []repo.Ref) []repo.Ref {
	var some []repo.Ref
	for _, r := range refs {
		if slices.ContainsFunc(commands, func(c gitproto.Command) bool { return c.Ref == r.Name }) {
			some = append(some, r)
		}
	}
	return some
}

// hintWhole helps clients that push one ref at a time, of which the first can never reach what a state declares of several.
const hintWhole = "push all refs of the state in one push"

// ProblemsMax bounds how many differences a refusal names, so that its text stays below one pkt-line.
const ProblemsMax = 8

func summary(problems []string) string {
	if more := len(problems) - ProblemsMax; more > 0 {
		problems = append(slices.Clone(problems[:ProblemsMax]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(problems, "; ")
}

// Apply returns the branches and tags that local refs become with the commands applied, sorted by name. Other refs are
// left out.
func Apply(local []repo.Ref, commands []gitproto.Command) []repo.Ref {
	after := make([]repo.Ref, 0, len(local)+len(commands))
	for _, r := range local {
		if Declarable(r.Name) {
			after = append(after, r)
		}
	}
	for _, c := range commands {
		at, found := slices.BinarySearchFunc(after, c.Ref, func(r repo.Ref, name string) int {
			return strings.Compare(r.Name, name)
		})
		switch {
		case !Declarable(c.Ref):
		case c.New.IsZero() && found:
			after = slices.Delete(after, at, at+1)
		case c.New.IsZero():
		case found:
			after[at].OID = c.New
		default:
			after = slices.Insert(after, at, repo.Ref{Name: c.Ref, OID: c.New})
		}
	}
	return after
}

// Align returns the commands that turn the branches and tags of local into the declared ones, sorted by name.
func Align(local, declared []repo.Ref) []gitproto.Command {
	var commands []gitproto.Command
	differences(local, declared, func(c gitproto.Command) bool {
		commands = append(commands, c)
		return true
	})
	return commands
}

// Aligned reports whether the branches and tags of local are the declared ones.
func Aligned(local, declared []repo.Ref) bool {
	same := true
	differences(local, declared, func(gitproto.Command) bool {
		same = false
		return false
	})
	return same
}

// differences calls a function with each command that Align returns, until it returns false.
func differences(local, declared []repo.Ref, each func(gitproto.Command) bool) {
	i, j := 0, 0
	for i < len(local) || j < len(declared) {
		switch {
		case i < len(local) && !Declarable(local[i].Name):
			i++
		case j == len(declared) || i < len(local) && local[i].Name < declared[j].Name:
			if !each(gitproto.Command{Old: local[i].OID, New: repo.ZeroOID, Ref: local[i].Name}) {
				return
			}
			i++
		case i == len(local) || declared[j].Name < local[i].Name:
			if !each(gitproto.Command{Old: repo.ZeroOID, New: declared[j].OID, Ref: declared[j].Name}) {
				return
			}
			j++
		default:
			if local[i].OID != declared[j].OID && !each(gitproto.Command{Old: local[i].OID, New: declared[j].OID, Ref: local[i].Name}) {
				return
			}
			i++
			j++
		}
	}
}

func short(o repo.OID) string {
	if o.IsZero() {
		return "nothing"
	}
	return string(o[:8])
}

func refuse(requirement, reason string) policy.Ruling {
	return policy.Ruling{Decision: policy.Refuse, Prefix: "restricted", Reason: reason, Requirement: requirement}
}
