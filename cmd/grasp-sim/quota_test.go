package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// A repository grows until a push says that its quota is exceeded; then it is read as ever, and another repository has room,
// until all together have none. A server that starts again knows what is there.
func TestQuotas(t *testing.T) {
	for _, backend := range []string{"exec", "disk"} {
		t.Run(backend, func(t *testing.T) {
			if _, err := exec.LookPath("git"); err != nil && backend == "exec" {
				t.Skipf("no git on this machine: %v", err)
			}
			args := []string{
				"--log-level", "error", "--data", t.TempDir(), "--backend", backend,
				"--repository-bytes", "3000000", "--git-bytes", "5000000",
			}
			server := spawn(t, args...)
			h := newHostile(t, server)
			history := client.NewHistory("quota")
			noise := rand.NewChaCha8([32]byte{})
			now := time.Now().Unix() - 100
			// Grow pushes files of 500 kB until one is refused, and returns the last tip that was taken.
			grow := func(identifier, want string) (tip string, taken int) {
				t.Helper()
				r := h.connect()
				publish(t, r, h.announce(h.owner, identifier, nil, ""))
				for i := range 20 {
					content := make([]byte, 500_000)
					_, _ = noise.Read(content)
					next := history.Commit(tip, map[string]string{fmt.Sprint(i): string(content)}, fmt.Sprint(i))
					now++
					publish(t, r, client.StateEvent(h.owner, identifier, [][2]string{{"refs/heads/main", next}}, "refs/heads/main", now))
					command := client.Command{Old: client.ZeroOID, New: next, Ref: "refs/heads/main"}
					var have []string
					if tip != "" {
						command.Old, have = tip, []string{tip}
					}
					o := h.client.Push(t.Context(), h.client.RepoPath(h.owner.Pubkey, identifier), client.PushOpts{
						Commands: []client.Command{command}, Pack: history.Pack([]string{next}, have),
					})
					report, is := o.(client.PushReport)
					switch {
					case !is:
						t.Fatalf("push %d: got %v", i, o)
					case report.Accepted():
						tip, taken = next, taken+1
					case strings.HasPrefix(report.Unpack, "quota exceeded: "+want):
						return tip, taken
					default:
						t.Fatalf("push %d: got %v, want it refused for %q", i, o, want)
					}
				}
				t.Fatalf("%d pushes: none was refused", 20)
				return "", 0
			}
			tip, taken := grow("one", "the repository would take more than 3000000 bytes")
			if taken != 5 {
				t.Errorf("got %d pushes of 500 kB taken, want 5 of 3 MB", taken)
			}
			path := h.client.RepoPath(h.owner.Pubkey, "one")
			if _, o := h.client.Fetch(t.Context(), path, 2, []string{tip}, client.FetchOpts{}); o != nil {
				t.Errorf("clone of a full repository: %v", o)
			}
			if got := server.signal(t, syscall.SIGTERM); got != "exit status 0" {
				t.Errorf("end of the server: got %s; stderr %.2000s", got, server.stderr.String())
			}
			server = spawn(t, append(args, "--addr", strings.TrimPrefix(server.url, "http://"))...)
			h = newHostile(t, server)
			if _, taken := grow("two", "all repositories of this server would take more than 5000000 bytes"); taken < 2 || taken > 4 {
				t.Errorf("got %d pushes of 500 kB taken beside 2.5 MB of 5 MB, want 2 to 4", taken)
			}
		})
	}
}
