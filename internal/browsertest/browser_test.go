package browsertest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// patience is how long the page may say nothing before it counts as hung.
const patience = time.Minute

// A verdict is what the page says of one check.
type verdict struct {
	Name    string `json:"name"`
	Problem string `json:"problem"`
}

func TestClients(t *testing.T) {
	chromium, folder := clients(t)
	server := serve(t)
	verdicts, ended := make(chan verdict, 64), make(chan string, 1)
	page := httptest.NewServer(pages(folder, verdicts, ended)) // another port is another origin
	defer page.Close()
	end := browse(t, chromium, page.URL+"/page/index.html?server="+url.QueryEscape(server.ServiceURL()))
	defer end()
	want, got := listed(t), []string{}
	for over := false; !over; {
		select {
		case v := <-verdicts:
			got = append(got, v.Name)
			t.Run(v.Name, func(t *testing.T) {
				if v.Problem != "" {
					t.Error(v.Problem)
				}
			})
		case problem := <-ended:
			if problem != "" {
				t.Errorf("the page ended: %s", problem)
			}
			over = true
		case <-time.After(patience):
			t.Errorf("the page has said nothing for %v", patience)
			over = true
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("checks that ran: got %q, want %q", got, want)
	}
	t.Logf("%d checks with %s", len(got), installed(t, chromium))
}

// pages serves the page and the clients, and takes what the page says.
func pages(folder string, verdicts chan<- verdict, ended chan<- string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /page/", http.StripPrefix("/page/", http.FileServer(http.Dir("page"))))
	mux.Handle("GET /modules/", http.StripPrefix("/modules/", http.FileServer(http.Dir(folder))))
	mux.HandleFunc("POST /verdict", func(w http.ResponseWriter, r *http.Request) {
		var v verdict
		if said(w, r, &v) {
			verdicts <- v
		}
	})
	mux.HandleFunc("POST /end", func(w http.ResponseWriter, r *http.Request) {
		var v verdict
		if !said(w, r, &v) {
			return
		}
		select {
		case ended <- v.Problem:
		default: // it has ended already
		}
	})
	return mux
}

// said reads what the page says.
func said(w http.ResponseWriter, r *http.Request, v *verdict) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(v); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return false
	}
	return true
}

// listed returns the names of the checks in the page, in their order: those that ran must be these.
func listed(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("page", "checks.js"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		if _, rest, ok := strings.Cut(line, `await check("`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		t.Fatal("checks.js has no check")
	}
	return names
}

func installed(t *testing.T, chromium string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), chromium, "--version").Output()
	if err != nil {
		t.Error(err)
	}
	return strings.TrimSpace(string(out))
}
