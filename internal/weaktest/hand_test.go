package weaktest

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/mutate"
)

// A hand is a small mistake in syncing, storing or deciding, as somebody would make it who reads the protocol and writes a server of his own. One
// program has all of them, each behind a switch.
type hand struct {
	name     string
	mistake  string // in words
	file     string
	old, new string // what new says of WRONG is so while the mistake is made
	world    string // a scenario and its seeds that see it, such as "two 1-8"; or why none can: "none: ..."; or why none has yet: "open: ..."
	breaks   string // what is violated there
}

// wrongEnv names the mistake that the program makes.
const wrongEnv = "GRASPKIT_WRONG"

var (
	handsDrawn = flag.Int("hand.n", 4, "see so many of the mistakes in syncing and storing, drawn anew by each run")
	handsTry   = flag.String("hand.try", "", "try the mistakes whose name fits this regular expression in all worlds, and tell what sees them")
	handsBuild = flag.String("hand.build", "", "only build the program with all of the mistakes, as this file: "+wrongEnv+"=NAME has it make one of them")
	handsSeeds = flag.String("hand.seeds", "1-20", "seeds of each world for -hand.try")
)

func hands() []hand {
	return slices.Concat(handsOfRelays(), handsOfQuestions(), handsOfWishes(), handsOfRefusals(), handsOfStores(), handsOfHunts(), handsOfCores(), handsOfLives())
}

// plantHands builds the command with all mistakes.
func plantHands(t *testing.T) (program string) {
	t.Helper()
	var changes []mutate.Change
	folders := map[string]bool{}
	for _, h := range hands() {
		folders[path.Dir(h.file)] = true
		changes = append(changes, mutate.Change{File: h.file, Old: h.old, New: strings.ReplaceAll(h.new, "WRONG", fmt.Sprintf("wrong(%q)", h.name))})
	}
	for folder := range folders {
		changes = append(changes, mutate.Change{File: folder + "/wrong_switch.go", New: fmt.Sprintf(
			"package %s\n\nimport \"os\"\n\nvar wrongNow = os.Getenv(%q)\n\nfunc wrong(name string) bool { return wrongNow == name }\n", path.Base(folder), wrongEnv,
		)})
	}
	dir := t.TempDir()
	overlay, err := mutate.Plant("../..", dir, changes)
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		return ""
	}
	if program = *handsBuild; program == "" {
		program = filepath.Join(dir, "grasp-sim")
	}
	if out, err := command(t, "go", "build", "-overlay", overlay, "-o", program, "./cmd/grasp-sim"); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return program
}

// runs makes runs of a world with a mistake, or without one, and returns what was said.
func runs(t *testing.T, program, mistake, world, seeds string) (out string, violated bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "run", world, "--seeds", seeds, "-j", "1")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), wrongEnv+"="+mistake)
	text, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return string(text), err != nil
}

var violatedBy = regexp.MustCompile(`VIOLATED (\S+ \S+)|(panic: .*)|(livelock.*)`)

// TestHandsAreSeen plants mistakes in syncing and storing, and wants the scenario that shows each to be violated, and to hold without it.
func TestHandsAreSeen(t *testing.T) {
	program := plantHands(t)
	if testing.Short() || *handsBuild != "" {
		return
	}
	if *handsTry != "" {
		tryHands(t, program)
		return
	}
	all := slices.DeleteFunc(hands(), func(h hand) bool { return strings.HasPrefix(h.world, "open: ") || strings.HasPrefix(h.world, "none: ") })
	order := rand.Perm(len(all))
	if !*every {
		order = order[:min(len(order), *handsDrawn)]
	}
	for _, i := range order {
		h := all[i]
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			world, seeds, _ := strings.Cut(h.world, " ")
			if out, violated := runs(t, program, "", world, seeds); violated {
				t.Fatalf("%s without the mistake: %.2000s", h.world, out)
			}
			out, violated := runs(t, program, h.name, world, seeds)
			if !violated || !strings.Contains(out, h.breaks) {
				t.Errorf("%s holds although %s, or breaks another rule than %s (again: go test ./internal/weaktest -run 'HandsAreSeen/%s$' -args -weak.all): %.1000s",
					h.world, h.mistake, h.breaks, h.name, out)
			}
		})
	}
}

// tryHands tells which world sees which mistake first.
func tryHands(t *testing.T, program string) {
	only := regexp.MustCompile(*handsTry)
	for _, h := range hands() {
		if !only.MatchString(h.name) {
			continue
		}
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			for _, world := range handWorlds {
				if out, violated := runs(t, program, h.name, world, *handsSeeds); violated {
					t.Logf("SEEN %s: %s %q", h.name, world, violatedBy.FindString(out))
					return
				}
			}
			t.Errorf("UNSEEN %s: %s", h.name, h.mistake)
		})
	}
}

// handWorlds are tried in this order.
var handWorlds = []string{
	"weak/72-short-gaps", "weak/77-a-second-pass", "weak/80-released", "weak/81-issues-first", "weak/85-a-relapse", "weak/86-silence",
	"weak/75-one-second", "weak/74-pages-of-what-is-here", "weak/73-no-end", "weak/withdrawn", "weak/by-clone-url", "weak/by-one-way", "weak/71-a-slow-first-answer",
	"weak/cut-off", "weak/half-refused", "weak/borders", "weak/long-outage", "weak/refusals-pass", "weak/silent", "weak/left", "weak/limits", "weak/daily",
	"weak/87-no-room", "weak/69-a-crowd-returns", "weak/70-first-contact", "weak/67-asked-too-much", "weak/77-refused-before-the-end",
	"odd", "edges", "narrow", "relays", "contributors", "archive", "two", "mirrors", "members", "weak/68-many-subscriptions", "weak/kept", "swarm",
	"weak/exact", "weak/run-out", "weak/refused-for-hours", "weak/comes-back", "weak/much", "weak/meanwhile", "weak/owners-allowed", "peers", "motes",
}
