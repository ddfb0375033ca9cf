package weaktest

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/mutate"
)

// A spot is a situation that is easily got wrong, the test that has it, and a mistake with which that fails.
type spot struct {
	name, test string
	mistake    string // in words
	changes    []mutate.Change
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
		{"W-68", "TestSubscriptionsGrowWithWhatIsNew", "old subscriptions stay beside the new one", in("live.go", "m.send(l, relay.Close{Sub: s.sub})\n\t\ts.until", "s.until")},
		{"W-69", "TestAttemptsWithoutEnd", "an attempt has no limit", in("connect.go", "if l.until != 0 && l.until <= now {", "if false {")},
		{"W-71", "TestAnswersWithoutEnd", "nothing confirmed is taken for nothing wanted", in(
			"link.go", "return l.bootstrap || len(l.wanted)-l.asides > 1",
			"some := l.status != Syncing\n\tfor _, s := range l.wanted {\n\t\tsome = some || s.phase == confirmed\n\t}\n\treturn some && (l.bootstrap || len(l.wanted)-l.asides > 1)",
		)},
		{"W-72", "TestGaps", "after an outage only what comes from then on is asked for", in("batch.go", "\t\tm.catchUp(l)\n", "\t\tl.since = 0\n")},
		{"W-74", "TestHistory", "only what is new to the server counts on a page", in(
			"hear.go", "w.stage == paging && !w.page.takes(ev) {", "w.stage == paging && (m.have.Has(ev.ID) || !w.page.takes(ev)) {",
		)},
		{"W-76", "TestHistory", "only what was stored counts as got", in("reconcile.go", "\tw.got, w.some = true, true\n", "")},
		{"W-77", "TestRefused", "what was refused counts as lacking", append(
			in("reconcile.go", "m.refused.items(now, items, w.matcher)", "items"),                              // it is not said to be there
			in("refused.go", "return !m.have.Has(id) && !m.refused.has(now, id)", "return !m.have.Has(id)")..., // and is asked for once it is named
		)},
		{"W-78", "TestRefused", "what was refused is never judged again", in("refused.go", "\tif waits {", "\tif false {")},
		{"W-79", "TestShadowed", "what is judged again stays among what waits", in("refused.go", "\t\t\tm.refused.remove(x)\n", "")},
		{"W-80", "TestLayers", "an announcement that is released changes nothing", in("want.go", "\tif served {\n", "\tif served && m.repos[id] == nil {\n")},
		{"W-81", "TestIssueBeforeItsRepository", "an issue counts only while its repository is known", in(
			"want.go", "\tfor _, key := range s.of {\n\t\tm.about[key] = inserted", "\tfor _, key := range s.of {\n\t\tif id, _ := repo.ParseCoordinate(key); m.repos[id] == nil {\n\t\t\tcontinue\n\t\t}\n\t\tm.about[key] = inserted",
		)},
		{"W-82", "TestSpellings", "addresses are compared as texts", in(
			"address.go", "return strings.TrimSuffix(scheme+strings.TrimPrefix(source.URL, u.Scheme), \"/\"), \"\"",
			"_ = source\n\treturn scheme + strings.TrimPrefix(u.String(), u.Scheme), \"\"",
		)},
		{"W-84", "TestAttemptsWithoutEnd", "an attempt has no limit", in("connect.go", "if l.until != 0 && l.until <= now {", "if false {")},
		{"W-85", "TestRelapse", "one success makes all failures forgotten", in("goon.go", "l.health.failures > 0 && now >= l.opened.Add(m.cfg.Stable)", "l.health.failures > 0")},
		{"W-87", "TestPassingRefusals", "a reason that passes excludes for days", in("refused.go", "\t\tl.failed = append(l.failed, it)\n", "")},
		{"W-86", "TestAnswersWithoutTheirEnd", "after a while an answer is taken for complete", in("walk.go", "\t\tm.turned(now, l, w)\n\tdefault:", "\t\tm.walkEnds(now, l, w, \"\")\n\tdefault:")},
	}
}

// With -short it is only seen that each mistake still has its place in the source.
func TestWeakSpots(t *testing.T) {
	for _, s := range spots() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			overlay, err := mutate.Plant("../..", t.TempDir(), s.changes)
			if err != nil {
				t.Fatal(err)
			}
			if testing.Short() {
				return // each mistake is a build of its own
			}
			cmd := exec.CommandContext(t.Context(), "go", "test", "-overlay", overlay, "-run", "^"+s.test+"$", "./"+folder)
			cmd.Dir = "../.."
			out, err := cmd.CombinedOutput()
			switch text := string(out); {
			case err == nil:
				t.Errorf("%s holds although %s", s.test, s.mistake)
			case !strings.Contains(text, "--- FAIL: "+s.test) && !strings.Contains(text, "panic: "):
				t.Errorf("got no verdict of %s: %v\n%s", s.test, err, text)
			}
		})
	}
}
