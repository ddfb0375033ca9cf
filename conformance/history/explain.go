package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// toldMax is how many operations around the one that no order explains are told.
const toldMax = 12

// explain tells the first answer that no order explains, and as few others as it takes.
func (m *machine) explain(ops []Operation) string {
	ops = slices.Clone(ops)
	slices.SortFunc(ops, func(a, b Operation) int { return cmp.Compare(a.Return, b.Return) })
	at := slices.IndexFunc(ops, func(o Operation) bool { return m.search(until(ops, o.Return)) == Unexplained })
	if at < 0 {
		return "no order of the signed states explains what was seen"
	}
	culprit := ops[at]
	ops = until(ops, culprit.Return)
	for i := len(ops) - 1; i >= 0; i-- { // what was only seen is left out where it takes nothing away
		if ops[i].Call == culprit.Call || ops[i].changes() {
			continue
		}
		if without := slices.Delete(slices.Clone(ops), i, i+1); m.search(without) == Unexplained {
			ops = without
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "no order of the signed states explains that %s", m.tell(culprit))
	told := m.around(ops, culprit)
	if len(told) > 0 {
		b.WriteString("; around it: ")
		b.WriteString(strings.Join(told, "; "))
	}
	return b.String()
}

// until is a history up to a moment: what ends later is not answered yet.
func until(ops []Operation, moment int64) []Operation {
	var cut []Operation
	for _, o := range ops {
		switch {
		case o.Call > moment:
			continue
		case o.Return > moment && !o.changes():
			continue
		case o.Return > moment && o.Kind != Restart:
			o.Result, o.Commands = Unknown, slices.Clone(o.Commands)
			for i := range o.Commands {
				o.Commands[i].OK = false
			}
		}
		cut = append(cut, o)
	}
	return cut
}

// around tells the others of a short history in the order of their ends, the last ones if they are many, and what the states say.
func (m *machine) around(ops []Operation, culprit Operation) []string {
	var told []string
	for _, o := range ops {
		if o.Call != culprit.Call {
			told = append(told, m.tell(o))
		}
	}
	if left := len(told) - toldMax; left > 0 {
		told = append([]string{fmt.Sprintf("%d more before", left)}, told[left:]...)
	}
	return told
}

// tell is one operation in words, with its moments, and its times in seconds.
func (m *machine) tell(o Operation) string {
	who := fmt.Sprintf("client %d", o.Client+1)
	what := ""
	switch o.Kind {
	case Publish:
		what = fmt.Sprintf("%s published %s, %s", who, m.state(o.State), o.Result)
	case Delete:
		what = fmt.Sprintf("%s asked to delete %s, %s", who, m.state(o.State), o.Result)
	case Push:
		what = fmt.Sprintf("%s pushed %s, %s", who, m.commands(o), o.Result)
	case Read:
		what = fmt.Sprintf("%s was shown %s", who, m.refs(o.Refs))
		if o.Settled {
			what = fmt.Sprintf("%s was shown %s at the end", who, m.refs(o.Refs))
		}
		if o.Stray != "" {
			what = fmt.Sprintf("%s was shown %s, which no state says", who, o.Stray)
		}
	case Query:
		var states []string
		for _, i := range o.Served {
			states = append(states, m.state(i))
		}
		what = fmt.Sprintf("%s found served: %s", who, cmp.Or(strings.Join(states, ", "), "no state"))
		if o.Unsigned != "" {
			what = fmt.Sprintf("%s found served the event %s, which nobody has made", who, o.Unsigned)
		}
	case Restart:
		what = "the server was restarted"
	}
	return fmt.Sprintf("%s (%d to %d, %s to %s s)", what, o.Call, o.Return, seconds(o.Began), seconds(o.Ended))
}

func seconds(milliseconds int64) string {
	return fmt.Sprintf("%d.%03d", milliseconds/1000, milliseconds%1000)
}

// state is a state in words.
func (m *machine) state(i int) string {
	s := m.repo.States[i]
	return fmt.Sprintf("state %d of the %s (%s)", m.rank[i]+1, m.repo.Authors[s.Author], m.refs(s.Refs))
}

// refs are refs in words.
func (m *machine) refs(refs Refs) string {
	var words []string
	for i, name := range m.repo.Refs {
		if refs[i] != None {
			words = append(words, short(name)+"="+m.object(refs[i]))
		}
	}
	return cmp.Or(strings.Join(words, " "), "no refs")
}

// commands are those of a push in words.
func (m *machine) commands(o Operation) string {
	var words []string
	for _, c := range o.Commands {
		words = append(words, fmt.Sprintf("%s from %s to %s", short(m.repo.Refs[c.Ref]), m.object(c.Old), m.object(c.New)))
		if mixed := o.done(); len(mixed) > 0 && len(mixed) < len(o.Commands) {
			words[len(words)-1] += map[bool]string{true: " (done)", false: " (not done)"}[c.OK]
		}
	}
	return strings.Join(words, ", ")
}

func (m *machine) object(o Object) string {
	switch {
	case o == None:
		return "nothing"
	case int(o) > len(m.repo.Objects):
		return "an object that nobody has made"
	}
	return m.repo.Objects[o-1]
}

func short(ref string) string { return strings.TrimPrefix(ref, "refs/heads/") }

// String is the result in words.
func (r Result) String() string { return [...]string{"not answered", "accepted", "refused"}[r] }
