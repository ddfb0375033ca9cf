package gitclient_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/gitclient"
)

// place returns where git can work, and skips the test where there is no git.
func place(t *testing.T) *gitclient.Place {
	t.Helper()
	git, err := gitclient.Find(t.Context())
	if errors.Is(err, gitclient.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := git.NewPlace()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func TestFindWithoutGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := gitclient.Find(t.Context()); !errors.Is(err, gitclient.ErrMissing) {
		t.Errorf("got %v, want ErrMissing", err)
	}
}

// What the machine and its user have configured, and what a caller's environment says, is nothing to git.
func TestNothingIsInherited(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(folder+"/.gitconfig", []byte("[user]\n\tname = somebody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"HOME": folder, "GIT_CONFIG_GLOBAL": folder + "/.gitconfig", "GIT_DIR": folder, "GIT_TRACE": "1",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "somebody",
	} {
		t.Setenv(name, value)
	}
	p := place(t)
	a := p.Run(t.Context(), gitclient.Command{Version: 1, Args: []string{"config", "--list"}})
	if !a.Well() || a.Stderr != "" {
		t.Fatalf("got %v", a)
	}
	if strings.Contains(a.Stdout, "somebody") || !strings.Contains(a.Stdout, "protocol.version=1\n") {
		t.Errorf("got the configuration %s", a.Stdout)
	}
}

func TestMake(t *testing.T) {
	p := place(t)
	name := p.New()
	if err := p.Make(name, nil); err != nil {
		t.Fatal(err)
	}
	made := p.Run(t.Context(), gitclient.Command{In: name, Args: []string{"rev-parse", "--is-bare-repository"}})
	if made.Stdout != "true\n" {
		t.Errorf("got %v, %q", made, made.Stdout)
	}
	if err := p.Add(t.Context(), name, []byte("no pack")); err == nil {
		t.Error("got no error for a broken pack")
	}
	if head, err := p.Read(name + "/HEAD"); head != "ref: refs/heads/main\n" || err != nil {
		t.Errorf("got %q, %v", head, err)
	}
	if _, err := p.Read(name); err == nil {
		t.Error("got no error for a folder")
	}
}

// Who gives up ends git, and what it has started.
func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		cancel()
		<-r.Context().Done() // the connection ends with the process that has it
	}))
	defer s.Close()
	a := place(t).Run(ctx, gitclient.Command{Args: []string{"ls-remote", s.URL}})
	<-asked
	if a.Well() || !a.Late {
		t.Errorf("got %v", a)
	}
}

// A password is asked of nobody.
func TestNobodyIsAsked(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("WWW-Authenticate", `Basic realm="x"`)
		rw.WriteHeader(http.StatusUnauthorized)
	}))
	defer s.Close()
	a := place(t).Run(t.Context(), gitclient.Command{Args: []string{"ls-remote", s.URL}})
	if a.Well() || a.Late || a.Exit <= 0 {
		t.Errorf("got %v", a)
	}
}

// A secret gets to git, and out of it to nobody.
func TestSecretIsTold(t *testing.T) {
	p := place(t)
	const token = "eyJraW5kIjoyNzIzNX0tb3Itc28="
	a := p.Run(t.Context(), gitclient.Command{Secret: "Authorization: Nostr " + token, Args: []string{"config", "--get", "http.extraHeader"}})
	if !a.Well() || a.Stdout != "Authorization: Nostr (secret)\n" {
		t.Errorf("got %v and %q, want the header without what is secret of it", a, a.Stdout)
	}
	if text := fmt.Sprintf("%v %+v", a, a); strings.Contains(text, token) {
		t.Errorf("the answer has the token: %s", text)
	}
	if again := p.Run(t.Context(), gitclient.Command{Args: []string{"config", "--get", "http.extraHeader"}}); again.Well() {
		t.Errorf("got %q for a command without a secret", again.Stdout)
	}
}
