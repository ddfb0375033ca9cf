//go:build unix

package operated_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/launch/operated"
	"github.com/graspkit/graspkit/conformance/target"
)

// A tiny server runs until the test ends.
type tiny struct {
	addr, dir string
}

func serve(t *testing.T) tiny {
	t.Helper()
	addr, err := launch.FreeAddress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s := tiny{addr: addr, dir: t.TempDir()}
	if out, err := exec.Command("tiny-ctl", s.ctl("start")[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("start: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		if taken(s.addr) {
			end(s.addr, s.dir, syscall.SIGKILL)
		}
	})
	return s
}

func (s tiny) ctl(what string, more ...string) []string {
	return append([]string{"tiny-ctl", what, s.addr, s.dir}, more...)
}

func (s tiny) open(t *testing.T, c operated.Commands) operated.Target {
	t.Helper()
	got, err := operated.Open(t.Context(), "http://"+s.addr, c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (s tiny) lives(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir, "lives"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// does reports which powers a target has.
func does(on target.Target) string {
	_, restart := on.(target.Restarter)
	_, kill := on.(target.Killer)
	_, clock := on.(target.ClockStepper)
	_, free := on.(target.ClockAdvancer)
	var all []string
	for name, is := range map[string]bool{"restart": restart, "kill": kill, "clock": clock, "free": free} {
		if is {
			all = append(all, name)
		}
	}
	return strings.Join(all, " ")
}

func TestRestartIsShownAndRepeated(t *testing.T) {
	s := serve(t)
	on := s.open(t, operated.Commands{Restart: s.ctl("restart")})
	if got := does(on); got != "restart" {
		t.Fatalf("powers: got %q, want restart", got)
	}
	if got, want := s.lives(t), "start end start"; got != want {
		t.Errorf("after the proof: got %q, want %q", got, want)
	}
	if err := on.(target.Restarter).Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := s.lives(t), "start end start end start"; got != want {
		t.Errorf("after Restart: got %q, want %q", got, want)
	}
	if on.(target.World).World() != "live" || on.ServiceURL() != "http://"+s.addr {
		t.Errorf("got %v at %s, want a live target at its URL", on, on.ServiceURL())
	}
}

func TestKillAndStart(t *testing.T) {
	s := serve(t)
	on := s.open(t, operated.Commands{Kill: s.ctl("kill"), Start: s.ctl("start")})
	if got := does(on); got != "kill" {
		t.Fatalf("powers: got %q, want kill", got)
	}
	if err := on.(target.Killer).Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := s.lives(t), "start start start"; got != want {
		t.Errorf("got %q, want %q: no orderly end", got, want)
	}
}

func TestEachSetOfPowers(t *testing.T) {
	s := serve(t)
	for mask := range 8 {
		var c operated.Commands
		if mask&1 != 0 {
			c.Restart = s.ctl("restart")
		}
		if mask&2 != 0 {
			c.Kill, c.Start = s.ctl("kill"), s.ctl("start")
		}
		if mask&4 != 0 {
			c.Clock = s.ctl("say", "{seconds}")
		}
		got := does(s.open(t, c))
		for i, name := range []string{"restart", "kill", "clock"} {
			if has := strings.Contains(got, name); has != (mask&(1<<i) != 0) {
				t.Errorf("commands %03b: got powers %q, want one for each command", mask, got)
			}
		}
	}
}

// A command without a proof gives no power, and says why.
func TestNoEffectIsNoPower(t *testing.T) {
	s := serve(t)
	for _, test := range []struct {
		name string
		c    operated.Commands
		want []string
	}{
		{"nothing", operated.Commands{Restart: s.ctl("nothing")}, []string{"--restart-cmd: ", "no effect that is seen", "exit status 0", "still answered"}},
		{"fails", operated.Commands{Restart: s.ctl("fail")}, []string{"--restart-cmd: ", "exit status 2", "  | panic: no such unit"}},
		{"hangs", operated.Commands{Restart: s.ctl("hang"), Within: 500 * time.Millisecond}, []string{"--restart-cmd: ", "did not end in time", "500ms", "  | waiting for a lock"}},
		{"does not start", operated.Commands{Kill: s.ctl("kill"), Start: []string{"sh", "-c", "tiny-ctl start \"$0\" \"$1\"; exit 4", s.addr, s.dir}}, []string{"--start-cmd: ", "exit status 4"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			on := s.open(t, test.c)
			if got := does(on); got != "" {
				t.Errorf("powers: got %q, want none", got)
			}
			power := "restart"
			if test.c.Restart == nil {
				power = "kill"
			}
			why := on.Lacks(power)
			for _, want := range test.want {
				if !strings.Contains(why, want) {
					t.Errorf("why: got %q, want %q in it", why, want)
				}
			}
			if other := on.Lacks("clock"); other != "" {
				t.Errorf("why there is no clock: got %q, want nothing: nobody wanted it", other)
			}
		})
	}
	for _, word := range strings.Fields(s.lives(t)) { // a command that hung has left nothing behind
		if pid, is := strings.CutPrefix(word, "child:"); is {
			if state, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(state), ") Z ") {
				t.Errorf("child of a command that hung: got %s, want it gone", state)
			}
		}
	}
}

// A power that was shown may be lost: each later use is shown, too.
func TestLaterUseIsShownToo(t *testing.T) {
	s := serve(t)
	gate := filepath.Join(s.dir, "broken")
	on := s.open(t, operated.Commands{Restart: []string{"sh", "-c", `test -e "$2" || tiny-ctl restart "$0" "$1"`, s.addr, s.dir, gate}})
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := on.(target.Restarter).Restart(t.Context()); !errors.Is(err, operated.ErrNoEffect) {
		t.Errorf("got %v, want ErrNoEffect", err)
	}
}

// What has ended by itself is started again, and that is no restart.
func TestServerThatHasDiedIsStartedAgain(t *testing.T) {
	s := serve(t)
	on := s.open(t, operated.Commands{Restart: []string{"sh", "-c", `tiny-ctl restart "$0" "$1" || tiny-ctl start "$0" "$1"`, s.addr, s.dir}})
	end(s.addr, s.dir, syscall.SIGKILL)
	if err := on.(target.Restarter).Restart(t.Context()); !errors.Is(err, launch.ErrDied) {
		t.Errorf("got %v, want ErrDied", err)
	}
	if !taken(s.addr) {
		t.Error("the server is not there again")
	}
}

func TestServerThatDoesNotComeBack(t *testing.T) {
	s := serve(t)
	c := operated.Commands{Restart: s.ctl("kill"), ReadyWithin: 300 * time.Millisecond}
	if _, err := operated.Open(t.Context(), "http://"+s.addr, c); !errors.Is(err, launch.ErrNotReady) {
		t.Errorf("got %v, want ErrNotReady", err)
	}
	if _, err := operated.Open(t.Context(), "http://"+s.addr, c); !errors.Is(err, target.ErrUnreachable) {
		t.Errorf("a server that is not there: got %v, want ErrUnreachable", err)
	}
}

func TestOpenEndsWithItsContext(t *testing.T) {
	s := serve(t)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := operated.Open(ctx, "http://"+s.addr, operated.Commands{Restart: s.ctl("hang")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}

func TestStepOfTheClock(t *testing.T) {
	s := serve(t)
	on := s.open(t, operated.Commands{Clock: s.ctl("say", "+{seconds}s")})
	before := on.Now()
	if err := on.(target.ClockStepper).Step(t.Context(), 90*time.Second); err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(filepath.Join(s.dir, "said"))
	if err != nil || string(said) != "+90s" {
		t.Errorf("the command was given %q, %v, want +90s", said, err)
	}
	if moved := on.Now().Sub(before); moved < 90*time.Second || moved > 3*time.Minute {
		t.Errorf("Now moved by %v, want 90 s and a little", moved)
	}
	broken := s.open(t, operated.Commands{Clock: s.ctl("fail")})
	before = broken.Now()
	if err := broken.(target.ClockStepper).Step(t.Context(), time.Hour); !errors.Is(err, launch.ErrFailed) {
		t.Errorf("a command that fails: got %v, want ErrFailed", err)
	}
	if moved := broken.Now().Sub(before); moved > time.Minute {
		t.Errorf("Now moved by %v behind a command that failed", moved)
	}
}
