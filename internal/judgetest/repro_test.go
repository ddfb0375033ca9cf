package judgetest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/repro"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
	"github.com/graspkit/graspkit/internal/loopback"
)

var (
	scriptsAll  = flag.Bool("scripts.all", false, "repeat every planted mistake by a script")
	scriptsOnly = flag.String("scripts.only", "", "repeat the mistakes whose name fits this `expression`")
	scriptsSeed = flag.String("scripts.seed", "", "which share of the mistakes is repeated by scripts: another seed, another share; that of rapid unless it is given")
)

// scriptsShare is of how many planted mistakes one is repeated by a script unless all are asked for.
const scriptsShare = 100

// What a check has seen of a planted mistake is seen again by the script that is written for it, at a fresh server with the same
// mistake, and not at the same server without it: a share of them, another one for each commit, and with -scripts.all (make scripts) all. Why one is not is in
// testdata/unrepeated.txt, of which no line may be wrong.
func TestScriptsSeeItAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("each mistake is served, judged and served again")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("a script needs curl")
	}
	t.Parallel() // it waits, as TestNullServersEndBadly does
	if *scriptsSeed == "" {
		*scriptsSeed = seedOfRun()
	}
	bench := scriptBench{bin: t.TempDir(), excused: unrepeated(t)}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", bench.bin, "../../cmd/grasp-wrong", "../../cmd/grasp-check")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the commands: %v\n%s", err, out)
	}
	var beside sync.WaitGroup
	room := make(chan struct{}, scriptsBeside)
	for _, row := range spec.Defects() {
		d, _ := defect.Lookup(row.Name)
		if d.InSource || d.AtDoor() || !drawn(t, row.Name) {
			continue
		}
		beside.Go(func() {
			room <- struct{}{}
			defer func() { <-room }()
			t.Run(row.Name, func(t *testing.T) { bench.repeat(t, row) })
		})
	}
	beside.Wait()
	bench.tell(t)
}

// scriptsBeside is how many mistakes are repeated side by side: they wait more than they work.
const scriptsBeside = 12

// drawn reports whether a mistake is one of those that this run repeats.
func drawn(t *testing.T, name string) bool {
	t.Helper()
	if *scriptsOnly != "" {
		fits, err := regexp.MatchString(*scriptsOnly, name)
		if err != nil {
			t.Fatalf("-scripts.only: %v", err)
		}
		return fits
	}
	return *scriptsAll || drawnOf(scriptsShare, *scriptsSeed, name) || slices.Contains(alwaysSeen, name)
}

// alwaysSeen are mistakes of what holds between two requests of one client, which checks saw once in no server but their own.
var alwaysSeen = []string{"deleted-states-authorize", "replaced-states-authorize"}

// seenAlone are mistakes of what one connection does to others: beside other checks, one is violated that is not where a script is alone.
// Nor is one by which a subscription ends for all that it was sent, if that was of other checks.
var seenAlone = []string{
	"subscription-ids-shared-by-all", "closes-end-subscriptions-of-others", "leaving-ends-subscriptions-of-others", "subscriptions-of-twenty-events",
}

// seenNowAndThen are mistakes by which several events are released at once, or come beside an answer, in an order that is another one each
// time: a script compares what comes in its order; or an event just as the check ends, which has come with a script that waits a little longer;
// or whose limit leaves, or whose cache says, what depends on what all other checks sent before, which a script does not; or who is cut off
// goes by the order of connections, which a script opens side by side.
var seenNowAndThen = []string{
	"states-by-arrival", "releases-repeated-by-every-push", "held-states-keep-authority", "limit-before-tags", "counts-without-ids",
	"listings-kept-for-any-version", "counts-without-tags", "broad-queries-bring-repositories-alone",
	"who-left-cuts-off-others",
}

// A scriptBench is where mistakes are served, judged and repeated.
type scriptBench struct {
	bin     string            // the folder of the commands
	excused map[string]string // why a mistake is not repeated
	tried   atomic.Int32
	seen    atomic.Int32 // again, by a script

	mu     sync.Mutex
	unseen []string // mistakes that no check saw by their URL, with what was said of their row
}

func (b *scriptBench) tell(t *testing.T) {
	t.Helper()
	slices.Sort(b.unseen)
	t.Logf("-scripts.seed %s: %d mistakes were found by their URL, %d of them are seen again by a script; %d were not found:\n%s",
		*scriptsSeed, b.tried.Load(), b.seen.Load(), len(b.unseen), strings.Join(b.unseen, "\n"))
}

