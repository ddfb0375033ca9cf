package browsertest

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/launch"
)

// A devtools speaks to one page of a headless Chromium, over the two pipes of --remote-debugging-pipe: a command, and whatever
// comes until its answer is there. It needs six commands of the protocol; what a page complains of is kept.
type devtools struct {
	t          *testing.T
	to, from   *os.File
	in         *bufio.Reader
	session    string
	number     int
	loaded     bool
	complaints []string
}

// A message of the protocol.
type message struct {
	ID     int             `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Sess   string          `json:"sessionId,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// openDevtools starts a Chromium that ends with the test, with one empty page.
func openDevtools(t *testing.T, chromium string) *devtools {
	t.Helper()
	theirs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, theirOut, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	args := append(quietly(t), "--remote-debugging-pipe", "--hide-scrollbars", "about:blank")
	cmd := exec.CommandContext(t.Context(), chromium, args...)
	inGroup(cmd)
	var output launch.Tail
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.ExtraFiles = []*os.File{theirs, theirOut} // its files 3 and 4
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = theirs.Close(), theirOut.Close() // the browser has them
	t.Cleanup(func() {
		if err := cmd.Cancel(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
		_, _ = to.Close(), from.Close()
		if t.Failed() {
			t.Logf("output of Chromium:\n%s", launch.Shown(output.String()))
		}
	})
	d := &devtools{t: t, to: to, from: from, in: bufio.NewReader(from)}
	var target struct {
		ID string `json:"targetId"`
	}
	d.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct {
		Session string `json:"sessionId"`
	}
	d.call("Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &attached)
	d.session = attached.Session
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		d.call(domain+".enable", nil, nil)
	}
	return d
}

// call sends a command and waits for its answer.
func (d *devtools) call(method string, params, result any) {
	d.t.Helper()
	d.number++
	raw, err := json.Marshal(params)
	if err != nil {
		d.t.Fatal(err)
	}
	if params == nil {
		raw = nil
	}
	text, err := json.Marshal(message{ID: d.number, Method: method, Params: raw, Sess: d.session})
	if err != nil {
		d.t.Fatal(err)
	}
	if _, err := d.to.Write(append(text, 0)); err != nil {
		d.t.Fatalf("%s: %v", method, err)
	}
	for {
		m := d.next(method)
		if m.ID != d.number {
			continue
		}
		if m.Error != nil {
			d.t.Fatalf("%s: %s", method, m.Error.Message)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				d.t.Fatalf("%s: %v", method, err)
			}
		}
		return
	}
}

// next reads one message, and keeps what it says of the page.
func (d *devtools) next(during string) message {
	d.t.Helper()
	if err := d.from.SetReadDeadline(time.Now().Add(patience)); err != nil {
		d.t.Fatal(err)
	}
	text, err := d.in.ReadBytes(0)
	if err != nil {
		d.t.Fatalf("%s: Chromium says nothing: %v", during, err)
	}
	var m message
	if err := json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m); err != nil {
		d.t.Fatalf("%s: %v", during, err)
	}
	switch m.Method {
	case "Page.loadEventFired":
		d.loaded = true
	case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
		d.complaints = append(d.complaints, string(m.Params))
	}
	return m
}

// open loads a page and waits until it is there.
func (d *devtools) open(url string) {
	d.t.Helper()
	d.loaded = false
	d.call("Page.navigate", map[string]any{"url": url}, nil)
	for !d.loaded {
		d.next("load")
	}
}

// show says how the page is looked at.
func (d *devtools) show(scheme string, width, height int, script bool) {
	d.t.Helper()
	d.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	d.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
	d.call("Emulation.setScriptExecutionDisabled", map[string]any{"value": !script}, nil)
}

// ask evaluates an expression in the page, whose own script need not run for that, and waits for a promise.
func (d *devtools) ask(expression string, into any) {
	d.t.Helper()
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception json.RawMessage `json:"exceptionDetails"`
	}
	d.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if answer.Exception != nil {
		d.t.Fatalf("%s: %s", expression, answer.Exception)
	}
	if err := json.Unmarshal(answer.Result.Value, into); err != nil {
		d.t.Fatalf("%s: %v", expression, err)
	}
}

func (d *devtools) number64(expression string) (n int) {
	d.t.Helper()
	d.ask(expression, &n)
	return n
}

// picture saves what is seen of the page.
func (d *devtools) picture(path string) {
	d.t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	d.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err == nil && len(png) < 1000 {
		err = fmt.Errorf("%d bytes are no picture", len(png))
	}
	if err == nil && path != "" {
		err = os.WriteFile(path, png, 0o600)
	}
	if err != nil {
		d.t.Errorf("picture: %v", err)
	}
}
