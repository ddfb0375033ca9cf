package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

// A push that is what the state declares stops in the middle of its pack. It holds up nobody in its repository: the same push of
// somebody else goes by, a state is answered and applied, and a push that was right when it began and is not any more is told so.
func TestAStoppedPushHoldsNobodyUp(t *testing.T) {
	for _, backend := range []string{"exec", "disk", "memory"} {
		t.Run(backend, func(t *testing.T) {
			where := []string{"--data", t.TempDir()}
			if _, err := exec.LookPath("git"); err != nil && backend == "exec" {
				t.Skipf("no git on this machine: %v", err)
			}
			if backend == "memory" {
				where = []string{"--memory"}
			}
			server := spawn(t, append(where, "--log-level", "error", "--backend", backend)...)
			h := newHostile(t, server)
			owner := h.connect()
			now := time.Now().Unix()
			publish(t, owner, h.announce(h.owner, "demo", nil, ""))
			history := client.NewHistory("stopped")
			first := history.Commit("", map[string]string{"README": "first\n"}, "first")
			publish(t, owner, client.StateEvent(h.owner, "demo", [][2]string{{"refs/heads/main", first}}, "refs/heads/main", now))
			push := client.PushOpts{
				Commands: []client.Command{{Old: client.ZeroOID, New: first, Ref: "refs/heads/main"}}, Pack: history.Pack([]string{first}, nil),
			}
			body := string(client.PushBody(push))
			slow := h.post(h.path+"/"+client.ReceivePack, client.ReceivePack, len(body), body[:len(body)-30])
			if report, is := h.client.Push(t.Context(), h.path, push).(client.PushReport); !is || !report.Accepted() {
				t.Fatalf("the same push beside the stopped one: got %v", report)
			}
			publish(t, owner, client.StateEvent(h.owner, "demo", [][2]string{{"refs/heads/dev", first}}, "refs/heads/dev", now+1))
			moved, _ := h.client.Poll(t.Context(), 10*time.Second, func() (bool, client.Observation) {
				advert, is := h.client.Advertise(t.Context(), h.path, client.UploadPack, 0).(client.Advert)
				named := func(name string) bool {
					return slices.ContainsFunc(advert.Refs, func(r client.Ref) bool { return r.Name == name })
				}
				return is && named("refs/heads/dev") && !named("refs/heads/main"), nil
			})
			if !moved {
				t.Error("a state beside the stopped push: its refs have not moved")
			}
			if _, err := slow.Write([]byte(body[len(body)-30:])); err != nil {
				t.Fatal(err)
			}
			answer := make([]byte, 4096)
			if err := slow.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			n, err := slow.Read(answer)
			if err != nil {
				t.Fatal(err)
			}
			got := string(answer[:n])
			if !strings.HasPrefix(got, "HTTP/1.1 200") || !strings.Contains(got, "doesn't match the latest state event") {
				t.Errorf("the stopped push, when its pack is here: got %q, want that it is refused", got)
			}
		})
	}
}
