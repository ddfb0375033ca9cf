package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	badgerdb "github.com/dgraph-io/badger/v4"
	"github.com/fiatjaf/eventstore/badger"
	"github.com/fiatjaf/khatru"
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
	cmd.Stderr = os.Stderr
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

// servePeer is khatru as its documentation sets it up.
func servePeer(data string, sync bool) error {
	relay := khatru.NewRelay()
	db := badger.BadgerBackend{Path: filepath.Join(data, "badger"), BadgerOptionsModifier: func(o badgerdb.Options) badgerdb.Options {
		return o.WithSyncWrites(sync).WithLogger(nil)
	}}
	if err := db.Init(); err != nil {
		return err
	}
	defer db.Close()
	relay.StoreEvent = append(relay.StoreEvent, db.SaveEvent)
	relay.QueryEvents = append(relay.QueryEvents, db.QueryEvents)
	relay.CountEvents = append(relay.CountEvents, db.CountEvents)
	relay.DeleteEvent = append(relay.DeleteEvent, db.DeleteEvent)
	relay.ReplaceEvent = append(relay.ReplaceEvent, db.ReplaceEvent)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("listening http://%s\n", l.Addr())
	go func() { _ = http.Serve(l, relay) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
	return nil
}
