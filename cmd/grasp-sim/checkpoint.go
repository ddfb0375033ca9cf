package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/graspkit/graspkit/internal/cli"
)

// checkpointEvery is how many runs a sweep makes before it writes down again how far it is.
const checkpointEvery = 100

// A checkpoint is how far a sweep is, as --resume keeps it in a file. Its sums are those of the runs that are done, so a sweep
// that goes on from one ends with the report and the hash of one that was never interrupted.
type checkpoint struct {
	Of string `json:"of"` // scenario, program and seeds: what another sweep has no use for
	sums
	Traces []byte `json:"traces"` // the state of the hash
}

// sweepOf names a sweep.
func (s *sweep) sweepOf() string {
	l := s.runner.scenario
	return fmt.Sprintf("run %s --seeds %s (sha256 %s), program %s", l.command(), s.seeds.String(), l.digest, s.runner.program)
}

// resume takes over what the file has, if there is one.
func (s *sweep) resume() error {
	if s.file == "" {
		return nil
	}
	text, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read checkpoint: %w", err)
	}
	var c checkpoint
	t := s.totals
	if err := json.Unmarshal(text, &c); err != nil {
		return s.unfit("it is no checkpoint: %w", err)
	}
	if want := s.sweepOf(); c.Of != want {
		return s.unfit("it is of %q, and this is %q", c.Of, want)
	}
	if c.Checked == nil || c.Ways == nil {
		return s.unfit("it is no checkpoint: the sums are missing")
	}
	if err := t.traces.UnmarshalBinary(c.Traces); err != nil {
		return s.unfit("hash: %w", err)
	}
	t.sums = c.sums
	return nil
}

// unfit refuses the file.
func (s *sweep) unfit(format string, args ...any) error {
	usage := cli.Usagef("--resume "+quoted(s.file)+": "+format, args...)
	usage.Hint = "name a file that is not there yet, or remove it to begin anew"
	return usage
}

// save writes down how far the sweep is.
func (s *sweep) save() error {
	if s.file == "" {
		return nil
	}
	t := s.totals
	state, err := t.traces.MarshalBinary()
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	text, err := json.Marshal(checkpoint{Of: s.sweepOf(), sums: t.sums, Traces: state})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return replaceFile(s.file, append(text, '\n'))
}

// replaceFile writes a file whole or not at all.
func replaceFile(path string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write checkpoint: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}
