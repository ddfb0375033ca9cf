//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/ledger"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/record"
)

var (
	cleanupKills = flag.Int("cleanup.kills", 3, "kill a run `N` times")
	cleanupSeed  = flag.Uint64("cleanup.seed", 0, "where the draws of that test begin; 0 draws a seed")
)

// killWithin is within what time a run is killed; it takes longer than that on a machine that is not quick.
const killWithin = 2500 * time.Millisecond

// killsMore is how many more are killed at most until one has written something: on a quick machine a run may be over, on a slow one not begun.
const killsMore = 20

// A run that is killed, at points that nobody chose, leaves a ledger by which everything goes that it has written: the server is
// asked for all that it has, and shows nothing but the requests; and each repository that it has made it has removed or retired.
func TestKilledRunsAreCleanedUp(t *testing.T) {
	bin := buildSim(t)
	seed := *cleanupSeed
	for seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("again: go test ./cmd/grasp-check -run '^TestKilledRunsAreCleanedUp$' -count=1 -args -cleanup.kills %d -cleanup.seed %d", *cleanupKills, seed)
	draw := rand.New(rand.NewPCG(seed, 0))
	events, repositories, kill := 0, 0, 0
	for ; kill < *cleanupKills || (events == 0 || repositories == 0) && kill < *cleanupKills+killsMore; kill++ {
		s := serveSim(t, bin, "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
		dir := t.TempDir()
		after := time.Duration(draw.Int64N(int64(killWithin)))
		if kill >= *cleanupKills { // nothing was written so far: this machine is slow
			after *= time.Duration(kill - *cleanupKills + 2)
		}
		// A repository that is announced here again is made once and retired twice.
		check := startCheck(t, dir, "--quiet", "--id", "G01-ANN", "--tags", "not @G01-ANN-16.back", s.url)
		<-time.After(after)
		_ = check.Process.Kill() // it may be over
		_ = check.Wait()         // the state says it
		ledgers, err := filepath.Glob(filepath.Join(dir, "grasp-check-*.ledger"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range ledgers { // none where it was killed before it had begun, or when it was over
			book, err := ledger.Open(path)
			switch {
			case err == nil:
				events += len(book.Events)
			case !errors.Is(err, ledger.ErrBegun):
				t.Fatal(err)
			}
			out, err := checkIn(t, dir, "cleanup", path)
			if err != nil {
				t.Errorf("kill %d after %v: clean-up: %v\n%s", kill+1, after, err, out)
			}
			if _, err := os.Stat(path); err == nil {
				t.Errorf("kill %d: the ledger is still there", kill+1)
			}
		}
		if left := s.left(t); len(left) > 0 {
			t.Errorf("kill %d after %v: the server has %d events that are no requests: %v", kill+1, after, len(left), left)
		}
		created, gone := s.counted(t, "created"), s.counted(t, "removed")+s.counted(t, "retired")
		if created != gone {
			t.Errorf("kill %d after %v: %d repositories were made, and %d have gone", kill+1, after, created, gone)
		}
		repositories += created
		s.end()
	}
	t.Logf("%d kills: %d events and %d repositories were written, and none is left", kill, events, repositories)
	if events == 0 || repositories == 0 {
		t.Error("nothing was written, so nothing was tried")
	}
}

// A run that is interrupted reports what it has judged, and removes what it has written.
func TestInterruptedRunCleansUp(t *testing.T) {
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
	dir := t.TempDir()
	check := startCheck(t, dir, "--quiet", "--json", "run.json", "--parallel", "1", s.url)
	awaitThat(t, "the first repositories", func() bool { return s.counted(t, "created") > 5 })
	if err := check.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := check.Wait(); check.ProcessState.ExitCode() != record.ExitInterrupted {
		t.Errorf("exit code: got %v, want that of who was interrupted", err)
	}
	report, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil || !bytes.Contains(report, []byte("clean-up: ")) {
		t.Errorf("the report says nothing of the clean-up (%v); stderr %s", err, check.Stderr)
	}
	if doc, err := record.Read(bytes.NewReader(report)); err != nil || doc.Runs[0].Exit != record.ExitInterrupted {
		t.Errorf("the report: got %v, want the exit code of the process in it", err)
	}
	if !strings.Contains(fmt.Sprint(check.Stderr), "a second interrupt ends this at once") {
		t.Errorf("stderr: got %v", check.Stderr)
	}
	if left := s.left(t); len(left) > 0 {
		t.Errorf("the server has %d events that are no requests: %v", len(left), left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.ledger")); len(left) > 0 {
		t.Errorf("the ledger is still there: %v", left)
	}
}

// Who is killed leaves the ledger and no part of a report, and removes those of a run that was killed while it wrote.
func TestKilledRunLeavesNoPart(t *testing.T) {
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
	dir := t.TempDir()
	for _, name := range []string{"run.json.0123456789abcdef.part", "run.json.mine.part"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := startCheck(t, dir, "--quiet", "--json", "run.json", "--html", "run.html", "--ledger", "run.ledger", s.url)
	awaitThat(t, "the first repositories", func() bool { return s.counted(t, "created") > 2 })
	_ = check.Process.Kill()
	_ = check.Wait() // the files say it
	if got := names(t, dir); got != "run.json.mine.part run.ledger" {
		t.Errorf("got %s", got)
	}
}

// Who is interrupted twice ends the clean-up; the report is whole all the same, and the ledger stays.
func TestInterruptedTwice(t *testing.T) {
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
	dir := t.TempDir()
	check := startCheck(t, dir, "--quiet", "--json", "run.json", "--ledger", "run.ledger", s.url)
	awaitThat(t, "the first repositories", func() bool { return s.counted(t, "created") > 2 })
	if err := errors.Join(s.process.Signal(syscall.SIGSTOP), check.Process.Signal(syscall.SIGINT)); err != nil {
		t.Fatal(err)
	}
	awaitThat(t, "the clean-up", func() bool { return strings.Contains(fmt.Sprint(check.Stderr), "a second interrupt ends this at once") })
	if err := check.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := check.Wait(); check.ProcessState.ExitCode() != record.ExitInterrupted {
		t.Errorf("exit code: got %v, want that of who was interrupted", err)
	}
	report, err := os.Open(filepath.Join(dir, "run.json"))
	if err != nil {
		t.Fatalf("the report: %v; stderr %s", err, check.Stderr)
	}
	defer report.Close()
	if doc, err := record.Read(report); err != nil || doc.Runs[0].Exit != record.ExitInterrupted || !strings.Contains(strings.Join(doc.Runs[0].Facts, " "), "clean-up: ") {
		t.Errorf("the report: got %v, %v, want one that was interrupted and tells of the clean-up", doc, err)
	}
	if got := names(t, dir); got != "run.json run.ledger" {
		t.Errorf("got %s", got)
	}
}

// A measurement that is interrupted removes what it has written.
func TestInterruptedMeasurementCleansUp(t *testing.T) {
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0")
	dir := t.TempDir()
	check := startCheck(t, dir, "measure", "--only", "sync", s.url)
	awaitThat(t, "the first repository", func() bool { return s.counted(t, "created") > 0 })
	if left, _ := filepath.Glob(filepath.Join(dir, "*.ledger")); len(left) != 1 {
		t.Errorf("while it goes on: got the ledgers %v, want one", left)
	}
	if err := check.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := check.Wait(); check.ProcessState.ExitCode() != record.ExitInterrupted {
		t.Errorf("exit code: got %v, want that of who was interrupted; stderr %s", err, check.Stderr)
	}
	if left := s.left(t); len(left) > 0 {
		t.Errorf("the server has %d events that are no requests: %v", len(left), left)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.ledger")); len(left) > 0 {
		t.Errorf("the ledger is still there: %v", left)
	}
}

// A service for members is cleaned up by their keys, at the end of a run and later, and without them nobody can say what is there.
func TestMembersAloneAreCleanedUp(t *testing.T) {
	dir := t.TempDir()
	var secrets, members strings.Builder
	for _, digit := range "1234" { // the first one is none
		secret := strings.Repeat(string(digit), 64)
		key, err := client.ParseKey("key", secret)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&secrets, secret)
		if digit != '1' {
			fmt.Fprintln(&members, key.Npub)
		}
	}
	for name, text := range map[string]string{"members.txt": members.String(), "keys.txt": secrets.String()[65:], "nobody.txt": secrets.String()[:65], "all.txt": secrets.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := serveSim(t, buildSim(t), "serve", "--memory", "--addr", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--members", filepath.Join(dir, "members.txt"))
	gone := func(when string) {
		t.Helper()
		created, gone := s.counted(t, "created"), s.counted(t, "retired")
		if created == 0 || created != gone {
			t.Errorf("%s: %d repositories were made, and %d have gone", when, created, gone)
		}
	}
	if out, err := checkIn(t, dir, "--quiet", "--id", "G08-05", "--keys", "keys.txt", "--ledger", "first.ledger", s.url); err != nil {
		t.Errorf("a run with a clean-up: got %v\n%s", err, out)
	}
	gone("at the end of a run")
	if out, err := checkIn(t, dir, "--quiet", "--id", "G08-05", "--keys", "keys.txt", "--no-cleanup", "--ledger", "second.ledger", s.url); err != nil {
		t.Errorf("a run without a clean-up: got %v\n%s", err, out)
	}
	for _, args := range [][]string{nil, {"--nsec", "nobody.txt"}} {
		out, err := checkIn(t, dir, append([]string{"cleanup", "second.ledger"}, args...)...)
		if err == nil || !strings.Contains(out, "nobody can say, for the server shows them to members alone: give the key of one") {
			t.Errorf("a clean-up by a stranger: got %v\n%s", err, out)
		}
	}
	if out, err := checkIn(t, dir, "cleanup", "second.ledger", "--keys", "all.txt"); err != nil {
		t.Errorf("a clean-up by members, and somebody else: got %v\n%s", err, out)
	}
	gone("after a clean-up")
}

// A sim is the reference as a process.
type sim struct {
	url, metrics string
	process      *os.Process
	end          func()
}

// serveSim starts a server, which ends with the test at the latest.
func serveSim(t *testing.T, bin string, args ...string) *sim {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "grasp-sim"), args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	log := &lines{}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s := &sim{process: cmd.Process, end: sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })}
	t.Cleanup(s.end)
	line, err := bufio.NewReader(out).ReadString('\n')
	var ok bool
	if s.url, ok = strings.CutPrefix(strings.TrimSpace(line), "listening "); err != nil || !ok {
		t.Fatalf("first line of the server: got %q (%v); stderr %v", line, err, log)
	}
	awaitThat(t, "where the metrics are", func() bool { return metricsAt.MatchString(log.String()) })
	s.metrics = metricsAt.FindStringSubmatch(log.String())[1]
	return s
}

var metricsAt = regexp.MustCompile(`"url":"(http://[^"]+/metrics)"`)

// lines are what a process writes; it may be read meanwhile.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer // guarded by mu
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// left are the kinds and ids of what the server serves, but for deletion requests.
func (s *sim) left(t *testing.T) []string {
	t.Helper()
	live, err := livetarget.New(s.url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	relay, o := client.New(live, client.Options{}).Relay(t.Context())
	if o != nil {
		t.Fatal(o)
	}
	defer relay.Close()
	limit := 5000
	events, o := relay.Query(t.Context(), client.Filter{Limit: &limit})
	if o != nil || len(events) == limit {
		t.Fatalf("everything: %d events, %v", len(events), o)
	}
	var left []string
	for _, ev := range events {
		if ev.Kind != client.KindDeletion {
			left = append(left, fmt.Sprintf("%d %.12s", ev.Kind, ev.ID))
		}
	}
	return left
}

// counted is how often something happened to repositories.
func (s *sim) counted(t *testing.T, fact string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.metrics, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		_, _ = fmt.Sscanf(line, `grasp_repository_facts_total{fact="`+fact+`"} %d`, &n) // it is not there before the first
	}
	return n
}

// startCheck starts the command as a process.
func startCheck(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "grasp-check", args...)
	cmd.Dir, cmd.Stderr = dir, &lines{}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// checkIn runs the command, and returns what it said.
func checkIn(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "grasp-check", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// awaitThat waits for something that comes soon.
func awaitThat(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	late := time.After(30 * time.Second)
	for !done() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s: it did not come", what)
		}
	}
}
