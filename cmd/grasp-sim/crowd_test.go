package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// crowdMax bounds the memory that the server takes for three commits that are too large, in MiB.
const crowdMax = 100

// Commits of 100 kB to 460 kB in a pack that unpack to a hundred megabytes, or that name a crowd of parents nobody has: the
// server says why it refuses them and starts no git process for that, it does not take the memory itself, and a push of an
// ordinary commit goes on as ever.
func TestHugeCommits(t *testing.T) {
	if testing.Short() {
		t.Skip("several hundred MB to unpack")
	}
	blob := gitstore.NewBlob([]byte("x\n"))
	tree := gitstore.NewTree(gitstore.Entry{Name: "f", OID: blob.OID()})
	crowd := func(parents int) gitstore.Object {
		list := make([]repo.OID, parents)
		for i := range list {
			list[i] = repo.OID(fmt.Sprintf("%040x", i+1))
		}
		return gitstore.NewCommit(tree.OID(), list, 1_600_000_000, "crowd")
	}
	long := gitstore.NewCommit(tree.OID(), nil, 1_600_000_000, strings.Repeat("m", 100<<20))
	for _, backend := range []string{"exec", "disk"} {
		t.Run(backend, func(t *testing.T) {
			if _, err := exec.LookPath("git"); err != nil && backend == "exec" {
				t.Skipf("no git on this machine: %v", err)
			}
			server := spawn(t, "--log-level", "error", "--data", t.TempDir(), "--backend", backend)
			h := newHostile(t, server)
			owner := h.connect()
			publish(t, owner, h.announce(h.owner, "demo", nil, ""))
			now := time.Now().Unix()
			for i, commit := range []gitstore.Object{crowd(40_000), crowd(170_000), long} {
				tip := string(commit.OID())
				publish(t, owner, client.StateEvent(h.owner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", now-10+int64(i)))
				var pack bytes.Buffer
				if err := gitstore.WritePack(&pack, []gitstore.Object{blob, tree, commit}); err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				o := h.client.Push(t.Context(), h.path, client.PushOpts{
					Commands: []client.Command{{Old: client.ZeroOID, New: tip, Ref: "refs/heads/main"}}, Pack: pack.Bytes(),
				})
				t.Logf("a push of %d bytes was answered after %v", pack.Len(), time.Since(start).Round(time.Millisecond))
				const want = "a commit or tag in the pack is larger than 1048576 bytes"
				if report, is := o.(client.PushReport); !is || report.Accepted() || report.Unpack != want {
					t.Errorf("push of a commit of %d bytes: got %v, want unpack %q", len(commit.Data), o, want)
				}
			}
			h.serves()
			most := server.memory(t).most
			if got := server.signal(t, syscall.SIGTERM); got != "exit status 0" {
				t.Errorf("end of the server: got %s, want exit status 0; stderr %.2000s", got, server.stderr.String())
			}
			t.Logf("%d MiB at most; %v of processor time, git processes included", most, server.cmd.ProcessState.UserTime())
			if most > crowdMax {
				t.Errorf("got %d MiB, want at most %d", most, crowdMax)
			}
		})
	}
}
