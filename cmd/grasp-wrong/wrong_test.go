package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/cli"
)

// serve runs the command until the test ends, and returns the URL that it prints.
func serve(t *testing.T, args ...string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan int, 1)
	var errs bytes.Buffer
	go func() {
		ended <- run(ctx, append(args, "--addr", "127.0.0.1:0"), strings.NewReader(""), in, &errs)
		_ = in.Close()
	}()
	line := make([]byte, 256)
	n, err := out.Read(line)
	if err != nil {
		t.Fatalf("%v: it ended with %d: %s", args, <-ended, errs.String())
	}
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("%v: got exit code %d: %s", args, code, errs.String())
		}
	})
	return strings.TrimPrefix(strings.TrimSpace(string(line[:n])), "listening ")
}

func TestWrongServersServe(t *testing.T) {
	for _, c := range []struct {
		args []string
		path string
		want int
	}{
		{[]string{"--defect", "soft-404"}, "/none", http.StatusOK},
		{[]string{"--defect", "soft-404", "--mended"}, "/none", http.StatusNotFound},
		{[]string{"--defect", "strangers-let-in", "--members", "testdata/members.txt"}, "/none", http.StatusUnauthorized},
		{[]string{"--defect", "push-without-state", "--members", "testdata/members.txt"}, "/none", http.StatusUnauthorized},
		{[]string{"--null", "always-500"}, "/", http.StatusInternalServerError},
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, serve(t, c.args...)+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != c.want {
			t.Errorf("%v: got status %d, want %d", c.args, response.StatusCode, c.want)
		}
	}
}

func TestWrongServersSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "give --defect NAME or --null KIND"},
		{[]string{"--defect", "soft-404", "--null", "silent"}, "give --defect NAME or --null KIND"},
		{[]string{"--defect", "none"}, "soft-404"},
		{[]string{"--defect", "closed-misnamed"}, "judgetest"},
		{[]string{"--null", "none"}, "always-500"},
		{[]string{"--null", "silent", "--mended"}, "goes with --defect NAME"},
		{[]string{"--defect", "strangers-let-in", "--members", "missing.txt"}, "missing.txt"},
		{[]string{"--defect", "strangers-let-in", "--members", "wrong_test.go"}, "line 1"},
		{[]string{"--defect", "soft-404", "--addr", "nowhere"}, "want host:port"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), c.args, strings.NewReader(""), &out, &errs); code != cli.ExitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: got exit code %d and %q, want %d and %q", c.args, code, errs.String(), cli.ExitUsage, c.want)
		}
	}
}
