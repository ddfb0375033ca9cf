package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim/trace"
)

// A traceFile is a watcher that writes what it sees.
type traceFile struct {
	file  *os.File
	out   *bufio.Writer
	names *trace.Names
	lines *trace.Writer
}

func createTrace(path string) (*traceFile, error) {
	f, err := os.Create(path)
	if err != nil {
		usage := cli.Usagef("create trace: %w", err)
		usage.Hint = "name a file in a folder that exists and that you can write to"
		return nil, usage
	}
	t := &traceFile{file: f, out: bufio.NewWriter(f), names: trace.NewNames()}
	t.lines = trace.NewWriter(t.out, t.names)
	return t, nil
}

func (t *traceFile) see(r trace.Record)   { t.lines.Write(r) }
func (t *traceFile) name(id, name string) { t.names.Give(id, name) }

// close ends the file, and says whether all of it was written.
func (t *traceFile) close() error {
	if err := errors.Join(t.lines.Err(), t.out.Flush(), t.file.Close()); err != nil {
		return fmt.Errorf("write trace %s: %w", t.file.Name(), err)
	}
	return nil
}
