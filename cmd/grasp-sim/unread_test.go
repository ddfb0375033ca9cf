package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// A server whose log goes into a pipe that nobody reads serves as before, and ends on SIGTERM.
func TestLogsThatNobodyReads(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	p := &process{cmd: exec.CommandContext(t.Context(), "grasp-sim", "serve", "--addr", "127.0.0.1:0", "--memory", "--log-level", "debug")}
	p.cmd.Stderr = w
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.url = strings.TrimPrefix(strings.TrimSpace(line), "listening ")
	relay := talk(t, &p.serving)
	for n := range 500 { // two lines each, of 250 bytes: a pipe holds 64 KiB
		publish(t, relay, client.Build(client.NewKey("unread", "somebody"), 10317, [][]string{{"g", "wss://grasp.example"}}, "", 1_760_000_000+int64(n)))
	}
	relay.Close()
	if got := p.signal(t, syscall.SIGTERM); got != "exit status 0" {
		t.Errorf("end of the server: got %s, want exit status 0", got)
	}
}
