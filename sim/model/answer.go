package model

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
)

// message takes what a client says.
func (m *Model) message(in core.Message) {
	if m.keepsOut(in) {
		return
	}
	switch msg := in.Msg.(type) {
	case relay.Event:
		m.arrive(in.Conn, msg.Event, msg.IDOK, in.SigOK)
	case relay.Req:
		m.asked(in.Conn, msg)
	case relay.Count:
		m.counted(in.Conn, msg)
	case relay.Close:
		m.clients.close(in.Conn, msg.Sub)
	case relay.Auth:
		m.shows(in.Conn, msg.Event, msg.IDOK && in.SigOK)
	case relay.NegOpen:
		m.reconciles(in.Conn, msg)
	case relay.NegMessage:
		m.goesOn(in.Conn, msg)
	case relay.NegClose:
		if x := m.clients.byConn[in.Conn]; x != nil {
			x.endSet(msg.Sub)
		}
	}
}

// answer judges an OK.
func (m *Model) answer(conn core.ConnID, ok relay.OK) {
	if !ok.Accepted && !isPrefixed(ok.Text) {
		m.differ("N01-EV-01", "no-prefix", "event %s is refused with %q, which begins with no prefix of NIP-01", ok.ID, ok.Text)
		return
	}
	if strings.HasPrefix(ok.Text, "purgatory:") && ok.Text != textHeld {
		m.differ("G01-PURG-01", "purgatory-text", "event %s is answered %q, want %q", ok.ID, ok.Text, textHeld)
		return
	}
	if m.proved(conn, ok) {
		return
	}
	if e := m.entries[ok.ID]; e != nil && ok.Accepted {
		m.oks = append(m.oks, e)
	}
	for i := range m.step.wants {
		if w := &m.step.wants[i]; w.conn == conn && w.id == ok.ID && !w.answered {
			w.answered = true
			w.outs = fitting(w.outs, ok)
			if len(w.outs) == 0 {
				m.differ("N01-EV-01", "other-answer", "event %s of kind %d is answered %v %q, want another answer",
					ok.ID, w.e.ev.Kind, ok.Accepted, ok.Text)
			}
			return
		}
	}
	e := m.entries[ok.ID]
	if e == nil || !slices.Contains(e.waits, conn) {
		e = m.work.ended(ok.ID)
	}
	if e == nil || !slices.Contains(e.waits, conn) {
		m.differ("N01-EV-01", "unasked-answer", "connection %d is told OK %v %q of event %s, for which it waits no more",
			conn, ok.Accepted, ok.Text, ok.ID)
		return
	}
	at := slices.Index(e.waits, conn)
	e.waits = slices.Delete(e.waits, at, at+1)
	m.lateAnswer(e, ok)
}

func fitting(outs []outcome, ok relay.OK) []outcome {
	return slices.DeleteFunc(slices.Clone(outs), func(o outcome) bool {
		return o.accepted != ok.Accepted || o.prefix == "" && ok.Text != "" || !strings.HasPrefix(ok.Text, o.prefix)
	})
}

func isPrefixed(text string) bool {
	prefix, _, ok := strings.Cut(text, ":")
	return ok && slices.Contains([]string{
		"duplicate", "pow", "blocked", "rate-limited", "invalid", "restricted", "mute", "error", "auth-required",
	}, prefix)
}

// lateAnswer judges the answer to an event for which the shell had to look.
func (m *Model) lateAnswer(e *entry, ok relay.OK) {
	fits := false
	switch {
	case ok.Accepted && ok.Text == "":
		fits = e.phase == stored
	case ok.Accepted && ok.Text == textHeld:
		fits = e.phase == held
	default:
		if e.phase == arriving {
			m.work.ends(e)
			m.leaves(e)
		}
		fits = len(fitting(m.refusals(e), ok)) > 0 && e.phase == nowhere
	}
	if !fits {
		m.differ("N01-EV-01", "late-answer", "event %s of kind %d is answered %v %q, which is not what became of it",
			e.ev.ID, e.ev.Kind, ok.Accepted, ok.Text)
	}
}

// refusals are the ways in which an event may be answered that was taken in and came to nothing.
func (m *Model) refusals(e *entry) []outcome {
	outs, _ := m.crowded(e)
	if m.tombs.cover(&e.ev) || m.sunk(e) {
		outs = append(outs, outBlocked)
	}
	if a, ok := e.address(); ok && m.latest[a] != nil && !newer(&e.ev, &m.latest[a].ev) {
		outs = append(outs, outNewer)
	}
	if there := m.room(e.d).announced(e.ev.PubKey); e.announcement && there != nil && !newer(&e.ev, &there.ev) {
		outs = append(outs, outDuplicate)
	}
	if m.outlived(&e.ev) {
		outs = append(outs, outInvalid)
	}
	if m.work.closing {
		outs = append(outs, outDuplicate)
	}
	for _, identifier := range e.rooms() {
		if r := m.room(identifier); m.ailing(r) || r.orders+r.pushing+m.coming >= waitingMost {
			outs = append(outs, outFull, outCrowded)
		}
	}
	return outs
}

// unanswered judges that every answer that is due in this step has come, and that the event became what was told.
func (m *Model) unanswered() {
	s := &m.step
	for _, w := range s.wants {
		if !w.answered && w.conn != 0 {
			m.differ("N01-EV-01", "not-answered", "event %s is not answered in the step in which it came", w.id)
			continue
		}
		fits := func(o outcome) bool { return s.became(w.e, o.becomes) }
		if len(w.outs) > 0 && !slices.ContainsFunc(w.outs, fits) && (!w.may || w.e.phase != nowhere) {
			m.differ("N01-EV-03", "became-otherwise", "event %s of kind %d became %s, want %s", w.id, w.e.ev.Kind,
				w.e.phase, w.outs[0].becomes)
		}
		if e := m.entries[w.id]; e != nil && (e.phase == nowhere || e.phase == passing) {
			delete(m.entries, w.id)
		}
	}
}

// became reports whether an arrival is what an outcome says: one that was held may have been served at once behind it.
func (s *step) became(e *entry, p phase) bool {
	return e.phase == p || p == held && e.phase == stored && slices.Contains(s.holds, e.ev.ID)
}

// String is for reports.
func (p phase) String() string {
	return [...]string{"nothing", "arriving", "held", "stored", "passed on"}[p]
}
