//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
)

// The commands by which somebody looks after a server: sh operate WHAT SERVER ADDR DIR.
const operate = `set -eu
what=$1 server=$2 addr=$3 dir=$4
start() {
	setsid "$server" serve --addr "$addr" --data "$dir/data" --backend disk >>"$dir/log" 2>&1 &
	echo $! >"$dir/pid"
	until grep -q '^listening ' "$dir/log"; do sleep 0.02; done
}
end() {
	: >"$dir/log"
	kill "-$1" "$(cat "$dir/pid")"
	while kill -0 "$(cat "$dir/pid")" 2>/dev/null && ! grep -q ') Z ' "/proc/$(cat "$dir/pid")/stat" 2>/dev/null; do sleep 0.02; done
}
case $what in
restart) end TERM; start ;;
kill) end KILL ;;
start) start ;;
nothing) ;;
hang) exec sleep 1000 ;;
esac
`

// A server that somebody else looks after is judged by restarts and crashes where commands show an effect, and not where they do not.
func TestOperatedServer(t *testing.T) {
	for _, needed := range []string{"git", "sh", "setsid", "grep"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("no %s on this machine: %v", needed, err)
		}
	}
	t.Parallel() // it waits for a server
	program := filepath.Join(buildSim(t), "grasp-sim")
	dir := t.TempDir()
	script := filepath.Join(dir, "operate")
	if err := os.WriteFile(script, []byte(operate), 0o600); err != nil {
		t.Fatal(err)
	}
	addr, err := launch.FreeAddress(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	command := func(what string) string {
		return strings.Join([]string{"sh", script, what, program, addr, dir}, " ")
	}
	words := strings.Fields(command("start"))
	if out, err := exec.CommandContext(t.Context(), words[0], words[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("start: %v\n%s", err, out)
	}
	t.Cleanup(func() {
		text, err := os.ReadFile(filepath.Join(dir, "pid"))
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Errorf("the server is not there at the end: %v", err)
		}
	})
	for _, test := range []struct {
		name, id string
		args     []string
		want     []string
	}{
		{"with an effect", "G01-PURG-14", []string{"--restart-cmd", command("restart"), "--kill-cmd", command("kill"), "--start-cmd", command("start")}, []string{
			"OBSERVED         G01-PURG-14  OBSERVE Held events survive an orderly restart. (2 of 2 checks)",
		}},
		{"without one", "G01-PURG-14", []string{"--restart-cmd", command("nothing"), "--kill-cmd", command("hang"), "--cmd-wait", "1s"}, []string{
			"BLOCKED          G01-PURG-14  OBSERVE Held events survive an orderly restart. (0 of 2 checks)",
			"warning: --restart-cmd: operated: the command had no effect that is seen from outside: ",
			"warning: --kill-cmd: launch: the command did not end in time, and was killed: 1s; it wrote nothing; what needs it is blocked",
		}},
		{"whose traces are removed", "G01-PUSH-01", []string{"--restart-cmd", command("restart")}, []string{"fact clean-up: ", " repositories are gone"}},
		{"a clock that stands", "G01-PURG-13", []string{"--clock-cmd", "echo {seconds}"}, []string{
			"BLOCKED          G01-PURG-13", "fact   clock: it cannot be moved: a step of 36m0s had no effect: an issue that has expired by it is still served",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			var out bytes.Buffer
			args := append([]string{"ws://" + addr, "--quiet", "-v", "--no-ledger", "--id", test.id}, test.args...)
			if code := run(ctx, args, strings.NewReader(""), &out, &out); code != 0 {
				t.Errorf("got exit code %d, want 0", code)
			}
			for _, want := range test.want {
				if !strings.Contains(joined(out.String()), joined(want)) {
					t.Errorf("%q is not in:\n%s", want, out.String())
				}
			}
		})
	}
}

// joined is a text without regard to where its lines are broken.
func joined(text string) string { return strings.Join(strings.Fields(text), " ") }

// A private service that a run starts is told by a command whom it is for, and who is dismissed is judged.
func TestMembersByACommand(t *testing.T) {
	for _, needed := range []string{"git", "sh"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("no %s on this machine: %v", needed, err)
		}
	}
	t.Parallel() // it waits for a server
	program := filepath.Join(buildSim(t), "grasp-sim")
	dir := t.TempDir()
	script := filepath.Join(dir, "start")
	const begin = `test -s "$3/members" || echo 79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798 >"$3/members"
exec "$1" serve --addr "$2" --data "$3/data" --members "$3/members"
`
	if err := os.WriteFile(script, []byte(begin), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out bytes.Buffer
	code := run(ctx, []string{
		"--launch", "sh " + script + " " + program + " {addr} {data}", "--members-cmd", "sh -c 'cat {file} >{data}/members; kill -HUP {pid}'",
		"--quiet", "-v", "--id", "G08-14",
	}, strings.NewReader(""), &out, &out)
	if want := "(4 of 4 checks)"; code != 0 || !strings.Contains(joined(out.String()), "OBSERVED G08-14") || !strings.Contains(out.String(), want) {
		t.Errorf("got exit code %d, want 0 and %q in:\n%s", code, want, out.String())
	}
}