// repeat judges a mistake, and runs the script of what was seen where it is and where it is not. What one check has seen may depend on what
// the others did before it, which its script does not do: then that of the next one that saw it is run.
func (b *scriptBench) repeat(t *testing.T, row spec.Defect) {
	t.Helper()
	addr, err := loopback.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	run, checks := b.found(t, row, addr)
	if len(checks) == 0 {
		if slices.Contains(alwaysSeen, row.Name) {
			t.Errorf("%s: the mistake was not found by the URL of its server", row.Catches)
		}
		b.mu.Lock()
		b.unseen = append(b.unseen, row.Name+": "+saidOf(run, row.Catches))
		b.mu.Unlock()
		return
	}
	b.tried.Add(1)
	why, excused := b.excused[row.Name]
	var missed []string
	for _, check := range checks[:min(len(checks), scriptsOfOne)] {
		faults := b.again(t, row.Name, addr, run, check)
		if len(faults) == 0 {
			b.seen.Add(1)
			if excused {
				t.Errorf("%s: it is seen again; take it out of the list, which says: %s", check.ID, why)
			}
			return
		}
		missed = append(missed, fmt.Sprintf("%s, %s:\n%s", check.ID, check.Reason, strings.Join(faults, "\n")))
	}
	said := strings.Join(missed, "\n")
	switch {
	case slices.Contains(seenNowAndThen, row.Name):
		t.Logf("not seen again this time: %s", said)
	case excused:
		t.Logf("not seen again: %s: %s", why, said)
	default:
		t.Errorf("not seen again: %s", said)
	}
}

// again runs the script of a check at a fresh server with the mistake and at one without it, and says what it does not show.
func (b *scriptBench) again(t *testing.T, name, addr string, run *record.Run, check *record.Check) (faults []string) {
	t.Helper()
	var text bytes.Buffer
	if err := repro.Script(&text, run, check); err != nil {
		t.Fatal(err)
	}
	out, code := b.execute(t, text.Bytes(), addr, "--defect", name)
	if code != 0 {
		faults = append(faults, fmt.Sprintf("at the server with the mistake it ends with %d", code))
	}
	for _, fact := range factsOf(check) {
		if !strings.Contains(out, fact) {
			faults = append(faults, "at the server with the mistake it does not show "+fact)
		}
	}
	mended, code := b.execute(t, text.Bytes(), addr, "--defect", name, "--mended")
	if code != 1 {
		faults = append(faults, fmt.Sprintf("at the server without the mistake it ends with %d", code))
	}
	if len(faults) > 0 {
		faults = append(faults, fmt.Sprintf("kept: %v", keepScript(name, text.Bytes(), out, mended)))
	}
	return faults
}

// keepScript keeps a script and what it said, for who looks for the reason.
func keepScript(name string, script []byte, with, without string) error {
	keep := filepath.Join(os.TempDir(), "graspkit-repeat-"+name)
	return errors.Join(os.WriteFile(keep+".sh", script, 0o600), os.WriteFile(keep+".with", []byte(with), 0o600),
		os.WriteFile(keep+".without", []byte(without), 0o600))
}

// unrepeated reads which mistakes are not seen again, and why: a name and a reason a line.
func unrepeated(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/unrepeated.txt")
	if err != nil {
		t.Fatal(err)
	}
	why := make(map[string]string)
	for line := range strings.Lines(string(text)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		if _, known := defect.Lookup(name); !known || reason == "" {
			t.Errorf("testdata/unrepeated.txt: %q is no mistake with a reason", line)
		}
		why[name] = reason
	}
	return why
}

// scriptsOfOne is how many of the checks that saw a mistake are run as scripts until one shows it again.
const scriptsOfOne = 3

// foundWithin is how long a mistake is looked for; what takes longer has no script that anybody would wait for.
const foundWithin = 40 * time.Second

