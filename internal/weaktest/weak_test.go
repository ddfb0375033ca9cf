package weaktest

import (
	"flag"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/mutate"
)

// A spot is a situation that is easily got wrong, the test or the scenario that has it, and a mistake with which that fails.
type spot struct {
	name, test string
	mistake    string // in words
	changes    []mutate.Change
	breaks     string // by a scenario, whose name has a slash
}

const folder = "reference/replicate/"

func spots() []spot {
	in := func(file string, texts ...string) (all []mutate.Change) {
		for i := 0; i < len(texts); i += 2 {
			all = append(all, mutate.Change{File: folder + file, Old: texts[i], New: texts[i+1]})
		}
		return all
	}
	return []spot{
		{"W-68", "weak/68-many-subscriptions", "old subscriptions stay beside the new one", in("live.go", "m.send(l, relay.Close{Sub: s.sub})\n\t\ts.until", "s.until"), "INV-41 sent-again"},
		{"W-69", "weak/69-a-crowd-returns", "who has failed keeps the room of a connection", in("connect.go", "\tm.open--\n", ""), "INV-07 lacks"},
		{"W-71", "weak/71-a-slow-first-answer", "nothing confirmed is taken for nothing wanted", in(
			"link.go", "return l.bootstrap || len(l.wanted)-l.asides > 1",
			"some := l.status != Syncing\n\tfor _, s := range l.wanted {\n\t\tsome = some || s.phase == confirmed\n\t}\n\treturn some && (l.bootstrap || len(l.wanted)-l.asides > 1)",
		), "INV-41 left-though-there"},
		{"W-72", "weak/72-short-gaps", "after an outage only what comes from then on is asked for", in("batch.go", "\t\tm.catchUp(l)\n", "\t\tl.since = 0\n"), "INV-07 lacks"},
		{"W-74", "weak/74-pages-of-what-is-here", "only what is new to the server counts on a page", in(
			"hear.go", "w.stage == paging && !w.page.takes(ev) {", "w.stage == paging && (m.have.Has(ev.ID) || !w.page.takes(ev)) {",
		), "INV-07 lacks"},
		{"W-76", "TestHistory", "only what was stored counts as got", in("reconcile.go", "\tw.got, w.some = true, true\n", ""), ""},
		{"W-77", "weak/77-a-second-pass", "what was refused counts as lacking", append(
			in("reconcile.go", "m.refused.items(now, items, w.matcher)", "items"),                              // it is not said to be there
			in("refused.go", "return !m.have.Has(id) && !m.refused.has(now, id)", "return !m.have.Has(id)")..., // and is asked for once it is named
		), "INV-41 refused-fetched-again"},
		{"W-77 over an end", "weak/77-refused-before-the-end", "the start forgets what was refused", []mutate.Change{
			{File: "reference/core/refusedmark.go", Old: "\tif !same {\n", New: "\tif true {\n"},
		}, "INV-41 refused-fetched-again"},
		{"W-78", "TestRefused", "what was refused is never judged again", in("refused.go", "\tif waits {", "\tif false {"), ""},
		{"W-79", "TestShadowed", "what is judged again stays among what waits", in("refused.go", "\t\t\tm.refused.remove(x)\n", ""), ""},
		{"W-80", "weak/80-released", "an announcement that is released changes nothing", in("want.go", "\tif served {\n", "\tif served && m.repos[id] == nil {\n"), "INV-07 lacks"},
		{"W-81", "weak/81-issues-first", "an issue counts only while its repository is known", in(
			"want.go", "\tfor _, key := range s.of {\n\t\tm.about[key] = inserted", "\tfor _, key := range s.of {\n\t\tif id, _ := repo.ParseCoordinate(key); m.repos[id] == nil {\n\t\t\tcontinue\n\t\t}\n\t\tm.about[key] = inserted",
		), "INV-07 lacks"},
		{"W-82", "TestSpellings", "addresses are compared as texts", in(
			"address.go", "return strings.TrimSuffix(scheme+strings.TrimPrefix(source.URL, u.Scheme), \"/\"), \"\"",
			"_ = source\n\treturn scheme + strings.TrimPrefix(u.String(), u.Scheme), \"\"",
		), ""},
		{"W-84", "TestAttemptsWithoutEnd", "an attempt has no limit", in("connect.go", "if l.until != 0 && l.until <= now {", "if false {"), ""},
		{"drips and a pass", "TestDripsHoldUpNoPass", "the daily pass waits for each relay", in("pass.go", "passMost = 10", "passMost = 100_000"), ""},
		{"drips without end", "TestDripsHoldUpNoPass", "an answer may go on for ever", in("walk.go", "min(now.Add(cfg.Answer), w.most)", "now.Add(cfg.Answer)"), ""},
		{"drips that hide", "TestDripsHideNothing", "others are asked only once a relay has answered", in(
			"goon.go", "		m.firstsOver(now, l)\n", "		l.firstUntil = 0\n",
		), ""},
		{"W-85", "weak/85-a-relapse", "one success makes all failures forgotten", in("goon.go", "l.health.failures > 0 && now >= l.opened.Add(m.cfg.Stable)", "l.health.failures > 0"), "INV-41 tried-too-often"},
		{"W-86", "weak/86-silence", "after a while silence is taken for an answer", in("walk.go", "m.walkEnds(now, l, w, \"no answer\")", "m.walkEnds(now, l, w, \"\")"), "INV-07 lacks"},
		{"W-86 of a comparison", "weak/86-silence", "silence to a comparison is taken for an answer", in("walk.go", "m.becomesPlain(now, l, \"no answer to NEG-OPEN\")", "m.walkEnds(now, l, w, \"\")"), "INV-07 lacks"},
		{"q of a repository", "weak/by-one-way", "nobody asks for what names a repository by q", in("filter.go", ", relay.Filter{Tags: tags('q', values)})\n\t\tcase roots", ")\n\t\tcase roots"), "INV-07 lacks"},
		{"q of an event", "weak/by-one-way", "nobody asks for what names a root event by q", in("filter.go", ", relay.Filter{Tags: tags('q', values)})\n\t\tcase authors", ")\n\t\tcase authors"), "INV-07 lacks"},
		{"patches", "weak/by-one-way", "answers to patches are not asked for", in("want.go", "return kind == kindPatch || kind", "return kind"), "INV-07 lacks"},
		{"lists of servers", "weak/by-one-way", "lists of servers lead to no relay", in("relays.go", "range m.lists[string(id.Owner)].relays {", "range []string(nil) {"), "INV-07 lacks"},
		{"lists of servers elsewhere", "weak/by-one-way", "nobody asks for lists of servers", in("filter.go", "policy.KindAnnouncement, policy.KindUserGraspList}})\n\t\tcase states", "policy.KindAnnouncement}})\n\t\tcase states"), "INV-07 lacks"},
		{"clone URLs", "weak/by-clone-url", "no GRASP server is known by a clone URL", in("relays.go", "\t\tadd(m.server(text))\n", "\t\t_ = text\n"), "INV-07 lacks"},
		{"withdrawn", "weak/withdrawn", "what is withdrawn is asked for on and on", in("want.go", "\t} else if old != nil {\n", "\t} else if old != nil {\n\t\treturn\n"), "INV-41 asked-for-nobody"},
		{"clocks of what is kept", "weak/kept", "the clocks of refs run on where a repository is kept with all of them", []mutate.Change{
			{File: "reference/core/retired.go", Old: "\ts.forgetPlaceholders(s.repositories[id], out) // all its refs are kept\n"},
		}, "G01-DEL-06 model-clock-of-kept"},
		{"what was kept first", "weak/kept", "a start takes what is kept for kept since then", []mutate.Change{
			{File: "reference/core/start.go", Old: "a.stored && !a.vouched {", New: "a.stored {"},
		}, "G01-DEL-06 model-marked"},
		{"states of nobody", "weak/kept", "states wait on for an announcement that names another service", []mutate.Change{
			{File: "reference/core/announcement.go", Old: "\tif withdrawn {\n\t\ts.announcementGone", New: "\tif false {\n\t\ts.announcementGone"},
		}, "REF-PURG-22 model-deserted"},
		{"what refs have left", "weak/kept", "what a ref has left goes at once", []mutate.Change{
			{File: "reference/core/tidy.go", Old: "\t\tif now < d.at.Add(s.cfg.TidyGrace) {\n", New: "\t\tif false {\n"},
		}, "INV-16 left-object-removed"},
		{"W-87", "weak/87-no-room", "a reason that passes excludes for days", in("refused.go", "\tl.failed = append(l.failed, it)\n", ""), "INV-07 lacks"},
	}
}

