package judgetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/internal/defect"
)

// A mistake that nothing finds may be none. Each of the list is therefore shown by the shortest conversation that tells it
// from the reference. That is held in virtual time: what shows on real sockets only is left out.
func TestUncaughtDefectsShow(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	for _, name := range spec.Missed() {
		if slices.Contains(onSockets, name) || slices.Contains(apart, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script, d := scripts()[name], defect.Defect{}
			if script == nil {
				t.Fatal("got no conversation that shows it")
			}
			planted, _ := defect.Lookup(name)
			d.Web = planted.Web
			honest, wrong := saw(t, d, script), saw(t, planted, script)
			if slices.Equal(honest, wrong) {
				t.Errorf("got the same from both:\n%s", strings.Join(honest, "\n"))
			}
			t.Logf("the reference:\n%s\nwith the mistake:\n%s", strings.Join(honest, "\n"), strings.Join(wrong, "\n"))
		})
	}
}

// saw is what a probe writes down.
func saw(t *testing.T, d defect.Defect, script func(*probe)) []string {
	t.Helper()
	on := simulated(d)
	p := newProbe(t, on)
	script(p)
	p.relay.Close()
	return p.log
}

// scripts are the conversations, by the mistake that they show.
func scripts() map[string]func(*probe) {
	all := map[string]func(*probe){}
	for _, some := range []map[string]func(*probe){
		eventScripts(), severalScripts(), queryScripts(), answerScripts(), browserScripts(), phaseScripts(), timeScripts(),
	} {
		for name, script := range some {
			all[name] = script
		}
	}
	return all
}
