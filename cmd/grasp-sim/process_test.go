package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A process is the command as a process of its own.
type process struct {
	serving

	cmd *exec.Cmd
}

func spawn(t testing.TB, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.CommandContext(t.Context(), "grasp-sim", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = &p.stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "listening ")
	if err != nil || !ok {
		t.Fatalf("first line: got %q (%v); stderr %s", line, err, p.stderr.String())
	}
	p.url = url
	return p
}

// signal ends the process and returns how it ended, "exit status 0" in order.
func (p *process) signal(t *testing.T, s os.Signal) string {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // the state says it
	return p.cmd.ProcessState.String()
}

// memory is what a process takes, in MiB.
type memory struct{ now, most int }

// memory reads what the kernel says of the process; it is zero where the kernel says nothing.
func (p *process) memory(t *testing.T) memory {
	t.Helper()
	var m memory
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Logf("memory of the server is not known here: %v", err)
		return m
	}
	for line := range strings.Lines(string(text)) {
		_, _ = fmt.Sscanf(line, "VmRSS: %d kB", &m.now)
		_, _ = fmt.Sscanf(line, "VmHWM: %d kB", &m.most)
	}
	return memory{now: m.now >> 10, most: m.most >> 10}
}
