package judgetest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/repro"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/defect"
)

var asWebSocket = flag.String("as-websocket", "", "be the WebSocket client of a script: send each line of the input to this `URL`, and print each message")

// The client of TestScriptsSeeItAgain, in a process of its own.
func TestAsWebSocket(t *testing.T) {
	if *asWebSocket == "" {
		t.Skip("it is a process of TestScriptsSeeItAgain")
	}
	if err := speakLines(t.Context(), *asWebSocket, os.Stdin, os.Stdout); err != nil {
		t.Fatal(err)
	}
}

func speakLines(ctx context.Context, url string, in io.Reader, out io.Writer) error {
	conn, _, err := websocket.Dial(ctx, url, nil) //nolint:bodyclose // the library closes it
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(-1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		lines := bufio.NewReader(in)
		for {
			line, err := lines.ReadString('\n')
			if err != nil || conn.Write(ctx, websocket.MessageText, []byte(strings.TrimSuffix(line, "\n"))) != nil {
				return
			}
		}
	}()
	for {
		_, message, err := conn.Read(ctx)
		if err != nil {
			return nil //nolint:nilerr // the end of a connection is no fault of the client's
		}
		if _, err := out.Write(append(bytes.ReplaceAll(message, []byte("\n"), []byte(" ")), '\n')); err != nil {
			return err
		}
	}
}

var reproSeed = flag.String("repro.seed", "1", "which share of the mistakes is repeated by scripts: another seed, another share")

// reproShare is of how many planted mistakes one is repeated by a script unless all are asked for.
const reproShare = 48

// What a check has seen of a planted mistake is seen again by the script that is written for it, at a fresh server with the same
// mistake: a share of them, and with -full all. Where a mistake needs time, a restart or the installed git,
// or has no process of its own to be served by, there is no script to try.
func TestScriptsSeeItAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("each mistake is served, judged and served again")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("a script needs curl")
	}
	wrong := filepath.Join(t.TempDir(), "grasp-wrong")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", wrong, "../../cmd/grasp-wrong").CombinedOutput(); err != nil {
		t.Fatalf("build grasp-wrong: %v\n%s", err, out)
	}
	var tried, seen atomic.Int32
	t.Cleanup(func() {
		t.Logf("%d mistakes were found by their URL, %d were seen again by a script", tried.Load(), seen.Load())
		if *full && seen.Load() < reproLeast {
			t.Errorf("got %d mistakes that a script shows again, want %d at least", seen.Load(), reproLeast)
		}
	})
	for _, row := range spec.Defects() {
		d, _ := defect.Lookup(row.Name)
		h := fnv.New32a()
		_, _ = h.Write([]byte(row.Name + *reproSeed)) // a hash takes everything
		if d.InSource || d.AtDoor() || slices.Contains(atOnce, row.Name) || !*full && h.Sum32()%reproShare != 0 {
			continue
		}
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			run, check := foundByURL(t, wrong, row)
			if check == nil {
				return
			}
			tried.Add(1)
			missing := missedBy(t, wrong, row, run, check)
			if len(missing) == 0 {
				seen.Add(1)
				return
			}
			t.Errorf("%s: the script does not show again:\n%s", check.ID, strings.Join(missing, "\n"))
		})
	}
}

// reproLeast is how many of all mistakes have to be seen again.
const reproLeast = 100

// foundWithin is how long a mistake is looked for; what takes longer has no script that anybody would wait for.
const foundWithin = 40 * time.Second

// foundByURL judges a mistake as the server of somebody else, and returns a check that is violated, if there is one.
func foundByURL(t *testing.T, wrong string, row spec.Defect) (*record.Run, *record.Check) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_ = l.Close() // its port is the server's now
	defer serveWrong(t, wrong, row.Name, addr)()
	live, err := livetarget.New("http://"+addr, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), foundWithin) // where nothing is ever served, each check waits in vain for a minute
	defer cancel()
	result, err := suite.Run(ctx, live, suite.Config{
		Features: features.FS, Seed: "repro", Model: "legacy", ID: row.Catches, Lineage: lineageOf(row.Catches), Clock: time.Now, Parallel: 4,
		Tags: "not @client:git",
	})
	if err != nil {
		t.Fatal(err)
	}
	run := concluded(result)
	for i := range run.Checks {
		if run.Checks[i].Verdict.Violated() && kept(run.Checks[i]) {
			return &run, &run.Checks[i]
		}
	}
	return nil, nil
}

// kept reports whether all that a check has sent is in its transcript: not of a flood, nor of a push of megabytes.
func kept(c record.Check) bool {
	cut := func(x record.Exchange) bool { return x.Direction == record.Sent && x.Cut }
	return c.LeftOut == 0 && !slices.ContainsFunc(c.Transcript, cut)
}

// atOnce are the mistakes that show only while several connections are open, or one is given up half way: a script does one thing
// after the other.
var atOnce = []string{"idle-pushes-block", "aborted-fetches-block"}

// serveWrong serves a mistake until the function returned is called.
func serveWrong(t *testing.T, wrong, name, addr string) (end func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), wrong, "--defect", name, "--addr", addr)
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

// missedBy runs the script at a fresh server and returns what came back in the check, and does not in the script.
func missedBy(t *testing.T, wrong string, row spec.Defect, run *record.Run, check *record.Check) []string {
	t.Helper()
	defer serveWrong(t, wrong, row.Name, strings.TrimPrefix(run.URL, "http://"))()
	script := filepath.Join(t.TempDir(), "repeat.sh")
	var text bytes.Buffer
	if err := repro.Script(&text, run, check); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(script, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	sh := exec.CommandContext(ctx, "sh", script)
	sh.Env = append(sh.Environ(), "WEBSOCKET="+self+" -test.run=^TestAsWebSocket$ -as-websocket")
	out, err := sh.CombinedOutput()
	if err != nil {
		t.Errorf("script: %v", err)
	}
	if !strings.Contains(string(out), "That was all.") {
		t.Errorf("the script did not come to its end:\n%s", out)
	}
	var missing []string
	for _, fact := range factsOf(check) {
		if !strings.Contains(string(out), fact) {
			missing = append(missing, fact)
		}
	}
	if len(missing) > 0 {
		keep := filepath.Join(os.TempDir(), "graspkit-repeat-"+row.Name)
		err := errors.Join(os.WriteFile(keep+".sh", text.Bytes(), 0o600), os.WriteFile(keep+".txt", out, 0o600))
		t.Logf("script and output are %s.sh and .txt, %v", keep, err)
	}
	return missing
}

var oidAndRef = regexp.MustCompile(`[0-9a-f]{40} (refs/[^ \x00]+)`)

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
