// Package gotest shows how a server in Go is judged by its own tests. It has no code: the server is the reference, in place of yours.
//
//	go test -short                  the document of the service
//	go test                         all of GRASP-01, in some minutes
//	go test -run G01-PURG           one area
package gotest

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance"
)

// Without this, one area is go test -run TestGRASP/G01-PURG.
func TestMain(m *testing.M) {
	conformance.ByID("TestGRASP")
	m.Run()
}

func TestGRASP(t *testing.T) {
	o := conformance.Options{URL: start(t), ID: "G01-"}
	if testing.Short() {
		o.ID = "G01-N11"
	}
	conformance.Run(t, o)
}

// start starts the server and returns where it answers; it ends with the test.
func start(t *testing.T) string {
	t.Helper()
	program, err := exec.CommandContext(t.Context(), "go", "tool", "-n", "grasp-sim").Output() // builds it, and says where it is
	if err != nil {
		t.Fatalf("build the server: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), strings.TrimSpace(string(program)), "serve", "--memory", "--addr", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("start the server: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // that it was killed is no news
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	at, ready := strings.CutPrefix(strings.TrimSpace(line), "listening ")
	if !ready {
		t.Fatalf("the server is not ready: %q, %v", line, err)
	}
	if os.Getenv(planted) != "" {
		return withoutGrasps(t, at)
	}
	return at
}

// planted is a variable that breaks the server: what has never failed proves nothing.
const planted = "GOTEST_PLANTED"

// withoutGrasps is a server whose document does not say that it is a GRASP.
func withoutGrasps(t *testing.T, at string) string {
	t.Helper()
	behind, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.ModifyResponse = func(r *http.Response) error {
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/nostr+json") {
			return nil
		}
		body, err := io.ReadAll(r.Body)
		text := strings.Replace(string(body), "supported_grasps", "supported_others", 1)
		r.Body = io.NopCloser(strings.NewReader(text))
		return err
	}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL
}

var (
	began  = regexp.MustCompile(`(?m)^=== RUN +TestGRASP/(\S+)$`)
	failed = regexp.MustCompile(`(?m)^ +--- FAIL: TestGRASP/(G01-N11-\d+)`)
)

// The pattern of -run chooses the requirements, and a server that breaks one fails its test.
func TestThatItFails(t *testing.T) {
	for _, c := range []struct{ name, pattern, variable, fails string }{
		{"as it is", "G01-N11", "", ""},
		{"two of them", "G01-N11-01|G01-N11-03", "", ""},
		{"by the test", "^TestGRASP$/^G01-N11", "", ""},
		{"planted", "^G01-N11", planted + "=1", "G01-N11-02"},
	} {
		t.Run(c.name, func(t *testing.T) {
			again := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run", c.pattern)
			again.Env = append(os.Environ(), c.variable)
			out, err := again.CombinedOutput()
			if (err == nil) != (c.fails == "") {
				t.Errorf("exit: got %v\n%s", err, out)
			}
			names := began.FindAllSubmatch(out, -1)
			for _, name := range names {
				if !strings.HasPrefix(string(name[1]), "G01-N11") {
					t.Errorf("%s was run, too", name[1])
				}
			}
			if len(names) == 0 {
				t.Errorf("nothing was run\n%s", out)
			}
			if wrong := failed.FindSubmatch(out); (wrong != nil) != (c.fails != "") || wrong != nil && string(wrong[1]) != c.fails {
				t.Errorf("got %s, want %q to fail\n%s", wrong, c.fails, out)
			}
		})
	}
}
