package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/graspkit/graspkit/internal/smalldisk"
)

// A disk that is full keeps what was there, and gets nothing that is half written.
func TestOutputsOnAFullDisk(t *testing.T) {
	dir := smalldisk.New(t, "64k")
	html := filepath.Join(dir, "run.html")
	if err := os.WriteFile(html, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := opened(t, "--html", html, "--badge", filepath.Join(t.TempDir(), "badge.json"))
	if err := o.open(io.Discard); err != nil {
		t.Fatal(err)
	}
	smalldisk.Fill(t, dir)
	if err := o.write(oneRun()); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v, want %v", err, syscall.ENOSPC)
	}
	if text, err := os.ReadFile(html); err != nil || string(text) != "before" {
		t.Errorf("got %.40q, %v, want what was there before", text, err)
	}
	if got := names(t, dir); got != "filler run.html" {
		t.Errorf("got %s", got)
	}
}

// A pipe is written as it is, and nothing is put in its place.
func TestOutputsToAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	o := opened(t, "--badge", pipe)
	if err := o.open(io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := o.write(oneRun()); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 1)
	if _, err := reader.Read(first); err != nil || first[0] != '{' {
		t.Errorf("got %q, %v", first, err)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("got %v, %v, want the pipe", info, err)
	}
}
