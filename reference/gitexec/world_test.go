package gitexec_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var testID = repo.ID{
	Owner: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", Identifier: "r \u00e9",
}

// A gate admits every push unless reason is set, and counts.
type gate struct {
	mu            sync.Mutex // guards all below
	reason        string
	offered, done int
	last          gitstore.Report
}

func (g *gate) Offer(repo.ID, []gitproto.Command, gitproto.Shape) (gitserve.Admission, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.offered++
	return gitserve.Admission{Admitted: g.reason == "", Reason: g.reason}, nil
}

func (g *gate) Ready() (gitserve.Admission, error) { return gitserve.Admission{Admitted: true}, nil }

func (g *gate) Done(report gitstore.Report) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.done++
	g.last = report
	return nil
}

// counts returns how many pushes were offered, and how many of them were done.
func (g *gate) counts() (offered, done int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.offered, g.done
}

func (g *gate) refuse(reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.reason = reason
}

// A world is one server with one repository, and a folder for clients.
type world struct {
	t       testing.TB
	home    testing.TB // the test that the server belongs to; t changes with each check
	backend gitstore.Backend
	gate    *gate
	url     string
	dir     string
	version string
	source  string // a repository with history, to be pushed
	id      repo.ID

	mu   sync.Mutex // guards seen
	seen []string   // how the bodies of the requests came: service, and "gzip" or "chunked"
}

func newWorld(t testing.TB, backend gitstore.Backend, version, source string) *world {
	t.Helper()
	w := &world{
		t: t, home: t, backend: backend, gate: &gate{}, dir: t.TempDir(), version: version, source: source, id: testID,
	}
	w.listen()
	return w
}

// aside returns a world with another repository of the same store, which is empty.
func (w *world) aside(identifier string) *world {
	w.t.Helper()
	side := &world{t: w.t, home: w.home, backend: w.backend, gate: &gate{}, dir: w.t.TempDir(), version: w.version, source: w.source}
	side.id = repo.ID{Owner: testID.Owner, Identifier: identifier}
	side.listen()
	return side
}

func (w *world) listen() {
	w.t.Helper()
	if err := w.backend.Create(w.id); err != nil {
		w.t.Fatal(err)
	}
	if err := w.backend.Update(w.id, nil, "refs/heads/main"); err != nil { // as a state event does
		w.t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(w.serve))
	w.t.Cleanup(server.Close)
	w.url = server.URL + w.id.Path()
}

// bodies returns how the bodies of requests came since the last call.
func (w *world) bodies() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := w.seen
	w.seen = nil
	return seen
}

// note remembers how the body of a request comes.
func (w *world) note(r *http.Request) {
	form := path.Base(r.URL.Path)
	if r.Header.Get("Content-Encoding") != "" {
		form += " " + r.Header.Get("Content-Encoding")
	}
	if r.ContentLength < 0 {
		form += " chunked"
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, form)
}

// serve maps the three git requests onto gitserve.
func (w *world) serve(out http.ResponseWriter, r *http.Request) {
	c, header := r.Context(), r.Header.Get("Git-Protocol")
	w.note(r)
	body, err := gitserve.Body(r.Header.Get("Content-Encoding"), r.Body, 1<<30)
	if err != nil {
		http.Error(out, "bad body", http.StatusBadRequest)
		return
	}
	switch suffix := strings.TrimPrefix(r.URL.Path, "/"+w.id.Owner.Npub()+"/"+w.id.Identifier+".git"); suffix {
	case "/info/refs":
		service := r.URL.Query().Get("service")
		out.Header().Set("Content-Type", "application/x-"+service+"-advertisement")
		err = gitserve.Advertise(c, w.backend, w.id, gitproto.Service(service), header, out)
	case "/git-upload-pack":
		out.Header().Set("Content-Type", "application/x-git-upload-pack-result")
		err = gitserve.UploadPack(c, w.backend, w.id, header, body, out)
	case "/git-receive-pack":
		out.Header().Set("Content-Type", "application/x-git-receive-pack-result")
		err = gitserve.ReceivePack(c, w.backend, w.gate, w.id, body, out)
	default:
		http.NotFound(out, r)
	}
	if err != nil && !errors.Is(err, c.Err()) {
		w.home.Logf("server: %s: %v", r.URL.Path, err)
	}
}

// git runs git in a folder of this world; it must succeed. It returns the trimmed standard output.
func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	stdout, stderr, err := w.run(dir, args...)
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout
}

