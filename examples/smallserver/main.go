// Command smallserver is a GRASP server in some five hundred lines: a khatru relay and git http-backend at one origin. It is an example of
// a server that graspkit knows nothing of, and that is incomplete: it holds nothing in purgatory, restores nothing at a start, and
// known.yaml lists what the judge finds.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fiatjaf/khatru"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "pre-receive" {
		if err := preReceive(os.Stdin, "."); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	addr := flag.String("addr", "127.0.0.1:7340", "listen on this `host:port`")
	data := flag.String("data", "smallserver-data", "keep repositories in this `folder`")
	flag.Parse()
	if err := serve(*addr, *data); err != nil {
		log.Fatal(err)
	}
}

func serve(addr, data string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	data, err = filepath.Abs(data)
	if err != nil {
		return err
	}
	repos := &repositories{folder: data}
	origin := "http://" + l.Addr().String()
	relay := newRelay(origin, repos)
	server := &http.Server{Handler: handler(relay, repos, origin), ReadHeaderTimeout: 10 * time.Second}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer cancel()
	go func() {
		<-stop.Done()
		ending, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = server.Shutdown(ending)
	}()
	fmt.Printf("listening %s\n", origin)
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler tells the three kinds of requests apart: the relay's, its document, and git's.
func handler(relay *khatru.Relay, repos *repositories, origin string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", "GET, POST")
		h.Set("Access-Control-Allow-Headers", "Content-Type, Accept, Authorization, Git-Protocol, Content-Encoding")
		switch {
		case r.Method == http.MethodOptions:
			w.WriteHeader(http.StatusNoContent)
		case r.URL.Path == "/" && strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
			relay.HandleWebsocket(w, r)
		case r.URL.Path == "/" && strings.Contains(r.Header.Get("Accept"), "application/nostr+json"):
			h.Set("Content-Type", "application/nostr+json")
			_ = json.NewEncoder(w).Encode(map[string]any{
				"name": "smallserver", "description": "an example of a GRASP server", "software": "smallserver", "version": "1",
				"supported_nips": []int{1, 9, 11, 34, 40, 45}, "supported_grasps": []string{"GRASP-01"},
				"repo_acceptance_criteria": "any repository whose announcement lists " + origin,
			})
		case r.URL.Path == "/":
			h.Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprintln(w, "a GRASP server: a nostr relay and git repositories")
		default:
			repos.ServeHTTP(w, r)
		}
	})
}
