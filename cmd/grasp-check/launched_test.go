package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/launch"
)

// What a launched reference has acknowledged, it knows after a restart and after a crash.
func TestLaunchedServerKeepsItsData(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skipf("no git on this machine: %v", err)
	}
	program := buildSim(t)
	s, err := launch.Start(t.Context(), launch.Command{Args: []string{program + "/grasp-sim", "serve", "--addr", "{addr}", "--data", "{data}"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	key := strings.Repeat("0", 63) + "3"
	owner, err := nostr.GetPublicKey(key)
	if err != nil {
		t.Fatal(err)
	}
	npub, err := nip19.EncodePublicKey(owner)
	if err != nil {
		t.Fatal(err)
	}
	event := nostr.Event{Kind: 30617, CreatedAt: nostr.Timestamp(time.Now().Unix()), Tags: nostr.Tags{
		{"d", "demo"},
		{"clone", s.ServiceURL() + "/" + npub + "/demo.git"},
		{"relays", strings.Replace(s.ServiceURL(), "http", "ws", 1)},
	}}
	if err := event.Sign(key); err != nil {
		t.Fatal(err)
	}
	if text := publish(t, s, event); strings.HasPrefix(text, "duplicate:") {
		t.Fatalf("first: got %q, want no duplicate", text)
	}
	for name, end := range map[string]func(context.Context) error{"Restart": s.Restart, "Kill": s.Kill} {
		if err := end(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text := publish(t, s, event); !strings.HasPrefix(text, "duplicate:") {
			t.Errorf("after %s: got %q, want a duplicate", name, text)
		}
	}
}

// publish sends an event on a connection of its own and returns the text of its OK.
func publish(t *testing.T, s *launch.Server, event nostr.Event) string {
	t.Helper()
	conn, err := s.Dial(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Send(t.Context(), fmt.Appendf(nil, `["EVENT",%s]`, event.String())); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	msg, err := conn.Recv(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var answer []any
	if err := json.Unmarshal(msg, &answer); err != nil || len(answer) != 4 || answer[2] != true {
		t.Fatalf("answer to an event: got %s, want an OK that is true", msg)
	}
	text, _ := answer[3].(string)
	return text
}