// fails runs git, which must not succeed, and returns its standard error.
func (w *world) fails(dir string, args ...string) string {
	w.t.Helper()
	stdout, stderr, err := w.run(dir, args...)
	if err == nil {
		w.t.Fatalf("git %s: got success, want an error\n%s%s", strings.Join(args, " "), stdout, stderr)
	}
	return stderr
}

func (w *world) run(dir string, args ...string) (stdout, stderr string, err error) {
	w.t.Helper()
	return runGit(w.t, filepath.Join(w.dir, dir), append([]string{"-c", "protocol.version=" + w.version}, args...)...)
}

// traced runs git, which must succeed, and returns its account of the packets that it sent and got.
func (w *world) traced(dir string, args ...string) string {
	w.t.Helper()
	c := gitCommand(w.t, filepath.Join(w.dir, dir), append([]string{"-c", "protocol.version=" + w.version}, args...)...)
	c.Env = append(c.Env, "GIT_TRACE_PACKET=1")
	out, err := c.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func runGit(t testing.TB, dir string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	c := gitCommand(t, dir, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	return strings.TrimSpace(out.String()), errs.String(), err
}

// gitCommand prepares git in an environment without any configuration of the machine.
func gitCommand(tb testing.TB, dir string, args ...string) *exec.Cmd {
	tb.Helper()
	c := exec.CommandContext(tb.Context(), "git", args...)
	c.Dir = dir
	c.Env = []string{
		"PATH=" + filepath.Dir(c.Path) + ":/usr/bin:/bin", "HOME=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@t", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@t",
		"GIT_CONFIG_COUNT=3",
		"GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main",
		"GIT_CONFIG_KEY_1=advice.detachedHead", "GIT_CONFIG_VALUE_1=false",
		"GIT_CONFIG_KEY_2=gc.auto", "GIT_CONFIG_VALUE_2=0",
	}
	return c
}

// post sends a raw body to a service and returns the answer.
func (w *world) post(service string, body []byte) string {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+"/"+service, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	var answer bytes.Buffer
	if _, err := answer.ReadFrom(response.Body); err != nil {
		w.t.Fatal(err)
	}
	return answer.String()
}

// write makes a file with this content in a folder of the world.
func (w *world) write(path, content string) {
	w.t.Helper()
	path = filepath.Join(w.dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// commit adds a commit with one file to a clone and returns its id.
func (w *world) commit(dir, file string) string {
	w.t.Helper()
	w.write(filepath.Join(dir, file), file+" in "+dir+"\n")
	w.git(dir, "add", "-A")
	w.git(dir, "commit", "-qm", file)
	return w.git(dir, "rev-parse", "HEAD")
}

// clone makes a clone of the served repository.
func (w *world) clone(dir string, args ...string) {
	w.t.Helper()
	w.git("", append(append([]string{"clone", "-q"}, args...), w.url, dir)...)
}

func (w *world) ref(name string) repo.OID {
	w.t.Helper()
	refs, err := w.backend.Refs(w.id)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, ref := range refs.Refs {
		if ref.Name == name {
			return ref.OID
		}
	}
	return ""
}

func (w *world) wantRef(name, oid string) {
	w.t.Helper()
	if got := w.ref(name); string(got) != oid {
		w.t.Errorf("ref %s: got %q, want %q", name, got, oid)
	}
}

// wantMissing checks that the server does not have an object.
func (w *world) wantMissing(oid string) {
	w.t.Helper()
	missing, err := w.backend.Missing(w.id, []repo.OID{repo.OID(oid)})
	if err != nil {
		w.t.Fatal(err)
	}
	if len(missing) != 1 {
		w.t.Errorf("object %s: got present, want missing", oid)
	}
}

// pack makes a push body: commands, then a pack of what new reaches and old does not.
func (w *world) pack(dir string, spec ...string) []byte {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), "git", "pack-objects", "--stdout", "--revs", "-q")
	c.Dir = filepath.Join(w.dir, dir)
	c.Stdin = strings.NewReader(strings.Join(spec, "\n") + "\n")
	pack, err := c.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	return pack
}

// push makes the body of a raw push.
func (w *world) push(pack []byte, commands ...gitproto.Command) []byte {
	w.t.Helper()
	var b bytes.Buffer
	list := gitproto.CommandList{Commands: commands, Capabilities: gitproto.Capabilities{"report-status"}}
	if err := gitproto.WriteCommands(&b, list); err != nil {
		w.t.Fatal(err)
	}
	b.Write(pack)
	return b.Bytes()
}
