package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whatever git has started ends with the request.
func TestNothingIsLeftOfAClientThatGoesAway(t *testing.T) {
	dir := t.TempDir()
	pid := filepath.Join(dir, "pid")
	script := "#!/bin/sh\nsleep 600 &\necho $! >" + pid + ".new && mv " + pid + ".new " + pid + "\nwait\n"
	if err := os.WriteFile(filepath.Join(dir, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	ctx, leave := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/git-upload-pack", http.NoBody)
		backend(httptest.NewRecorder(), req, dir, "/git-upload-pack", nil)
	}()
	var child int
	await(t, "the child", func() bool {
		text, err := os.ReadFile(pid)
		child, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	leave()
	select {
	case <-over:
	case <-time.After(10 * time.Second):
		t.Fatal("the request does not end")
	}
	await(t, "its end", func() bool {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(child) + "/stat")
		return syscall.Kill(child, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ") // nobody may have reaped it yet
	})
}

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	tick, end := time.NewTicker(10*time.Millisecond), time.After(10*time.Second)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-end:
			t.Fatalf("%s: not within ten seconds", what)
		}
	}
}
