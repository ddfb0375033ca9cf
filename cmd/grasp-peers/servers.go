package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// origin is what the reference is called, wherever it listens.
const origin = "http://grasp.example"

// A server can be started on an empty folder.
type server struct {
	name  string
	start func(ctx context.Context, data string) (*running, error)
}

// A running server is a process.
type running struct {
	cmd     *exec.Cmd
	in      io.Closer
	address string // host:port
}

func run(cmd *exec.Cmd) (*running, error) {
	if cmd.Stderr == nil {
		cmd.Stderr = os.Stderr
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	address, ok := strings.CutPrefix(strings.TrimSpace(line), "listening http://")
	if err != nil || !ok {
		return nil, fmt.Errorf("first line %q: %w", line, err)
	}
	return &running{cmd: cmd, in: in, address: address}, nil
}

// stop ends the process.
func (r *running) stop() error {
	_ = r.in.Close()
	_ = r.cmd.Process.Signal(os.Interrupt)
	err := r.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil
	}
	return err
}

func startReference(binary string) func(context.Context, string) (*running, error) {
	return func(ctx context.Context, data string) (*running, error) {
		return run(exec.CommandContext(ctx, binary, "serve", "--addr", "127.0.0.1:0", "--url", origin, "--data", data, "--log-level", "warn"))
	}
}

func startPeer(sync bool) func(context.Context, string) (*running, error) {
	return func(ctx context.Context, data string) (*running, error) {
		return run(exec.CommandContext(ctx, os.Args[0], "-serve", data, fmt.Sprintf("-sync=%v", sync)))
	}
}
