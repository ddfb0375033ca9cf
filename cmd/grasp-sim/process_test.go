package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A process is a server that runs as the program does.
type process struct {
	url string
	cmd *exec.Cmd
}

// spawn starts the program's serve and waits for its line. It ends in order when the test does.
func spawn(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.CommandContext(t.Context(), "grasp-sim", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)}
	// The context of a test ends before its cleanup.
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(syscall.SIGTERM) }
	var stderr bytes.Buffer
	p.cmd.Stderr = &stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.cmd.Wait(); p.cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("end of the server: got %v, want exit code 0; stderr %.2000s", err, stderr.String())
		}
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "listening ")
	if err != nil || !ok {
		t.Fatalf("first line: got %q (%v)", line, err)
	}
	p.url = url
	return p
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
