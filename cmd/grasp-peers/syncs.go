package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// syncs counts how often a server waits for the disk while it takes in the events, apart from the other measures, because to
// be watched takes time. It is no count where strace is not there.
func syncs(ctx context.Context, s server, l load, dir string) (string, error) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		return "not counted: no strace", nil
	}
	r, err := s.start(ctx, filepath.Join(dir, "syncs "+s.name))
	if err != nil {
		return "", err
	}
	defer func() { _ = r.stop() }()
	if s.name == "reference" {
		if err := prepare(ctx, r.address, l); err != nil {
			return "", err
		}
	}
	report := filepath.Join(dir, "strace")
	watch := exec.CommandContext(ctx, strace, "-f", "-qq", "-p", strconv.Itoa(r.cmd.Process.Pid), "-c", "-e", "trace=fsync,fdatasync,msync", "-o", report)
	if err := watch.Start(); err != nil {
		return "", err
	}
	time.Sleep(500 * time.Millisecond) // it is attached by then
	err = ingest(ctx, r.address, l.many, connections, unanswered)
	_ = watch.Process.Signal(os.Interrupt)
	_ = watch.Wait() // it was interrupted
	text, readErr := os.ReadFile(report)
	if err = errors.Join(err, readErr); err != nil {
		return "", err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 5 || !strings.HasSuffix(fields[len(fields)-1], "sync") {
			continue
		}
		calls, err := strconv.Atoi(fields[3])
		if err == nil {
			n += calls
		}
	}
	return fmt.Sprintf("%d for %d events", n, len(l.many)), nil
}
