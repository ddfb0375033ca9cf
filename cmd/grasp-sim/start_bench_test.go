package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/gitexec"
	"github.com/graspkit/graspkit/reference/gitlayout"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
)

// Sizes of what BenchmarkStart starts on: as much as a server keeps at most.
const (
	benchEvents       = core.StoredMax
	benchRepositories = 10_000
	benchExpired      = core.ExpiredMax
)

// BenchmarkStart starts a server on a full store, and tells how long each part of that took. The data is made once, in a
// temporary folder of this user, and the benchmark leaves it as it is.
func BenchmarkStart(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("no git installed")
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("grasp-bench-start-1-%d", os.Getuid()))
	if _, err := os.Stat(filepath.Join(dir, "done")); err != nil {
		if err := errors.Join(os.RemoveAll(dir), makeStartData(dir)); err != nil {
			b.Fatal(err)
		}
	}
	service, err := repo.ParseService(origin)
	if err != nil {
		b.Fatal(err)
	}
	parts := map[string]time.Duration{}
	timed := func(name string, do func() error) {
		begin := time.Now()
		if err := do(); err != nil {
			b.Fatalf("%s: %v", name, err)
		}
		parts[name] += time.Since(begin)
	}
	for b.Loop() {
		var journal *node.BoltJournal
		var store *gitexec.Exec
		var n *node.Node
		timed("open-journal", func() (err error) { journal, err = node.OpenJournal(filepath.Join(dir, "events.db")); return err })
		timed("sweep-git", func() (err error) {
			store, err = gitexec.New(filepath.Join(dir, "git"), defaultFlags().exec)
			return err
		})
		b.StopTimer()
		timed("of-that-journal", func() error { _, _, err := journal.Load(); return err })
		timed("of-that-refs", func() error {
			ids, err := store.Repositories()
			for _, id := range ids {
				_, err := store.Refs(id)
				if err != nil {
					return err
				}
			}
			return err
		})
		b.StartTimer()
		timed("node", func() (err error) {
			n, err = node.New(node.Config{Core: core.Config{Service: service}, Backend: store, Journal: journal})
			return err
		})
		b.StopTimer()
		if err := n.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	for name, took := range parts {
		b.ReportMetric(took.Seconds()/float64(b.N), name+"-s")
	}
}

func makeStartData(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	journal, err := node.OpenJournal(filepath.Join(dir, "events.db"))
	if err != nil {
		return err
	}
	journal.Unsynced()
	store, err := gitexec.New(filepath.Join(dir, "git"), gitexec.Options{Sync: gitlayout.Unsynced{}})
	if err != nil {
		return err
	}
	var records []core.Record
	write := func(r core.Record) error {
		if records = append(records, r); len(records) < 5_000 {
			return nil
		}
		err := journal.Write(records)
		records = records[:0]
		return err
	}
	now := instant.Instant(time.Now().UnixNano())
	add := func(n, kind int, tags nostr.Tags) (*nostr.Event, error) {
		ev := &nostr.Event{
			PubKey: fmt.Sprintf("%064x", n%benchRepositories+1), CreatedAt: nostr.Timestamp(benchTime + n), Kind: kind, Tags: tags,
			Content: strings.Repeat("x", 300), Sig: strings.Repeat("0", 128),
		}
		ev.ID = ev.GetID()
		return ev, write(core.Record{Op: core.OpStore, ID: ev.ID, Event: ev})
	}
	for n := range benchEvents {
		owner, identifier := repo.PubKey(fmt.Sprintf("%064x", n%benchRepositories+1)), fmt.Sprint("demo", n%benchRepositories)
		id := repo.ID{Owner: owner, Identifier: identifier}
		switch n / benchRepositories {
		case 0:
			tags := nostr.Tags{{"d", identifier}, {"clone", origin + id.Path()}, {"relays", strings.Replace(origin, "http", "ws", 1)}}
			if _, err := add(n, 30617, tags); err != nil {
				return err
			}
			if err := errors.Join(store.Create(id), writeBenchRef(dir, id, n)); err != nil {
				return err
			}
		case 1:
			if _, err := add(n, 30618, nostr.Tags{{"d", identifier}, {"refs/heads/main", benchOID(n % benchRepositories)}, {"HEAD", "ref: refs/heads/main"}}); err != nil {
				return err
			}
		default:
			if _, err := add(n, 1621, nostr.Tags{{"a", fmt.Sprintf("30617:%s:%s", owner, identifier)}, {"subject", fmt.Sprint(n)}}); err != nil {
				return err
			}
		}
	}
	for n := range benchExpired {
		m := core.Mark{Kind: core.MarkExpired, Event: benchOID(n) + strings.Repeat("0", 24), At: now, Until: now.Add(core.ExpiredLife + time.Duration(n)*time.Second)}
		if err := write(core.Record{Op: core.OpMark, Mark: m}); err != nil {
			return err
		}
	}
	if err := errors.Join(journal.Write(records), journal.Close()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "done"), nil, 0o600)
}

// benchTime is when the first event of the data was made.
const benchTime = 1_760_000_000

func benchOID(n int) string { return fmt.Sprintf("%08x%032x", uint32(n)*2654435761, n+1) }

func writeBenchRef(dir string, id repo.ID, n int) error {
	ref := filepath.Join(dir, "git", filepath.FromSlash(id.Path()), "refs", "heads", "main")
	if err := os.MkdirAll(filepath.Dir(ref), 0o755); err != nil {
		return err
	}
	return os.WriteFile(ref, []byte(benchOID(n)+"\n"), 0o600)
}
