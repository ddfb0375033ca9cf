package defect

import (
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// signatureDefects are mistakes with events that are not what they say, for the kinds that have consequences.
func signatureDefects() []Defect {
	return []Defect{
		{Name: "unsigned-announcements-taken", Filter: trusted(policy.KindAnnouncement, false)},
		{Name: "unsigned-states-taken", Filter: trusted(policy.KindState, false)},
		{Name: "unsigned-pull-requests-taken", Filter: trusted(policy.KindPullRequest, false)},
		{Name: "unsigned-updates-taken", Filter: trusted(policy.KindPullRequestUpdate, false)},
		{Name: "unsigned-deletions-taken", Filter: trusted(policy.KindDeletion, false)},
		{Name: "states-of-any-id-taken", Filter: trusted(policy.KindState, true)},
		{Name: "deletions-of-any-id-taken", Filter: trusted(policy.KindDeletion, true)},
		{Name: "refused-deletions-applied", Filter: applied(policy.KindDeletion)},
		{Name: "refused-states-applied", Filter: applied(policy.KindState)},
		{Name: "refused-announcements-applied", Filter: applied(policy.KindAnnouncement)},
	}
}

// trusted takes the signature of a kind for right, and with ids its id as well.
func trusted(kind int, ids bool) func() Filter {
	return in(func(m core.Message) core.Message {
		if ev, ok := m.Msg.(relay.Event); ok && ev.Event.Kind == kind {
			ev.IDOK = ev.IDOK || ids
			m.Msg, m.SigOK = ev, m.SigOK || ev.IDOK
		}
		return m
	})
}

// applied refuses events of a kind whose signature is wrong, and carries them out.
func applied(kind int) func() Filter {
	return func() Filter {
		return Filter{Also: func(i core.Input, _ []core.Effect) []core.Input {
			m, _ := i.(core.Message)
			ev, ok := m.Msg.(relay.Event)
			if !ok || m.SigOK || !ev.IDOK || ev.Event.Kind != kind {
				return nil
			}
			m.SigOK = true
			return []core.Input{m}
		}}
	}
}
