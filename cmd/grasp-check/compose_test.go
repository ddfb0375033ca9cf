package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/graspkit/graspkit/conformance/launch"
)

// A composition is what of a compose file is looked at; the rest of it may be anything.
type composition struct {
	Services map[string]struct {
		Image       string `yaml:"image"`
		Command     string `yaml:"command"`
		NetworkMode string `yaml:"network_mode"`
		DependsOn   map[string]struct {
			Condition string `yaml:"condition"`
		} `yaml:"depends_on"`
		Healthcheck struct {
			Test []string `yaml:"test"`
		} `yaml:"healthcheck"`
		Volumes []string `yaml:"volumes"`
	} `yaml:"services"`
	Volumes map[string]any `yaml:"volumes"`
}

// behind returns the arguments behind a program of this project in a command.
func behind(t *testing.T, command, program string) []string {
	t.Helper()
	words, err := launch.Words(command)
	if err != nil {
		t.Fatalf("%q: %v", command, err)
	}
	at := slices.IndexFunc(words, func(word string) bool {
		name, _, _ := strings.Cut(word, "@")
		return name == program || name == "github.com/graspkit/graspkit/cmd/"+program
	})
	if at < 0 {
		t.Fatalf("%q: does not run %s", command, program)
	}
	return words[at+1:]
}

// The compose file of the documentation holds together, and what it runs can be run: the server that it starts is judged by
// what it says of the judge.
func TestComposeFile(t *testing.T) {
	text, err := os.ReadFile("../../docs/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var c composition
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	server, judge := c.Services["server"], c.Services["judge"]
	if len(c.Services) != 2 || server.Image == "" || judge.Image == "" || len(server.Healthcheck.Test) == 0 ||
		judge.NetworkMode != "service:server" || judge.DependsOn["server"].Condition != "service_healthy" {
		t.Errorf("got %+v, want a server with a health check, and a judge in its network that waits for it", c)
	}
	for _, volume := range slices.Concat(server.Volumes, judge.Volumes) {
		name, _, _ := strings.Cut(volume, ":")
		if _, named := c.Volumes[name]; !named && name != "." {
			t.Errorf("volume %q: not declared", volume)
		}
	}
	const addr = "127.0.0.1:7334"
	args := behind(t, judge.Command, "grasp-check")
	if !slices.Contains(args, "ws://"+addr) || !strings.Contains(server.Healthcheck.Test[len(server.Healthcheck.Test)-1], addr) {
		t.Errorf("judge %q, health check %q: want both at %s", judge.Command, server.Healthcheck.Test, addr)
	}
	words := []string{filepath.Join(buildSim(t), "grasp-sim")}
	for _, word := range behind(t, server.Command, "grasp-sim") {
		words = append(words, strings.ReplaceAll(word, addr, "{addr}"))
	}
	s, err := launch.Start(t.Context(), launch.Command{Args: words})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Chdir(t.TempDir())
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "ws://"+addr, s.ServiceURL())
	}
	var out bytes.Buffer
	if code := run(t.Context(), append(args, "--quiet", "--id", "G01-N11"), strings.NewReader(""), &out, &out); code != 0 {
		t.Errorf("%q: exit code %d:\n%s", args, code, out.String())
	}
	for _, file := range []string{"run.json", "run.xml"} {
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Errorf("%s: got %v, %v, want a report", file, info, err)
		}
	}
}

// The commands that the compose file speaks of have flags that exist.
func TestCommandsOfComposeFile(t *testing.T) {
	text, err := os.ReadFile("../../docs/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for line := range strings.Lines(string(text)) {
		command, is := strings.CutPrefix(line, "#   grasp-check ")
		if !is {
			continue
		}
		found++
		words, err := launch.Words(command)
		if err != nil {
			t.Fatalf("%q: %v", command, err)
		}
		if err := rootCommand().ParseFlags(words); err != nil {
			t.Errorf("%q: %v", command, err)
		}
	}
	if found < 2 {
		t.Errorf("got %d commands, want some", found)
	}
}
