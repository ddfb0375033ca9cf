//go:build unix

package operated_test

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tiny-relay": tinyRelay, "tiny-ctl": tinyControl})
}

// tinyRelay is a server: tiny-relay ADDR DIR. It answers each message with an EOSE, and says in DIR/pid who it is and in
// DIR/lives how each of its lives began and ended.
func tinyRelay() {
	flag.Parse()
	addr, dir := flag.Arg(0), flag.Arg(1)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	server := &http.Server{Addr: addr, ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			return
		}
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		for {
			if _, _, err := ws.Read(r.Context()); err != nil {
				return
			}
			if err := ws.Write(r.Context(), websocket.MessageText, []byte(`["EOSE","x"]`)); err != nil {
				return
			}
		}
	})}
	must(os.WriteFile(filepath.Join(dir, "pid"), fmt.Append(nil, os.Getpid()), 0o600))
	life(dir, "start ")
	go func() { must(server.ListenAndServe()) }()
	<-ctx.Done()
	life(dir, "end ")
}

// tinyControl operates it: tiny-ctl WHAT ADDR DIR.
func tinyControl() {
	flag.Parse()
	what, addr, dir := flag.Arg(0), flag.Arg(1), flag.Arg(2)
	switch what {
	case "restart":
		end(addr, dir, syscall.SIGTERM)
		begin(addr, dir)
	case "kill":
		end(addr, dir, syscall.SIGKILL)
	case "start":
		begin(addr, dir)
	case "nothing":
	case "fail":
		panic("no such unit")
	case "hang":
		fmt.Println("waiting for a lock")
		child := exec.Command("sleep", "1000")
		must(child.Start())
		life(dir, "child:"+strconv.Itoa(child.Process.Pid)+" ")
		_ = child.Wait()
	case "say":
		must(os.WriteFile(filepath.Join(dir, "said"), []byte(flag.Arg(3)), 0o600))
	default:
		panic(what)
	}
}

// begin starts the server, which outlives us, and waits for it.
func begin(addr, dir string) {
	server := exec.Command("tiny-relay", addr, dir)
	server.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	must(server.Start())
	for !taken(addr) {
		pause()
	}
}

func end(addr, dir string, by syscall.Signal) {
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	must(err)
	pid, err := strconv.Atoi(string(text))
	must(err)
	must(syscall.Kill(pid, by))
	for taken(addr) {
		pause()
	}
}

func taken(addr string) bool {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}

func pause() { <-time.After(5 * time.Millisecond) }

func life(dir, what string) {
	f, err := os.OpenFile(filepath.Join(dir, "lives"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	_, err = f.WriteString(what)
	must(err)
	must(f.Close())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
