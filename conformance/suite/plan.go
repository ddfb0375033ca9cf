package suite

import (
	"fmt"
	"strconv"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/features"
)

// decide says, without asking the target anything, whether a check runs: the outcome held, or the
// verdict of a check that does not run. The first reason found counts.
func (r *run) decide(c features.Check) outcome {
	if down := r.isDown(); down != "" {
		return blockedDown(down)
	}
	world := worldOf(r.target)
	switch {
	case c.Has("sim-only") && world != "sim":
		return outcome{verdict: SimOnly, reason: because(c)}
	case c.Has("live-only") && world == "sim":
		return outcome{verdict: LiveOnly, reason: because(c)}
	}
	if out := r.conditions(c); !out.held() {
		return out
	}
	switch {
	case !c.Has("read-only") && !r.mayWrite():
		return blocked("it writes to a server that is not on loopback", "--write")
	case c.Has("hostile") && !r.loopback && !r.cfg.AllowHostile:
		return blocked("it sends hostile input to a server that is not on loopback", "--allow-hostile")
	case !r.loopback && !r.cfg.Heavy && r.registry.estimate(c).Largest > HeavyBytes:
		return blocked(fmt.Sprintf("it pushes %s to a server that is not on loopback", megabytes(r.registry.estimate(c).Largest)), "--heavy")
	}
	return r.mayEnter(c).then(func() outcome { return r.powers(c) })
}

// blockedDown is the outcome of every check that meets a dead target.
func blockedDown(why string) outcome {
	return blocked("the target is down: "+why, "see that the server runs and answers at this URL")
}

func because(c features.Check) string {
	why, _ := c.Value("because:")
	return why
}

// conditions judges the conditions that the relay information document decides.
func (r *run) conditions(c features.Check) outcome {
	if v, ok := c.Value("needs:nip="); ok {
		number, _ := strconv.Atoi(v)
		if !r.facts.nips[number] {
			return notApplicable("NIP-%02d is not listed", number)
		}
	}
	if v, ok := c.Value("needs:grasp="); ok {
		number, _ := strconv.Atoi(v)
		if !r.facts.grasps[number] {
			return notApplicable("GRASP-%02d is not listed", number)
		}
	}
	if c.Has("needs:one-sided") && r.cfg.Model == "reciprocal" {
		return notApplicable("the maintainers of the check do not list back")
	}
	if c.Has("needs:two-sided") && r.cfg.Model != "reciprocal" {
		return notApplicable("nobody has said that maintainers have to list back here")
	}
	if len(c.Requirements) == 0 {
		return harnessError("no requirement")
	}
	row, _ := spec.Lookup(c.Requirements[0])
	for _, condition := range row.Conditions {
		listed := true
		switch condition.Kind {
		case spec.NIPListed:
			listed = r.facts.nips[condition.Number]
		case spec.GRASPListed:
			listed = r.facts.grasps[condition.Number]
		case spec.GRASPNotListed:
			listed = !r.facts.grasps[condition.Number]
		case spec.GitFetching:
			listed = r.facts.grasps[2] || worldOf(r.target) != "live"
		case spec.ReferenceWorld:
			listed = worldOf(r.target) != "live"
		default: // judged elsewhere: by the score, or right before the check
		}
		if !listed {
			return notApplicable("condition does not hold: %v", condition)
		}
	}
	return outcome{}
}

// powers judges what the check needs of the target and of the time budget.
func (r *run) powers(c features.Check) outcome {
	movable := r.movable()
	_, raw := r.target.(target.RawDialer)
	_, kill := r.target.(target.Killer)
	_, restart := r.target.(target.Restarter)
	_, stall := r.target.(target.Staller)
	_, weight := r.target.(target.Weigher)
	membered := r.membered() != nil
	hosts, offered := r.target.(target.Hosts)
	relays, followable := r.target.(target.Relays)
	switch {
	case r.registry.needs(c, "relays") && (!followable || !relays.Reachback()):
		return blocked("the server cannot reach relays of ours", "--reachback HOST")
	case r.registry.needs(c, "reachback") && (!offered || !hosts.Reachback()):
		return blocked("the server cannot reach git hosts of ours", "--reachback HOST")
	case r.registry.needs(c, "clock") && !movable:
		return blocked("the target's clock cannot be moved", "judge the simulated or the served reference")
	case r.registry.needs(c, "raw") && !raw:
		return blocked("the target has no bare connections", "judge a server by its URL")
	case r.registry.needs(c, "stall") && !stall:
		return blocked("no push of the target can be made to take its time", "judge the simulated or the served reference")
	case r.registry.needs(c, "weight") && !weight:
		return blocked("the memory of the target cannot be read: it has no process of its own here", "let --launch start it")
	case r.registry.needs(c, "members") && !membered && len(r.cfg.Keys) < len(memberNames()):
		return blocked("nobody here is known to be a member", unlockMembers)
	case r.registry.needs(c, "membership") && !membered:
		return blocked("a member is dismissed by the operator, for which the run has no command", "--members-cmd, with which the run says who the members are")
	case r.registry.needs(c, "restart") && !restart:
		return blocked("the target cannot be restarted"+r.lacking("restart"), "let --launch start it, or give --restart-cmd")
	case r.registry.needs(c, "kill") && !kill:
		return blocked("the target cannot be crashed"+r.lacking("kill"), "let --launch start it, or give --kill-cmd")
	case c.Wait() > 0 && !movable && r.cfg.TimeBudget < c.Wait() && !r.leaps(c):
		return blocked(fmt.Sprintf("it waits %v in real time", c.Wait()), fmt.Sprintf("--time-budget %.0fm", c.Wait().Minutes()))
	case r.registry.needs(c, "git"):
		return withoutGit(r.target)
	}
	return outcome{}
}

// lacking is why the target has not got a power that it was meant to have, as the end of a sentence.
func (r *run) lacking(power string) string {
	if l, is := r.target.(target.Lacking); is && l.Lacks(power) != "" {
		return ": " + l.Lacks(power)
	}
	return ""
}

// precondition judges, right before a check, the conditions that take a look at the target.
func (r *run) precondition(w *world) outcome {
	row, _ := spec.Lookup(w.check.Requirements[0])
	for _, condition := range row.Conditions {
		if condition.Kind != spec.PurgatoryDetected {
			continue
		}
		announcements := r.lighthouse.holding(w.ctx, client.KindAnnouncement)
		states := r.lighthouse.holding(w.ctx, client.KindState)
		switch {
		case announcements == holdingYes || states == holdingYes:
		case announcements == holdingUnknown || states == holdingUnknown:
			if out := r.lighthouse.ready(w.ctx); !out.held() {
				return out
			}
			return outcome{verdict: Inconclusive, reason: "whether events are held could not be found out"}
		default:
			return notApplicable("condition does not hold: %v", condition)
		}
	}
	return r.holdsAll(w)
}

// mayWrite reports whether anything may be published: a target that is not on loopback is only read from without leave.
func (r *run) mayWrite() bool { return r.loopback || r.cfg.Write }
