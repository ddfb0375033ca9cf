package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"
)

// repositories are bare repositories in FOLDER/<npub>/<identifier>.git, served by git http-backend.
type repositories struct {
	folder string
	mu     sync.Mutex // one repository is made, or allowed something, at a time
}

// stateFile is where the latest state of a repository is kept for the hook.
const stateFile = "grasp-state.json"

// escaped is an identifier as a URL and a folder have it.
func escaped(identifier string) string {
	return strings.ReplaceAll(url.QueryEscape(identifier), "+", "%20")
}

func (r *repositories) path(pubkey, identifier string) string {
	npub, _ := nip19.EncodePublicKey(pubkey) // the key of a valid event
	return filepath.Join(r.folder, npub, escaped(identifier)+".git")
}

// config is that of each repository.
const config = `[core]
	repositoryformatversion = 0
	bare = true
[http]
	receivepack = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[receive]
	denyDeleteCurrent = ignore
`

func git(in string, args ...string) error {
	cmd := exec.Command("git", args...)
	cmd.Dir = in
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %v: %w: %s", args, err, out)
	}
	return nil
}

// make makes a repository, unless it is there.
func (r *repositories) make(pubkey, identifier string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := r.path(pubkey, identifier)
	if _, err := os.Stat(path); err == nil {
		return
	}
	self, err := os.Executable()
	if err == nil {
		err = os.MkdirAll(path, 0o755)
	}
	if err == nil {
		err = git(path, "init", "--bare", "--quiet", "--template=") // its samples are most of an empty repository
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(path, "hooks"), 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(path, "config"), []byte(config), 0o644)
	}
	if err == nil {
		hook := fmt.Sprintf("#!/bin/sh\nexec '%s' pre-receive\n", self)
		err = os.WriteFile(filepath.Join(path, "hooks", "pre-receive"), []byte(hook), 0o755)
	}
	if err != nil {
		log.Printf("repository %s: %v", path, err)
	}
}

// A state is what the hook has to know of a state event.
type state struct {
	ID        string            `json:"id"`
	CreatedAt int64             `json:"created_at"`
	Refs      map[string]string `json:"refs"`
	Head      string            `json:"head"`
}

func readState(path string) (s state, err error) {
	text, err := os.ReadFile(filepath.Join(path, stateFile))
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(text, &s)
}

// allow lets a repository be pushed to as a state says, if no later one is known.
func (r *repositories) allow(owner string, ev *nostr.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	path := r.path(owner, ev.Tags.GetD())
	if old, err := readState(path); err == nil {
		at := int64(ev.CreatedAt)
		if old.CreatedAt > at || old.CreatedAt == at && old.ID <= ev.ID {
			return
		}
	}
	s := state{ID: ev.ID, CreatedAt: int64(ev.CreatedAt), Refs: map[string]string{}}
	for _, tag := range ev.Tags {
		switch {
		case len(tag) < 2:
		case tag[0] == "HEAD":
			s.Head = strings.TrimPrefix(tag[1], "ref: ")
		case strings.HasPrefix(tag[0], "refs/heads/") || strings.HasPrefix(tag[0], "refs/tags/"):
			s.Refs[tag[0]] = tag[1]
		}
	}
	text, err := json.Marshal(s)
	if err == nil {
		err = os.WriteFile(filepath.Join(path, stateFile), text, 0o600)
	}
	if err == nil && strings.HasPrefix(s.Head, "refs/heads/") {
		err = git(path, "symbolic-ref", "HEAD", s.Head)
	}
	if err != nil {
		log.Printf("state of %s: %v", path, err)
	}
}

// preReceive reads the commands of a push and refuses what the latest state does not say. It runs in the repository.
func preReceive(commands io.Reader, repository string) error {
	s, err := readState(repository)
	lines := bufio.NewScanner(commands)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) != 3 {
			return fmt.Errorf("unreadable command %q", lines.Text())
		}
		after, ref := words[1], words[2]
		switch {
		case strings.HasPrefix(ref, "refs/nostr/") && nostr.IsValid32ByteHex(strings.TrimPrefix(ref, "refs/nostr/")):
		case err != nil:
			return fmt.Errorf("no state event says where %s is", ref)
		case strings.Trim(after, "0") == "" && s.Refs[ref] != "":
			return fmt.Errorf("the latest state event has %s", ref)
		case strings.Trim(after, "0") != "" && s.Refs[ref] != after:
			return fmt.Errorf("the latest state event does not say that %s is at %s", ref, after)
		}
	}
	return lines.Err()
}

// bodyMax bounds one request, in bytes.
const bodyMax = 64 << 20

// ServeHTTP serves /<npub>/<identifier>.git and what is below it.
func (r *repositories) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	parts := strings.SplitN(strings.TrimPrefix(req.URL.EscapedPath(), "/"), "/", 3)
	if len(parts) < 2 || !strings.HasSuffix(parts[1], ".git") || !strings.HasPrefix(parts[0], "npub1") {
		http.NotFound(w, req)
		return
	}
	identifier, err := url.PathUnescape(strings.TrimSuffix(parts[1], ".git"))
	path := filepath.Join(r.folder, parts[0], escaped(identifier)+".git")
	if _, gone := os.Stat(path); err != nil || gone != nil || strings.ContainsAny(parts[0], `.\`) {
		http.NotFound(w, req)
		return
	}
	if len(parts) == 2 {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "the repository %s of %s\n", identifier, parts[0])
		return
	}
	if service := req.URL.Query().Get("service"); parts[2] != "git-upload-pack" && parts[2] != "git-receive-pack" &&
		(parts[2] != "info/refs" || service != "git-upload-pack" && service != "git-receive-pack") {
		http.NotFound(w, req)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, bodyMax)) // the backend has no use for a body that does not come to its end
	if err != nil {
		http.Error(w, "unreadable body", http.StatusBadRequest)
		return
	}
	backend(w, req, path, "/"+parts[2], body)
}

// backend has git http-backend, a CGI program, answer a request. Its processes are one group, which ends when the client is gone.
func backend(w http.ResponseWriter, req *http.Request, repository, path string, body []byte) {
	cmd := exec.CommandContext(req.Context(), "git", "http-backend")
	cmd.Env = append(os.Environ(), "GIT_PROJECT_ROOT="+repository, "GIT_HTTP_EXPORT_ALL=1", "PATH_INFO="+path, "REQUEST_METHOD="+req.Method,
		"QUERY_STRING="+req.URL.RawQuery, "CONTENT_TYPE="+req.Header.Get("Content-Type"), fmt.Sprint("CONTENT_LENGTH=", len(body)),
		"HTTP_CONTENT_ENCODING="+req.Header.Get("Content-Encoding"), "GIT_PROTOCOL="+req.Header.Get("Git-Protocol"))
	cmd.Stdin = bytes.NewReader(body)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		log.Printf("git http-backend: %v", err)
		http.Error(w, "git cannot be started", http.StatusInternalServerError)
		return
	}
	answer := bufio.NewReader(out)
	head, err := textproto.NewReader(answer).ReadMIMEHeader()
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
	} else {
		status := http.StatusOK
		if s := head.Get("Status"); len(s) >= 3 {
			status, _ = strconv.Atoi(s[:3])
		}
		for name, values := range head {
			if name != "Status" {
				w.Header()[name] = values
			}
		}
		w.WriteHeader(max(status, http.StatusOK))
		_, err = io.Copy(w, answer)
	}
	if err != nil {
		_ = cmd.Cancel()
	}
	_ = cmd.Wait()
}