// found judges a mistake as the server of somebody else, and returns the run with the checks that are violated.
func (b *scriptBench) found(t *testing.T, row spec.Defect, addr string) (run *record.Run, violated []*record.Check) {
	t.Helper()
	defer b.serve(t, addr, "--defect", row.Name)()
	live, err := livetarget.New("http://"+addr, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	parallel := 4
	if slices.Contains(seenAlone, row.Name) {
		parallel = 1
	}
	ctx, cancel := context.WithTimeout(t.Context(), foundWithin) // where nothing is ever served, each check waits in vain for a minute
	defer cancel()
	result, err := suite.Run(ctx, live, suite.Config{
		Features: features.FS, Seed: "repro", Model: "legacy", ID: row.Catches, Lineage: lineageOf(row.Catches), Clock: time.Now, Parallel: parallel,
		Tags: "not @client:git",
	})
	if err != nil {
		t.Fatal(err)
	}
	all := concluded(result)
	for i := range all.Checks {
		if all.Checks[i].Verdict.Violated() && kept(all.Checks[i]) {
			violated = append(violated, &all.Checks[i])
		}
	}
	return &all, violated
}

// saidOf is what a run says of a row that it did not find violated.
func saidOf(run *record.Run, id string) string {
	for _, r := range run.Requirements {
		if r.ID == id {
			return fmt.Sprintf("%s %s %s", id, r.Verdict, r.Reason)
		}
	}
	return id + " was not judged"
}

// kept reports whether all that a check has sent is in its transcript: not of a flood, nor of a push of megabytes.
func kept(c record.Check) bool {
	cut := func(x record.Exchange) bool { return x.Direction == record.Sent && x.Cut }
	return c.LeftOut == 0 && !slices.ContainsFunc(c.Transcript, cut)
}

// serve serves a mistake until the function returned is called.
func (b *scriptBench) serve(t *testing.T, addr string, args ...string) (end func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(b.bin, "grasp-wrong"), append(args, "--addr", addr)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("grasp-wrong: got %q, %v", line, err)
	}
	return func() {
		_ = cmd.Process.Signal(syscall.SIGKILL) // everything is in its memory
		_ = cmd.Wait()
	}
}

// execute runs a script at a fresh server, as somebody who has curl and grasp-check does.
func (b *scriptBench) execute(t *testing.T, script []byte, addr string, args ...string) (out string, code int) {
	t.Helper()
	defer b.serve(t, addr, args...)()
	path := filepath.Join(t.TempDir(), "repeat.sh")
	if err := os.WriteFile(path, script, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	sh := exec.CommandContext(ctx, "sh", path)
	sh.Env = append(sh.Environ(), "WEBSOCKET="+filepath.Join(b.bin, "grasp-check")+" websocket")
	said, err := sh.CombinedOutput()
	if err != nil && sh.ProcessState.ExitCode() != 1 {
		t.Errorf("script: %v\n%s", err, said)
	}
	return string(said), sh.ProcessState.ExitCode()
}

var oidAndRef = regexp.MustCompile(`[0-9a-f]{40} (refs/[!-~]+)`)

// factsOf is what came back in a check, as pieces of text that any answer of the same meaning has: which event was taken or not, which
// of the check's own events were sent, which refs were where, and each status.
func factsOf(check *record.Check) []string {
	own := make(map[string]bool)
	var facts []string
	for _, x := range check.Transcript {
		var parts []json.RawMessage
		var verb, about string
		var event struct {
			ID string `json:"id"`
		}
		isFrame := json.Unmarshal([]byte(x.Text), &parts) == nil && len(parts) > 1 && json.Unmarshal(parts[0], &verb) == nil
		if x.Direction == record.Sent {
			if isFrame && verb == "EVENT" && json.Unmarshal(parts[1], &event) == nil {
				own[event.ID] = true
			}
			continue
		}
		switch {
		case x.Direction != record.Received:
		case isFrame && verb == "OK" && len(parts) > 2 && json.Unmarshal(parts[1], &about) == nil && own[about]:
			facts = append(facts, fmt.Sprintf("%q,%s", about, parts[2]))
		case isFrame && verb == "EVENT" && len(parts) > 2 && json.Unmarshal(parts[2], &event) == nil && own[event.ID]:
			facts = append(facts, event.ID)
		case isFrame && (verb == "COUNT" || verb == "CLOSED" || verb == "NEG-ERR"):
			facts = append(facts, x.Text)
		case strings.HasPrefix(x.Head, "HTTP "):
			facts = append(facts, strings.Replace(x.Head, "HTTP ", "HTTP/1.1 ", 1))
			for _, line := range x.Lines {
				if m := oidAndRef.FindString(line); m != "" {
					facts = append(facts, m)
				}
			}
		}
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}
