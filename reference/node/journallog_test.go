package node

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/nbd-wtf/go-nostr"
	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
)

// smallLog is the room of a log in tests: a few batches fill it.
const smallLog = 6_000

var errPower = errors.New("the power has failed")

// A power is a journal whose machine may lose its power: it knows what is on the disk by now.
type power struct {
	*BoltJournal
	path  string
	disk  map[string][]byte // what was synced, by the path of a log
	file  []byte            // of the journal, as it was when the logs began at place
	place logPlace
	fails bool // the next sync does not come to its end
	syncs int
}

func openPower(t *testing.T, path string) *power {
	t.Helper()
	j, err := OpenJournal(path)
	if err != nil {
		t.Fatalf("OpenJournal: %v", err)
	}
	p := &power{BoltJournal: j, path: path, disk: map[string][]byte{}}
	j.room = smallLog
	j.sync = func(file *os.File) error {
		p.syncs++
		if p.fails {
			return errPower
		}
		if err := syncData(file); err != nil {
			return err
		}
		p.disk[file.Name()] = readFile(t, file.Name())
		return nil
	}
	return p
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return content
}

// look notes what the file is while no move is under way: a crash in a later move may leave just that.
func (p *power) look(t *testing.T) {
	t.Helper()
	if p.moving == nil && p.BoltJournal.place != nil {
		p.file, p.place = readFile(t, p.path), *p.BoltJournal.place
	}
}

// lost leaves in a new folder what is on the disk when the power fails: of what was not synced any part, or noise.
func (p *power) lost(t *testing.T, rt *rapid.T) (path string) {
	t.Helper()
	if rapid.Bool().Draw(rt, "the move ends") && p.moving != nil {
		for len(p.moving) == 0 {
			runtime.Gosched()
		}
	}
	path = filepath.Join(t.TempDir(), "events.db")
	file := readFile(t, p.path)
	if p.BoltJournal.place != nil && p.place == *p.BoltJournal.place && rapid.Bool().Draw(rt, "the move is for nothing") {
		file = p.file
	}
	keep := func(name string, content []byte) {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keep(path, file)
	for i, log := range p.logs {
		if log == nil {
			continue
		}
		now, synced := readFile(t, p.logPath(i)), p.disk[p.logPath(i)]
		if synced == nil { // it has its room, and nothing else was done with it
			synced = slices.Clone(now)
		}
		if p.next.number%2 == uint64(i) && p.fails {
			batch := now[p.end:]
			if cut := rapid.IntRange(0, len(batch)).Draw(rt, "cut"); rapid.Bool().Draw(rt, "noise") {
				var lost noise
				part := make([]byte, (len(batch)+7)/8*8)
				lost.fill(part)
				copy(batch[cut:], part[:min(len(batch)-cut, smallLog)])
			} else {
				old := make([]byte, len(batch)) // what was never written is zero
				copy(old, synced[min(int(p.end), len(synced)):])
				copy(batch[cut:], old[cut:])
			}
			synced = now
		}
		keep(path+fmt.Sprint(".log", i), synced)
	}
	return path
}

func small(n int) *nostr.Event {
	e := &nostr.Event{CreatedAt: nostr.Timestamp(n), Kind: 1621, Content: strings.Repeat("x", n*37%900)}
	e.ID = e.GetID()
	return e
}

// drawBatch draws records of a few events and marks, so that they meet again.
func drawBatch(rt *rapid.T) []core.Record {
	return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) core.Record {
		n := rapid.IntRange(1, 12).Draw(rt, "event")
		ev := small(n)
		at := instant.Instant(rapid.Int64Range(1, 9).Draw(rt, "at"))
		mark := core.Mark{Kind: core.MarkPlaceholder, Event: fmt.Sprint(n), Repo: repo.ID{Owner: "o", Identifier: "\x00/"}, Until: at}
		op := rapid.SampledFrom([]core.Op{core.OpStore, core.OpHold, core.OpHold, core.OpUnstore, core.OpDrop, core.OpMark, core.OpUnmark}).Draw(rt, "op")
		switch op {
		case core.OpMark, core.OpUnmark:
			return core.Record{Op: op, Mark: mark}
		case core.OpHold:
			return core.Record{Op: op, ID: ev.ID, Event: ev, Arrived: at, Deadline: at + 1, Soft: n%2 == 0}
		case core.OpStore:
			return core.Record{Op: op, ID: ev.ID, Event: ev}
		default:
			return core.Record{Op: op, ID: ev.ID}
		}
	}), 1, 12).Draw(rt, "records")
}

// kept is what a list of batches comes to.
func kept(t *testing.T, batches [][]core.Record) core.Started {
	t.Helper()
	m := NewMemoryJournal()
	for _, records := range batches {
		if err := m.Write(records); err != nil {
			t.Fatal(err)
		}
	}
	started, _, err := m.Load()
	if err != nil {
		t.Fatal(err)
	}
	return started
}

var sameKept = cmp.Options{
	cmpopts.EquateEmpty(), cmp.Comparer(func(a, b *nostr.Event) bool { return a.String() == b.String() }),
}

