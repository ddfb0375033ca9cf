package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/internal/loopback"
)

// servedWrong serves a mistake until the test ends, and returns its URL.
func servedWrong(t *testing.T, bin string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "grasp-wrong"), args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGKILL) // everything is in its memory
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("grasp-wrong: got %q, %v", line, err)
	}
	return strings.TrimPrefix(strings.TrimSpace(line), "listening ")
}

// A check is stepped through by hand: each step waits, a shell beside it knows where the server is, and the end says whether it was
// seen again. Another server at the same place does not show it.
func TestScriptIsSteppedThrough(t *testing.T) {
	if testing.Short() {
		t.Skip("servers are built")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("a script needs curl")
	}
	t.Setenv("SHELL", "/bin/sh")
	bin := buildSim(t)
	addr, err := loopback.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	document := filepath.Join(t.TempDir(), "run.json")
	var out, errs bytes.Buffer
	wrong := func(t *testing.T, do func(url string), args ...string) {
		t.Helper()
		t.Run("", func(t *testing.T) {
			do(servedWrong(t, bin, append(args, "--defect", "every-event-acknowledged", "--addr", addr)...))
		})
	}
	wrong(t, func(url string) {
		if code := run(t.Context(), []string{url, "--id", "G01-ANN-09.empty", "--json", document, "--quiet"}, strings.NewReader(""), &out, &errs); code != 1 {
			t.Fatalf("judged: got exit code %d, want 1:\n%s%s", code, out.String(), errs.String())
		}
	})
	through := func(input string) (string, int) {
		out.Reset()
		errs.Reset()
		code := run(t.Context(), []string{"repro", "--shell", document, "G01-ANN-09.empty"}, io.MultiReader(strings.NewReader(input)), &out, &errs)
		return out.String() + errs.String(), code
	}
	wrong(t, func(string) {
		got, code := through("\ns\necho it is $relay\nexit\n" + strings.Repeat("\n", 20))
		for _, want := range []string{"it is ws://" + addr, "Enter goes on", "<- this did not hold", "SEEN AGAIN: all"} {
			if !strings.Contains(got, want) {
				t.Errorf("got no %q in:\n%s", want, got)
			}
		}
		if code != 0 {
			t.Errorf("got exit code %d, want 0", code)
		}
	})
	wrong(t, func(string) {
		if got, code := through(""); code != 1 || !strings.Contains(got, "NOT SEEN AGAIN") {
			t.Errorf("without the mistake: got exit code %d, want 1:\n%s", code, got)
		}
	}, "--mended")
}

// What is signed by seed and name is signed by the key of that actor, and says what was asked for.
func TestSign(t *testing.T) {
	var out, errs bytes.Buffer
	args := []string{"sign", "--seed", "7", "--as", "N42-01/owner", "--kind", "22242", "--created-at", "100", "--tag", "challenge=a=b $(c)", "--content", "d"}
	if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("got exit code %d: %s", code, errs.String())
	}
	var ev nostr.Event
	if err := json.Unmarshal(out.Bytes(), &ev); err != nil {
		t.Fatal(err)
	}
	good, err := ev.CheckSignature()
	if key := client.NewKey("7", "N42-01/owner"); err != nil || !good || ev.PubKey != key.Pubkey || ev.Kind != 22242 || ev.CreatedAt != 100 ||
		ev.Content != "d" || !slices.Equal(ev.Tags.Find("challenge"), nostr.Tag{"challenge", "a=b $(c)"}) {
		t.Errorf("got %s, %v", out.String(), err)
	}
}

// Who names no relay, or nothing at all, is told what to do.
func TestReproClientsSayWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"websocket"}, "got 0 arguments"},
		{[]string{"websocket", "ws://127.0.0.1:1"}, "connect to ws://127.0.0.1:1"},
		{[]string{"websocket", "--ca", "missing.pem", "ws://127.0.0.1:1"}, "--ca"},
		{[]string{"sign", "--seed", "7"}, "give --seed and --as, or --keys and --pubkey, and --kind"},
		{[]string{"sign", "--seed", "7", "--as", "owner", "--kind", "1", "--tag", "x"}, "want name=value"},
	} {
		var out, errs bytes.Buffer
		if code := run(t.Context(), c.args, strings.NewReader(""), &out, &errs); code == 0 || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: got exit code %d and %q, want %q", c.args, code, errs.String(), c.want)
		}
	}
}

// What was seen through the door of a service for members alone is seen again with the same keys, by a relay and by git, and without
// them the script says what it lacks. No secret is in it.
func TestScriptOfAPrivateService(t *testing.T) {
	if testing.Short() {
		t.Skip("servers are built")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("a script needs curl")
	}
	t.Parallel() // it waits for servers
	bin := buildSim(t)
	addr, err := loopback.Free(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	keys, members, document := filepath.Join(folder, "keys"), filepath.Join(folder, "members"), filepath.Join(folder, "run.json")
	secrets := []string{strings.Repeat("0", 60) + "1000", strings.Repeat("0", 60) + "1001"}
	var pubkeys []string
	for _, secret := range secrets {
		pubkey, err := nostr.GetPublicKey(secret)
		if err != nil {
			t.Fatal(err)
		}
		pubkeys = append(pubkeys, pubkey)
	}
	for path, lines := range map[string][]string{keys: secrets, members: pubkeys} {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ defect, check string }{
		{"every-event-acknowledged", "G01-ANN-09.empty"},
		{"push-without-state", "G01-PUSH-02"},
	} {
		t.Run(test.defect, func(t *testing.T) {
			at := func(do func(url string), args ...string) {
				t.Run("", func(t *testing.T) {
					do(servedWrong(t, bin, append(args, "--defect", test.defect, "--addr", addr, "--members", members)...))
				})
			}
			var out, errs bytes.Buffer
			at(func(url string) {
				args := []string{url, "--id", test.check, "--json", document, "--quiet", "--keys", keys, "--no-cleanup", "--ledger", filepath.Join(folder, test.defect)}
				if code := run(t.Context(), args, strings.NewReader(""), &out, &errs); code != 1 {
					t.Fatalf("judged: got exit code %d, want 1:\n%s%s", code, out.String(), errs.String())
				}
			})
			script := filepath.Join(folder, test.defect+".sh")
			if code := run(t.Context(), []string{"repro", document, test.check, "-o", script}, strings.NewReader(""), &out, &errs); code != 0 {
				t.Fatalf("script: got exit code %d:\n%s", code, errs.String())
			}
			text, err := os.ReadFile(script)
			if err != nil || strings.Contains(string(text), secrets[0]) || strings.Contains(string(text), "Nostr ey") {
				t.Errorf("the script has a secret or a token, or there is none: %v", err)
			}
			repeat := func(with string, want string) {
				t.Helper()
				cmd := exec.CommandContext(t.Context(), "sh", script)
				cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "KEYS="+with)
				if said, _ := cmd.CombinedOutput(); !strings.Contains(string(said), want) { // its last line says how it ended
					t.Errorf("KEYS=%s: got %s, want %s", with, said, want)
				}
			}
			at(func(string) { repeat(keys, "SEEN AGAIN: all") })
			at(func(string) { repeat(keys, "NOT SEEN AGAIN") }, "--mended")
			at(func(string) { repeat("", "into KEYS") })
		})
	}
}
