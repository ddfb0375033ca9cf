package node_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/internal/smalldisk"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/node"
)

// On a full disk a journal writes into its spare room, says that there is no more, fails with ErrNoRoom when that is used up
// as well, has lost nothing, and goes on as before when there is room.
func TestJournalOnAFullDisk(t *testing.T) {
	dir := smalldisk.New(t, "40m")
	path := filepath.Join(dir, "events.db")
	j := openJournal(t, path)
	kept := node.NewMemoryJournal()
	keep := func(n int) error {
		r := []core.Record{store(event(int64(n), strings.Repeat("x", 500_000)))}
		err := j.Write(r)
		if err == nil {
			write(t, kept, r...)
		}
		return err
	}
	n := 0
	for ; n < 3; n++ {
		if err := errors.Join(j.Room(), keep(n)); err != nil {
			t.Fatalf("with room: %v", err)
		}
	}
	empty := smalldisk.Fill(t, dir)
	if err := j.Room(); !errors.Is(err, node.ErrNoRoom) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Room on a full disk: got %v, want ErrNoRoom", err)
	}
	spared := 0
	var err error
	for ; err == nil && n < 100; n++ {
		err = keep(n)
		spared++
	}
	if !errors.Is(err, node.ErrNoRoom) || spared < 20 {
		t.Errorf("writes on a full disk: got %v after %d of half a megabyte, want more than the logs take to succeed and then ErrNoRoom", err, spared)
	}
	for range 3 {
		if err := keep(n); !errors.Is(err, node.ErrNoRoom) {
			t.Errorf("once more: got %v, want ErrNoRoom", err)
		}
	}
	same := func(when string) {
		t.Helper()
		if diff := cmp.Diff(load(t, kept), load(t, j), sameEvents); diff != "" {
			t.Errorf("%s (-want +got):\n%.1000s", when, diff)
		}
	}
	same("on the full disk")
	empty()
	for range 3 {
		if err := errors.Join(j.Room(), keep(n)); err != nil {
			t.Errorf("with room again: %v", err)
		}
		n++
	}
	same("with room again")
	closeJournal(t, j)
	j = openJournal(t, path)
	defer closeJournal(t, j)
	same("after a start")
	smalldisk.Fill(t, dir)
	for range 20 {
		if err := keep(n); err != nil {
			t.Errorf("after a start on a full disk: %v, want the spare room used", err)
		}
		n++
	}
}
