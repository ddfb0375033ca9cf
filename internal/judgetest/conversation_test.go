package judgetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/defect"
)

// A mistake is one only if a client can see it. Each that has a conversation answers otherwise in it than the reference does,
// whatever a judge makes of that: where no check finds a mistake any more, this tells whether it is still there. What its
// document lists beside it is no part of it, so the reference lists the same.
func TestConversationsShowMistakes(t *testing.T) {
	if testing.Short() {
		t.Skip("virtual time runs on one thread: -short leaves it to the run without the race detector")
	}
	for name, script := range scripts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			planted, ok := defect.Lookup(name)
			if !ok {
				t.Fatal("the defect cannot be planted")
			}
			honest, wrong := saw(t, defect.Defect{Web: planted.Web}, script), saw(t, planted, script)
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
