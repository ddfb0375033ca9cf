package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
)

// heapMax bounds what server and clients of the hostile load use together once it is over.
const heapMax = 256 << 20

// A thousand connections that each send junk and stay: every frame is answered or its connection closed, nothing is
// stored, memory stays bounded, and a good event is still taken.
func TestHostileLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand connections and several hundred MiB of junk")
	}
	s := begin(t, "--memory", "--log-level", "error")
	live, err := livetarget.New(s.url, livetarget.Options{Connections: 1200})
	if err != nil {
		t.Fatal(err)
	}
	c := client.New(live, client.Options{})
	key := client.NewKey("hostile", "stranger")
	forged := client.Note(key, nil, "forged", 1_760_000_000)
	forged.Sig = strings.Repeat("0", 128)
	junk := []string{
		`{"not":"an array"}`,
		`["EVENT",{"id":1}]`,
		`["EVENT",` + string(client.EventJSON(forged)) + `]`,
		`["REQ","x",` + strings.Repeat("[", 100_000) + `]`,
		`["REQ","` + strings.Repeat("s", 100) + `",{}]`,
		`["EVENT",{"content":"` + strings.Repeat("x", 1<<20) + `"}]`,
	}
	for i := range 1000 {
		r, o := c.Relay(t.Context())
		if o != nil {
			t.Fatalf("connection %d: %v", i, o)
		}
		t.Cleanup(r.Close)
		for n, frame := range junk {
			tooLarge := n == len(junk)-1 // it closes its connection, at times before it is sent
			if tooLarge && i%4 != 0 {
				continue // most connections stay
			}
			if o := r.SendRaw(t.Context(), []byte(frame)); o != nil && !tooLarge {
				t.Fatalf("connection %d, frame %d: %v", i, n, o)
			}
		}
	}
	good := talk(t, s)
	if ok, is := good.Publish(t.Context(), client.Note(key, nil, "orphan", 1_760_000_001)).(client.OKFrame); !is || ok.Accepted {
		t.Errorf("an orphan after the load: got %v, want OK false", ok)
	}
	events, o := good.Query(t.Context(), client.Filter{})
	if o != nil || len(events) != 0 {
		t.Errorf("stored after the load: got %d events (%v), want none", len(events), o)
	}
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	t.Logf("heap in use after the load, server and 1,000 clients: %d MiB; taken from the system: %d MiB", mem.HeapInuse>>20, mem.Sys>>20)
	if mem.HeapInuse > heapMax {
		t.Errorf("got %d MiB of heap in use, want at most %d", mem.HeapInuse>>20, heapMax>>20)
	}
}