// Whenever the power fails, and whatever of the last batch is on the disk then, the next start finds exactly what was
// acknowledged, or that and the whole of the batch that was under way. It goes on from there as if nothing had been.
func TestJournalOutlivesThePower(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := openPower(t, filepath.Join(t.TempDir(), "events.db"))
		defer func() { _ = p.Close() }()
		var acknowledged [][]core.Record
		for range rapid.IntRange(1, 4).Draw(rt, "lives") {
			for range rapid.IntRange(0, 12).Draw(rt, "writes") {
				records, before := drawBatch(rt), p.syncs
				if err := p.Write(records); err != nil {
					rt.Fatalf("Write: %v", err)
				}
				if p.syncs != before+1 {
					rt.Fatalf("got %d syncs for one Write, want one", p.syncs-before)
				}
				acknowledged = append(acknowledged, records)
				p.look(t)
				if rapid.IntRange(0, 9).Draw(rt, "load") == 0 {
					started, aside, err := p.Load()
					if diff := cmp.Diff(kept(t, acknowledged), started, sameKept); err != nil || len(aside) > 0 || diff != "" {
						rt.Fatalf("Load while it is written: %v, %v (-want +got):\n%s", err, aside, diff)
					}
				}
			}
			path, under := p.path, [][]core.Record(nil)
			switch rapid.SampledFrom([]string{"end", "crash", "crash", "crash in a write"}).Draw(rt, "end") {
			case "crash in a write":
				under = append(slices.Clone(acknowledged), drawBatch(rt))
				p.fails = true
				if err := p.Write(under[len(under)-1]); !errors.Is(err, errPower) {
					rt.Fatalf("Write: %v, want that the power has failed", err)
				}
				path = p.lost(t, rt)
			case "crash":
				path = p.lost(t, rt)
			}
			if err := p.Close(); err != nil {
				rt.Fatalf("Close: %v", err)
			}
			p = openPower(t, path)
			started, aside, err := p.Load()
			if err != nil || len(aside) > 0 {
				rt.Fatalf("Load: %v, %v", err, aside)
			}
			if under != nil && cmp.Equal(kept(t, under), started, sameKept) {
				acknowledged = under
			}
			if diff := cmp.Diff(kept(t, acknowledged), started, sameKept); diff != "" {
				rt.Fatalf("after the start (-want +got):\n%s", diff)
			}
		}
	})
}

// A byte that is not what was written is never taken for what was: the journal is damaged, or, in the last batch, which then
// cannot be told from one that was never whole, all but that is there.
func TestDamagedLogIsRefusedAndKept(t *testing.T) {
	p := openPower(t, filepath.Join(t.TempDir(), "events.db"))
	p.room = 3 * smallLog
	var batches [][]core.Record
	for n := 1; n <= 36; n++ { // more than one log
		ev := small(n)
		batches = append(batches, []core.Record{{Op: core.OpStore, ID: ev.ID, Event: ev}})
		if err := p.Write(batches[n-1]); err != nil {
			t.Fatal(err)
		}
		if p.next.number == 1 {
			p.look(t) // as if the first log were never moved
		}
	}
	file, logs := p.file, [][]byte{readFile(t, p.logPath(0)), readFile(t, p.logPath(1))}
	current, end := int(p.next.number%2), int(p.end)
	last := len(logs[current][:end]) - headerBytes - len(batchBody(t, batches[35]))
	if p.next.number != 2 || p.place.number != 1 {
		t.Fatalf("got log %d behind %d, want two of them", p.next.number, p.place.number)
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	try := func(name string, log, at int, missing bool) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "events.db")
		all := map[string][]byte{path: file, path + ".log0": slices.Clone(logs[0]), path + ".log1": slices.Clone(logs[1])}
		if missing {
			delete(all, path+fmt.Sprint(".log", log))
		} else {
			all[path+fmt.Sprint(".log", log)][at] ^= 0x10
		}
		for name, content := range all {
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		j, err := OpenJournal(path)
		if err != nil {
			t.Fatalf("%s: OpenJournal: %v", name, err)
		}
		started, _, err := j.Load()
		whole := kept(t, batches)
		inLast := !missing && log == current && at >= last && at < end
		switch {
		case inLast && (err != nil || !cmp.Equal(kept(t, batches[:35]), started, sameKept)):
			t.Errorf("%s: got %d events and %v, want all but the last", name, len(started.Stored), err)
		case !inLast && !errors.Is(err, ErrJournalCorrupt) && (err != nil || !cmp.Equal(whole, started, sameKept)):
			t.Errorf("%s: got %d events and %v, want ErrJournalCorrupt", name, len(started.Stored), err)
		case !inLast && err == nil && (log != current || at < end):
			t.Errorf("%s: it was read", name)
		}
		if err := j.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
		for name, content := range all {
			if err != nil && !slices.Equal(content, readFile(t, name)) {
				t.Errorf("%s: %s was changed", name, filepath.Base(name))
			}
		}
	}
	other := 1 - current
	used := usedBytes(t, logs[other], p.place)
	for at := 0; at < used; at += used/90 + 1 {
		try(fmt.Sprintf("the full log at %d", at), other, at, false)
	}
	for at := 0; at < len(logs[current]); at += len(logs[current])/90 + 1 {
		try(fmt.Sprintf("the other log at %d", at), current, at, false)
	}
	try("the last byte", current, end-1, false)
	try("no full log", other, 0, true)
	try("no other log", current, 0, true)
}

// usedBytes is how much of a log is batches.
func usedBytes(t *testing.T, content []byte, at logPlace) int {
	t.Helper()
	all, end, err := readBatches(content, at)
	if err != nil {
		t.Fatal(err)
	}
	n := int(end.batch-at.batch) * headerBytes
	for _, l := range all {
		n += 1 + 1 + len(l.name) + 2 + len(l.entry) // the lengths of these need one and two bytes
	}
	return n
}

func batchBody(t *testing.T, records []core.Record) (body []byte) {
	t.Helper()
	var err error
	for _, r := range records {
		if body, err = appendRecord(body, r); err != nil {
			t.Fatal(err)
		}
	}
	return body
}