// built is how many mistakes a run plants, drawn anew by each: every one is a build of its own, of five seconds.
const built = 3

var every = flag.Bool("weak.all", false, "plant every mistake, not some that are drawn")

// With -short it is only seen that each mistake still has its place in the source, and so of those that are not drawn.
func TestWeakSpots(t *testing.T) {
	drawn := map[int]bool{}
	for _, i := range rand.Perm(len(spots()))[:built] {
		drawn[i] = true
	}
	for i, s := range spots() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			overlay, err := mutate.Plant("../..", t.TempDir(), s.changes)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() || !drawn[i] && !*every {
				return
			}
			if s.breaks != "" {
				s.scenario(t, overlay)
				return
			}
			out, err := command(t, "go", "test", "-overlay", overlay, "-run", "^"+s.test+"$", "./"+folder)
			switch {
			case err == nil:
				t.Errorf("%s holds although %s (again: go test ./internal/weaktest -run '/%s$' -args -weak.all)", s.test, s.mistake, s.name)
			case !strings.Contains(out, "--- FAIL: "+s.test) && !strings.Contains(out, "panic: "):
				t.Errorf("got no verdict of %s: %v\n%s", s.test, err, out)
			}
		})
	}
}

// scenario runs the scenario of a spot, as the command does, with the mistake in the program.
func (s spot) scenario(t *testing.T, overlay string) {
	program := filepath.Join(t.TempDir(), "grasp-sim")
	if out, err := command(t, "go", "build", "-overlay", overlay, "-o", program, "./cmd/grasp-sim"); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	out, err := command(t, program, "run", s.test, "--seeds", "1-4", "--keep-going")
	switch {
	case err == nil:
		t.Errorf("%s holds although %s (again: go test ./internal/weaktest -run '/%s$' -args -weak.all)", s.test, s.mistake, s.name)
	case !strings.Contains(out, "VIOLATED "+s.breaks+" on "):
		t.Errorf("got no violation of %s, want %s: %v\n%.2000s", s.test, s.breaks, err, out)
	}
}

// command runs a command at the root of the module.
func command(t *testing.T, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = "../.."
	out, err := cmd.CombinedOutput()
	return string(out), err
}
