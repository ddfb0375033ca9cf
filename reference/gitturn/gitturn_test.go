package gitturn_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/graspkit/graspkit/reference/gitturn"
)

// A client that asks for more than its share waits, others do not; and of those who wait the one with the fewest goes first.
func TestNobodyHasAllPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := gitturn.New(4, 2)
		var mu sync.Mutex
		var begun []string
		gives := map[string][]func(){}
		var all sync.WaitGroup
		ask := func(client string) {
			all.Go(func() {
				_, give, err := p.Take(gitturn.From(t.Context(), client))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				defer mu.Unlock()
				begun = append(begun, client)
				gives[client] = append(gives[client], give)
			})
			synctest.Wait()
		}
		for range 4 {
			ask("greedy")
		}
		ask("honest")
		ask("")
		ask("")
		end := func(client string) {
			mu.Lock()
			give := gives[client][0]
			gives[client] = gives[client][1:]
			mu.Unlock()
			give()
			give() // twice is once
			synctest.Wait()
		}
		same := func(what, want string) {
			t.Helper()
			if got := strings.Join(begun, " "); got != want {
				t.Errorf("%s: begun %q, want %q", what, got, want)
			}
		}
		same("four places", "greedy greedy honest ")
		end("greedy")
		same("one is free", "greedy greedy honest  ")
		end("honest")
		same("another is", "greedy greedy honest   greedy")
		for len(begun) < 7 {
			end("greedy")
		}
		same("at the end", "greedy greedy honest   greedy greedy")
		for _, client := range slices.Repeat([]string{"greedy"}, len(gives["greedy"])) {
			end(client)
		}
		all.Wait()
	})
}

func TestLateIsWhoHasMany(t *testing.T) {
	p := gitturn.New(10, 10)
	take := func(client string) bool {
		late, _, err := p.Take(gitturn.From(t.Context(), client))
		if err != nil {
			t.Fatal(err)
		}
		return late
	}
	for n := range gitturn.LateFrom {
		if take("a") {
			t.Errorf("place %d of one client is late", n)
		}
	}
	if !take("a") || take("b") || take("") {
		t.Error("got no difference between who has many and who has none")
	}
}

// Who gives up waiting leaves no place behind, and takes none.
func TestWaitingEnds(t *testing.T) {
	p := gitturn.New(1, 1)
	_, give, err := p.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.Take(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that it was given up", err)
	}
	give()
	for range 64 { // the place may come at the moment at which the wait is given up
		if _, back, err := p.Take(ctx); err == nil {
			back()
		}
	}
	late, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	if _, _, err := p.Take(late); err != nil {
		t.Errorf("the place again: %v", err)
	}
}
