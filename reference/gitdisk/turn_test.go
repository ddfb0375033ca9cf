package gitdisk_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/graspkit/graspkit/reference/gitdisk"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/gitturn"
)

// held is a context that holds up whoever asks it how it is, and tells who did.
type held struct {
	context.Context //nolint:containedctx // it is one

	asked chan<- struct{}
	gate  <-chan struct{}
}

func (h held) Err() error {
	select {
	case h.asked <- struct{}{}:
	default:
	}
	<-h.gate
	return nil
}

// A client that fetches as often as it can has half of the workers: while all of its own hang, another one is served.
func TestOneClientLeavesWorkersToOthers(t *testing.T) {
	d, _ := newStore(t, gitdisk.Options{Workers: 4})
	objects, tips := history(1)
	if report, ok := receive(t, d, packOf(t, objects...), create("refs/heads/main", tips[0])); !ok {
		t.Fatalf("push: got %+v", report)
	}
	request := "0012command=fetch\n00010032want " + string(tips[0]) + "\n0009done\n0000"
	asked, gate := make(chan struct{}, 8), make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	open := sync.OnceFunc(func() { close(gate) })
	defer open()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 6 {
		all.Go(func() {
			hung := gitturn.From(held{context.Background(), asked, gate}, "192.0.2.1") //nolint:contextcheck // it must not end
			if err := d.UploadPack(hung, testID, 2, strings.NewReader(request), io.Discard); err != nil {
				t.Errorf("the greedy one: %v", err)
			}
		})
	}
	for range 2 {
		<-asked
	}
	var out strings.Builder
	if err := d.UploadPack(gitturn.From(ctx, "192.0.2.2"), testID, 2, strings.NewReader(request), &out); err != nil {
		t.Errorf("another client: %v", err)
	}
	if !strings.Contains(out.String(), "PACK") {
		t.Errorf("another client: got %.60q, want a pack", out.String())
	}
	if got := len(asked); got != 0 {
		t.Errorf("got %d workers of the greedy one besides two", got)
	}
}

// The same of pushes, each to a repository of its own: while all that one client may have hang, another one's is taken.
func TestOneClientLeavesWorkersToOtherPushes(t *testing.T) {
	d, _ := newStore(t, gitdisk.Options{Workers: 4})
	objects, tips := history(1)
	pack := packOf(t, objects...)
	push := gitstore.Push{Commands: []gitproto.Command{create("refs/heads/main", tips[0])}}
	asked, gate := make(chan struct{}, 8), make(chan struct{})
	var all sync.WaitGroup
	defer all.Wait()
	open := sync.OnceFunc(func() { close(gate) })
	defer open()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for n := range 6 {
		id := testID
		id.Identifier = fmt.Sprint("greedy", n)
		if err := d.Create(id); err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			passes := &halting{held: held{context.Background(), asked, gate}} //nolint:contextcheck // it must not end
			if _, err := d.Receive(gitturn.From(passes, "192.0.2.1"), id, push, bytes.NewReader(pack)); err != nil {
				t.Errorf("the greedy one: %v", err)
			}
		})
	}
	for range 2 {
		<-asked
	}
	if report, err := d.Receive(gitturn.From(ctx, "192.0.2.2"), testID, push, bytes.NewReader(pack)); err != nil || !report.Whole() {
		t.Errorf("another client: got %+v, %v, want its push taken", report, err)
	}
	if got := len(asked); got != 0 {
		t.Errorf("got %d workers of the greedy one besides two", got)
	}
}

// halting is held from the second time on that it is asked how it is: the first time the pack has come, and no worker is taken yet.
type halting struct {
	held

	before atomic.Bool
}

func (h *halting) Err() error {
	if !h.before.Swap(true) {
		return nil
	}
	return h.held.Err()
}
