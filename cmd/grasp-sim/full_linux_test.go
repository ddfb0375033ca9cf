package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/internal/smalldisk"
)

// On a full disk events and pushes are refused with the reason, and everything is read as before. A push that fills the disk
// is refused as well. When there is room again the same process takes both, and after a kill all is there (REF-PURG-15).
func TestServeOnAFullDisk(t *testing.T) {
	backends(t, func(t *testing.T, backend string) {
		disk := smalldisk.New(t, "48m")
		args := []string{"--url", origin, "--data", filepath.Join(disk, "data"), "--backend", backend}
		p := spawn(t, args...)
		c := liveClient(t, p.url)
		r := talk(t, &p.serving)
		small := newCrashPusher(rand.New(rand.NewPCG(1, 1)), client.NewKey("full", "owner"), "demo")
		large := newCrashPusher(rand.New(rand.NewPCG(1, 1)), client.NewKey("full", "owner"), "large")
		if !small.announce(t, r) || !small.step(t, c, r) || small.acked != 1 {
			t.Fatal("the first push: no answer")
		}
		refused := func(who *crashPusher, when string) {
			t.Helper()
			next := who.steps[who.acked+1]
			o := c.Push(t.Context(), who.path(), client.PushOpts{
				Commands: []client.Command{{Ref: crashMain, Old: orZero(who.steps[who.acked].refs[crashMain]), New: next.refs[crashMain]}},
				Pack:     who.history.Pack([]string{next.refs[crashMain]}, nil),
			})
			if reason, is := client.Refusal(o); !is || reason == "" {
				t.Errorf("push %s: got %v, want it refused with a reason", when, o)
			}
		}

		if !large.announce(t, r) {
			t.Fatal("the second announcement: no answer")
		}
		noise := make([]byte, 40<<20)
		random := rand.NewChaCha8([32]byte{})
		_, _ = random.Read(noise)
		tip := large.history.Commit("", map[string]string{"noise": string(noise)}, "more than the disk takes")
		large.steps[1] = crashStep{client.StateEvent(large.key, "large", [][2]string{{crashMain, tip}}, crashMain, crashEpoch), map[string]string{crashMain: tip}}
		publish(t, r, large.steps[1].state)
		refused(large, "that fills the disk")

		empty := smalldisk.Fill(t, disk)
		issue := client.Issue(small.key, client.RepoAddress(small.key.Pubkey, "demo"), "subject", "", crashEpoch)
		await(t, "an end of the room", func() bool {
			ok, is := r.Publish(t.Context(), issue).(client.OKFrame)
			if is && ok.Accepted {
				return false
			}
			if !is || ok.Prefix != "error" || !strings.Contains(ok.Text, "cannot write to its disk") {
				t.Errorf("event on a full disk: got %v, want an error", ok)
			}
			return true
		})
		refused(small, "on a full disk")
		var count crashCount
		small.check(t, c, r, &count)
		if _, o := c.Fetch(t.Context(), small.path(), 2, []string{small.steps[1].refs[crashMain]}, client.FetchOpts{}); o != nil {
			t.Errorf("fetch on a full disk: %v", o)
		}

		empty()
		another := client.Issue(small.key, client.RepoAddress(small.key.Pubkey, "demo"), "subject", "again", crashEpoch)
		await(t, "room again", func() bool {
			ok, is := r.Publish(t.Context(), another).(client.OKFrame)
			return is && ok.Accepted
		})
		if !small.step(t, c, r) || small.acked != 2 {
			t.Error("the push with room again was not taken")
		}
		r.Close()
		p.signal(t, os.Kill)
		again := spawn(t, args...)
		r = talk(t, &again.serving)
		small.check(t, liveClient(t, again.url), r, &count)
		if there := servedOf(t, r, []string{another.ID}); !there[another.ID] {
			t.Error("what was taken with room again is not served after a start")
		}
		for _, path := range []string{small.path(), large.path()} {
			if stdout, stderr, err := git(t, filepath.Join(disk, "data", "git")+path, "fsck", "--strict", "--no-dangling"); err != nil {
				t.Errorf("git fsck of %s: %v: %s%s", path, err, stdout, stderr)
			}
		}
	})
}
