package gitspool_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/graspkit/graspkit/reference/gitspool"
)

func open(t *testing.T, dir string, limits gitspool.Limits) *gitspool.Pool {
	t.Helper()
	p, err := gitspool.New(dir, limits)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is written comes back, from memory and from a file, and nothing of it is left.
func TestSpool(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "spool")
	p := open(t, dir, gitspool.Limits{Memory: 10})
	for _, text := range []string{"", "short", "0123456789", "longer than the memory", "0123456789+"} {
		s := p.Open()
		for _, b := range []byte(text) {
			if n, err := s.Write([]byte{b}); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		for range 2 {
			got, err := io.ReadAll(io.NewSectionReader(s, 0, s.Len()))
			if err != nil || string(got) != text {
				t.Errorf("got %q, %v, want %q", got, err, text)
			}
		}
		if n, err := s.ReadAt(make([]byte, 100), 0); n != len(text) || !errors.Is(err, io.EOF) {
			t.Errorf("%q read beyond its end: got %d, %v", text, n, err)
		}
		files, _ := os.ReadDir(dir)
		if got := len(files) == 1; got != (len(text) > 10) {
			t.Errorf("%q: got %d files", text, len(files))
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("got %d files left", len(files))
	}
}

// All files together have a limit; what is closed makes room.
func TestPoolIsBounded(t *testing.T) {
	p := open(t, t.TempDir(), gitspool.Limits{Memory: 10, Files: 100})
	one, two := p.Open(), p.Open()
	for _, step := range []struct {
		s    *gitspool.Spool
		size int
		full bool
	}{{one, 60, false}, {two, 10, false}, {two, 31, true}, {two, 29, false}, {one, 2, true}, {one, 1, false}} {
		if _, err := step.s.Write(make([]byte, step.size)); errors.Is(err, gitspool.ErrFull) != step.full {
			t.Errorf("%d bytes: got %v, want full %t", step.size, err, step.full)
		}
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := two.Write(make([]byte, 60)); err != nil {
		t.Errorf("after one was closed: got %v", err)
	}
}

// A crash leaves files; who starts again removes them.
func TestLeftoversAreRemoved(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, gitspool.Limits{Memory: 1}).Open()
	if _, err := s.Write(bytes.Repeat([]byte("x"), 100)); err != nil {
		t.Fatal(err)
	}
	open(t, dir, gitspool.Limits{})
	if files, _ := os.ReadDir(dir); len(files) > 0 {
		t.Errorf("got %d files left", len(files))
	}
}
