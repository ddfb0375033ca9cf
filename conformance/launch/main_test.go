//go:build unix

package launch_test

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// leakChecked are tests that must leave no goroutine behind.
type leakChecked struct{ m *testing.M }

func (l leakChecked) Run() int {
	code := l.m.Run()
	if err := goleak.Find(); err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

func TestMain(m *testing.M) {
	testscript.Main(leakChecked{m}, map[string]func(){"fake-server": fakeServer})
}

// fakeServer is a server with habits: fake-server HABIT ADDR DATA. It appends a byte to DATA/lives at each start, and
// the end that it came to at an orderly one; that file is what it answers with.
func fakeServer() {
	flag.Parse()
	habit, addr, data := flag.Arg(0), flag.Arg(1), flag.Arg(2)
	fmt.Fprintf(os.Stderr, "fake server, %s\n", habit)
	lives := func(what string) {
		f, err := os.OpenFile(filepath.Join(data, "lives"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		defer f.Close()
		if _, err := f.WriteString(what); err != nil {
			panic(err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	switch habit {
	case "dies":
		panic("no disk")
	case "never-ready":
		fmt.Println("still thinking")
		<-ctx.Done()
		return
	case "forks": // into a process group that is not the server's
		child := exec.Command("sleep", "1000")
		child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := child.Start(); err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(data, "child"), fmt.Append(nil, child.Process.Pid), 0o600); err != nil {
			panic(err)
		}
	case "ignores-term":
		stop()
		signal.Ignore(syscall.SIGTERM)
		ctx = context.Background()
	}
	lives("start ")
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		text, err := os.ReadFile(filepath.Join(data, "lives"))
		if err != nil {
			panic(err)
		}
		_, _ = w.Write(text)
	})
	mux.HandleFunc("/die", func(http.ResponseWriter, *http.Request) {
		fmt.Println("out of luck")
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	})
	server := &http.Server{Addr: addr, Handler: mux, ReadHeaderTimeout: time.Second}
	go func() {
		fmt.Printf("listening on http://%s\n", addr)
		if err := server.ListenAndServe(); err != nil && ctx.Err() == nil {
			panic(err)
		}
	}()
	<-ctx.Done()
	lives("end ")
}
