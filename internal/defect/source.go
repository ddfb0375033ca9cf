package defect

import "github.com/graspkit/graspkit/reference/core"

// inSource is a defect of the source itself, where no seam is near. A build of this module with the edits of Edits can be
// asked for it; in every other build the defect changes nothing.
func inSource(name string) Defect {
	return Defect{Name: name, InSource: true, Config: func(c *core.Config) { plant(c, name) }}
}

func plant(*core.Config, string) {}

// An Edit puts one text in the place of another, which a source has once.
type Edit struct {
	File     string // as seen from the root of the module
	Old, New string
}

// Edits are what the defects of the source need: the places of the mistakes, each behind its name, and the setting that
// names one.
func Edits() []Edit {
	const (
		held   = "reference/core/event.go"
		hunted = "reference/core/huntneed.go"
	)
	mistake := func(name, does string) string { return "if s.cfg.Planted == \"" + name + "\" {\n" + does + "\n}\n" }
	host := func(name, does string) string { return "if h.cfg.Planted == \"" + name + "\" {\n" + does + "\n}\n" }
	before := func(file, line, insert string) Edit { return Edit{file, line, insert + line} }
	after := func(file, line, insert string) Edit { return Edit{file, line, line + "\n" + insert} }
	return append(coreEdits(before, after, mistake),
		Edit{"internal/defect/source.go", "\nfunc plant(*core.Config, string) {}\n", "\nfunc plant(c *core.Config, name string) { c.Planted = name }\n"},
		after("reference/core/config.go", "type Config struct {", "Planted string"),
		after("reference/hunt/hunt.go", "type Config struct {", "Planted string"),
		Edit{"reference/core/hunting.go", "FetchLife: cfg.Hunt.FetchLife,", "FetchLife: cfg.Hunt.FetchLife, Planted: cfg.Planted,"},

		after("reference/core/soft.go", "} else if ok {", mistake("revival-for-the-day", "deadline = entry.Deadline")),
		after("reference/core/announcement.go",
			"func (s *Server) extend(now instant.Instant, entry *purgatory.Entry, out *Effects) {", mistake("extensions-forgotten", "return")),
		before(held, "s.duplicate(conns, ev, textHeldAlready, out)", mistake("duplicates-extend", "s.extend(now, entry, out)")),
		before("reference/core/push.go", "s.held.Pin(e)\n\t\tp.pinned", mistake("nothing-pinned", "return")),
		before(hunted, "ok := false\n", mistake("later-events-delay", "if fresh { x.queue.Remove(now, identifier) }")+
			mistake("backoff-goes-on", "fresh = fresh && !x.queue.Hunted(identifier)")),

		before("reference/hunt/attempt.go", "for _, s := range p.sources {\n\t\t\tif !s.tried && s.wanted() {\n\t\t\t\th.enqueue",
			host("busy-hosts-passed-by", "break")),
		after("reference/hunt/queue.go", "x.ready.push(p)\n\t\th.touch(x)", host("turns-not-taken",
			"for q := x.ready.first; q != p; q = x.ready.first { x.ready.remove(q); x.ready.push(q) }")),
		before("reference/hunt/host.go", "h.wakes.push(x)\n\tcase x.ready.n == 0", host("hosts-woken-late", "x.wake = max(x.wake, now).Add(BackoffMax / 4)")),
	)
}
