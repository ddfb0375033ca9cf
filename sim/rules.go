package sim

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim/model"
	"github.com/graspkit/graspkit/sim/workload"
)

// ruled has a server follow the rules of the scenario.
func (w *World) ruled(server int, cfg *core.Config) {
	r := w.scenario.Rules
	cfg.MinWork = r.Work
	if r.Reciprocal {
		cfg.Model = repo.Reciprocal
	}
	cfg.Contributions.On = scenarios.At(r.Contributors, server+1)
	if scenarios.At(r.Private, server+1) {
		cfg.Private, cfg.Sync.Identity = core.PrivateConfig{On: true, Members: w.members()}, true
	}
	cfg.Archive.ReadOnly = scenarios.At(r.ReadOnly, server+1)
	if r.Archived(server + 1) {
		cfg.Archive.Scope = &policy.Scope{}
		for _, entry := range w.archived(server) {
			if err := cfg.Archive.Scope.Add(entry); err != nil {
				panic(fmt.Sprintf("sim: invariant: archive of %s: %v", entry, err))
			}
		}
	}
	if r.Authors == nil && r.Blocked == nil && r.Allowed == nil {
		return
	}
	cfg.Lists = &policy.Lists{}
	for _, l := range []struct {
		names []string
		list  *policy.List
	}{{r.Authors, &cfg.Lists.Authors}, {r.Blocked, &cfg.Lists.Blocked}, {r.Allowed, &cfg.Lists.Allowed}} {
		for _, name := range l.names {
			if err := l.list.Add(w.entry(name)); err != nil {
				panic(fmt.Sprintf("sim: invariant: rule %s: %v", name, err))
			}
		}
	}
}

// entry is what a name of the scenario means, as operators write it.
func (w *World) entry(name string) string {
	key, identifier := w.meant(name)
	switch {
	case w.numberOf(name) > 0:
		return w.scenario.OriginOf(w.numberOf(name))
	case key == "":
		return identifier
	case identifier == "":
		return npubOf(key)
	}
	return npubOf(key) + "/" + identifier
}

// archived are the entries of the archive of a server.
func (w *World) archived(server int) []string {
	var list []string
	if !w.scenario.Rules.Archived(server + 1) {
		return nil
	}
	for _, name := range w.scenario.Rules.Archive {
		list = append(list, w.entry(name))
	}
	return list
}

// modeled are the rules as the model has them.
func (w *World) modeled(server int) model.Rules {
	r := w.scenario.Rules
	named := func(names []string) []model.Named {
		var list []model.Named
		for _, name := range names {
			key, identifier := w.meant(name)
			list = append(list, model.Named{Key: string(key), Identifier: identifier})
		}
		return list
	}
	out := model.Rules{
		Reciprocal: r.Reciprocal, Work: r.Work, Authors: named(r.Authors), Blocked: named(r.Blocked), Allowed: named(r.Allowed),
		Private: scenarios.At(r.Private, server+1), ReadOnly: scenarios.At(r.ReadOnly, server+1), Contributions: scenarios.At(r.Contributors, server+1),
	}
	if !r.Archived(server + 1) {
		return out
	}
	for _, name := range r.Archive {
		n := w.numberOf(name)
		switch {
		case n > 0:
			other := w.services()[n-1]
			out.ArchiveOf = append(out.ArchiveOf, other.Host+other.Base)
		case name == "all":
			out.Archive = append(out.Archive, model.Named{})
		default:
			out.Archive = append(out.Archive, named([]string{name})...)
		}
	}
	return out
}

// numberOf is the number of the server of that name; 0 if there is none.
func (w *World) numberOf(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "server"))
	if err != nil || !strings.HasPrefix(name, "server") || n > w.scenario.Servers {
		return 0
	}
	return n
}

// meant is whom and what a name of the scenario means: somebody, a repository of theirs, or an identifier.
func (w *World) meant(name string) (key repo.PubKey, identifier string) {
	who, identifier, _ := strings.Cut(name, "/")
	for _, p := range w.projects {
		for _, role := range []workload.Role{workload.Owner, workload.Maintainer, workload.Stranger} {
			if p.Name(role) == who {
				return p.ID(role).Owner, identifier
			}
		}
	}
	if identifier != "" {
		panic("sim: invariant: a rule about nobody: " + name)
	}
	return "", name
}

// npubOf is a key as operators write it.
func npubOf(key repo.PubKey) string {
	npub, err := nip19.EncodePublicKey(string(key))
	if err != nil {
		panic("sim: invariant: key of a rule: " + err.Error())
	}
	return npub
}
