package node_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/graspkit/graspkit/internal/smalldisk"
	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/node"
)

// A trouble takes a journal that is open the possibility to write, and gives it back.
type trouble struct {
	want  error  // of Room; nil is any
	text  string // in the reason
	begin func(t *testing.T, path string) (end func())
}

// eachTrouble calls a function with each of them, and the path of a journal to be.
func eachTrouble(t *testing.T, do func(t *testing.T, trouble trouble, path string)) {
	for name, trouble := range troubles() {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			do(t, trouble, filepath.Join(dir, "events.db"))
		})
	}
}

func troubles() map[string]trouble {
	moved := func(part string) func(t *testing.T, path string) func() {
		return func(t *testing.T, path string) func() {
			rename(t, path+part, path+".elsewhere")
			return func() { rename(t, path+".elsewhere", path+part) }
		}
	}
	frozen := func(part string) func(t *testing.T, path string) func() {
		return func(t *testing.T, path string) func() { return freeze(t, path+part) }
	}
	return map[string]trouble{
		"read-only":                  {syscall.EROFS, "read-only", func(t *testing.T, path string) func() { return smalldisk.ReadOnly(t, filepath.Dir(path)) }},
		"no permission for the file": {syscall.EPERM, "events.db: ", frozen("")},
		"no permission for a log":    {syscall.EPERM, "events.db.log1", frozen(".log1")},
		"the file is elsewhere":      {nil, "moved or deleted", moved("")},
		"a log is elsewhere":         {nil, "events.db.log0", moved(".log0")},
		"the folder is elsewhere":    {syscall.ENOENT, "", func(t *testing.T, path string) func() { return renameFolder(t, filepath.Dir(path)) }},
		"another file is in its place": {nil, "moved or deleted", func(t *testing.T, path string) func() {
			end := moved("")(t, path)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return end
		}},
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func renameFolder(t *testing.T, dir string) func() {
	rename(t, dir, dir+".elsewhere")
	return func() { rename(t, dir+".elsewhere", dir) }
}

// freeze lets nobody write to a file, whoever it is and whether it is open.
func freeze(t *testing.T, path string) (thaw func()) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const immutable = 0x10 // as chattr +i sets it
	flags, err := unix.IoctlGetUint32(int(file.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(file.Fd()), unix.FS_IOC_SETFLAGS, int(flags|immutable))
	}
	if err != nil {
		t.Skipf("no file can be frozen here: %v", err)
	}
	thaw = func() {
		file, err := os.Open(path)
		if err == nil {
			err = errors.Join(unix.IoctlSetPointerInt(int(file.Fd()), unix.FS_IOC_SETFLAGS, int(flags)), file.Close())
		}
		if err != nil {
			t.Errorf("thaw: %v", err)
		}
	}
	return thaw
}

// A journal that may not write any more, or whose files are gone from their places, says so, keeps what it has, and goes on when
// the cause is gone. A server on it refuses events with the reason and serves what it has, in the same life.
func TestJournalThatMayNotWrite(t *testing.T) {
	eachTrouble(t, func(t *testing.T, trouble trouble, path string) {
		j, mock := openJournal(t, path), clock.NewMock()
		mock.Set(time.Unix(1_767_225_600, 0))
		n := begin(t, node.Config{Core: coreConfig(t), Backend: &backend{}, Journal: j, Clock: mock})
		before, after := signed(t, mock, 10317), signed(t, mock, 10317, []string{"g", "wss://grasp.test"})
		after.CreatedAt++
		sign(t, after)
		publish(t, n, before, `["OK","`+before.ID+`",true,""]`)
		end := trouble.begin(t, path)
		defer func() { end() }()
		mock.Add(time.Second)
		publish(t, n, after, `["OK","`+after.ID+`",false,"error: the server cannot write to its disk at present, try again later"]`)
		c := connect(t, n)
		receive(t, c, `["REQ","s",{}]`)
		if got := answer(t, c); !strings.Contains(got, before.ID) {
			t.Errorf("query: got %s, want what was there before", got)
		}
		end()
		end = func() {}
		mock.Add(time.Second)
		publish(t, n, after, `["OK","`+after.ID+`",true,""]`)
		closeNode(t, n)
		j = openJournal(t, path)
		defer closeJournal(t, j)
		if got := load(t, j); len(got.Stored) != 1 || got.Stored[0].ID != after.ID {
			t.Errorf("after a start: got %v, want the younger event", got.Stored)
		}
	})
}

func answer(t *testing.T, c *node.Conn) string {
	t.Helper()
	for {
		if got := next(t, c); !strings.HasPrefix(got, `["AUTH"`) {
			return got
		}
	}
}

// What Room says, and that a Write that comes all the same is refused, or kept where the next start finds it.
func TestRoomNamesTheTrouble(t *testing.T) {
	eachTrouble(t, func(t *testing.T, trouble trouble, path string) {
		j, kept := openJournal(t, path), node.NewMemoryJournal()
		keep := func(n int) error {
			r := []core.Record{store(event(int64(n), strings.Repeat("x", 500_000)))}
			err := j.Write(r)
			if err == nil {
				write(t, kept, r...)
			}
			return err
		}
		if err := errors.Join(j.Room(), keep(0), j.Room()); err != nil {
			t.Fatal(err)
		}
		end := trouble.begin(t, path)
		defer func() { end() }()
		err := j.Room()
		if !errors.Is(err, node.ErrNoRoom) || !strings.Contains(err.Error(), trouble.text) || trouble.want != nil && !errors.Is(err, trouble.want) {
			t.Errorf("Room: got %v, want ErrNoRoom and why", err)
		}
		for n := 1; n < 30; n++ {
			if err := keep(n); err != nil && !errors.Is(err, node.ErrNoRoom) {
				t.Fatalf("Write: got %v, want ErrNoRoom or nothing", err)
			}
		}
		if err := keep(30); !errors.Is(err, node.ErrNoRoom) {
			t.Errorf("Write with both logs full: got %v, want ErrNoRoom", err)
		}
		if diff := cmp.Diff(load(t, kept), load(t, j), sameEvents); diff != "" {
			t.Errorf("Load meanwhile (-want +got):\n%.1000s", diff)
		}
		end()
		end = func() {}
		if err := errors.Join(j.Room(), keep(31)); err != nil {
			t.Errorf("without the trouble: %v", err)
		}
		closeJournal(t, j)
		j = openJournal(t, path)
		defer closeJournal(t, j)
		if diff := cmp.Diff(load(t, kept), load(t, j), sameEvents); diff != "" {
			t.Errorf("after a start (-want +got):\n%.1000s", diff)
		}
	})
}

// A journal of which somebody cuts off a part under a running server takes nothing any more, since the next start would not find
// it, and ends in order: pages that are not there are not looked at. With the file as it was, all is there again.
func TestACutJournalTakesNothing(t *testing.T) {
	for _, part := range []string{"", ".log0", ".log1"} {
		t.Run("events.db"+part, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "events.db")
			j, kept := openJournal(t, path), node.NewMemoryJournal()
			for n := range 5 {
				r := []core.Record{store(event(int64(n), "kept"))}
				if err := errors.Join(j.Room(), j.Write(r)); err != nil {
					t.Fatal(err)
				}
				write(t, kept, r...)
			}
			before, err := os.ReadFile(path + part)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path+part, 100); err != nil {
				t.Fatal(err)
			}
			if err := j.Room(); !errors.Is(err, node.ErrNoRoom) || !strings.Contains(err.Error(), "events.db"+part+": it is shorter than it was") {
				t.Errorf("Room: got %v, want ErrNoRoom and which file is shorter", err)
			}
			closeJournal(t, j)
			if err := os.WriteFile(path+part, before, 0o600); err != nil {
				t.Fatal(err)
			}
			j = openJournal(t, path)
			defer closeJournal(t, j)
			if diff := cmp.Diff(load(t, kept), load(t, j), sameEvents); diff != "" {
				t.Errorf("after a start (-want +got):\n%.1000s", diff)
			}
		})
	}
}
