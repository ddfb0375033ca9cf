package actiontest

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// An action is what these tests read of action.yml.
type action struct {
	Name, Description string
	Inputs            map[string]struct{ Description, Default string }
	Outputs           map[string]struct{ Description, Value string }
	Runs              struct {
		Using string
		Steps []struct {
			Name, ID, Shell, Run, If, Uses string
			With, Env                      map[string]string
		}
	}
}

func readYAML(t *testing.T, path string, into any) (text string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), path))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return string(data)
}

var (
	inputUsed    = regexp.MustCompile(`\$\{\{ inputs\.([a-z-]+) \}\}`)
	outputUsed   = regexp.MustCompile(`steps\.judge\.outputs\.([a-z-]+)`)
	variableRead = regexp.MustCompile(`\bJUDGE_[A-Z_]+\b`)
	flagPassed   = regexp.MustCompile(`[\s(]--([a-z][a-z-]+)\b`)
)

// Every input reaches a script, which reads it, and every output comes from one.
func TestActionAndScriptsAgree(t *testing.T) {
	var a action
	text := readYAML(t, "action.yml", &a)
	if a.Name == "" || a.Description == "" || a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("got %+v, want a composite action", a)
	}
	for _, m := range inputUsed.FindAllStringSubmatch(text, -1) {
		if _, there := a.Inputs[m[1]]; !there {
			t.Errorf("inputs.%s is used and is no input", m[1])
		}
	}
	for name, input := range a.Inputs {
		if !strings.Contains(text, "inputs."+name+" }}") || input.Description == "" {
			t.Errorf("input %s: it is not used, or not described", name)
		}
	}
	uploads := false
	for _, step := range a.Runs.Steps {
		uploads = uploads || strings.HasPrefix(step.Uses, "actions/upload-artifact@") && step.If == "always()"
		if step.Run == "" {
			continue
		}
		script := strings.TrimPrefix(strings.Trim(step.Run, `"`), "$GITHUB_ACTION_PATH/")
		body, err := os.ReadFile(filepath.Join(root(t), script))
		if err != nil {
			t.Errorf("step %q: %v", step.Name, err)
			continue
		}
		read := map[string]string{}
		for _, name := range variableRead.FindAllString(string(body), -1) {
			read[name] = ""
		}
		got, want := slices.Sorted(maps.Keys(step.Env)), slices.Sorted(maps.Keys(read))
		if step.Shell != "bash" || !slices.Equal(got, want) {
			t.Errorf("step %q: got the variables %v, and %s reads %v", step.Name, got, script, want)
		}
		for _, m := range outputUsed.FindAllStringSubmatch(text, -1) {
			if step.ID == "judge" && !strings.Contains(string(body), m[1]+"=%s") {
				t.Errorf("output %s: %s does not write it", m[1], script)
			}
		}
	}
	if !uploads {
		t.Error("no step uploads the report whatever has happened")
	}
}

// helpOf is the help of grasp-check as a set of its flags.
func helpOf(t *testing.T) map[string]bool {
	t.Helper()
	_, help := newJob(t).run(t, nil, filepath.Join(programs(t), "grasp-check"), "--help")
	flags := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`).FindAllStringSubmatch(help, -1) {
		flags[m[1]] = true
	}
	if !flags["json"] {
		t.Fatalf("no flags in the help:\n%s", help)
	}
	return flags
}

// Whatever flag the action and the example pass, grasp-check has.
func TestFlagsAreThere(t *testing.T) {
	flags := helpOf(t)
	for _, path := range []string{"action/judge.sh", "docs/ci/gitlab-ci.yml"} {
		data, err := os.ReadFile(filepath.Join(root(t), path))
		if err != nil {
			t.Fatal(err)
		}
		passed := 0
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "#") || strings.Contains(line, "SERVER:") {
				continue
			}
			for _, m := range flagPassed.FindAllStringSubmatch(line, -1) {
				passed++
				switch {
				case flags[m[1]]:
				default:
					t.Errorf("%s: grasp-check has no --%s", path, m[1])
				}
			}
		}
		if passed < 2 {
			t.Errorf("%s: found %d flags, want some", path, passed)
		}
	}
}

// The GitLab example, with a server that is built already.
func TestGitLabExample(t *testing.T) {
	var file map[string]struct {
		Image        string
		Variables    map[string]string
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		Artifacts    struct {
			When    string
			Paths   []string
			Reports map[string]string
		}
	}
	readYAML(t, "docs/ci/gitlab-ci.yml", &file)
	job, there := file["grasp-check"]
	if !there || job.Artifacts.When != "always" || len(job.BeforeScript) != 2 || !strings.Contains(job.BeforeScript[0], "github.com/graspkit/graspkit/cmd/grasp-check@") {
		t.Fatalf("got %+v, want a job that installs grasp-check and always keeps its report", file)
	}
	for server, want := range map[string]int{
		"grasp-sim serve --memory --addr {addr} --url {url}":      0,
		"grasp-wrong --addr {addr} --defect nip11-without-grasps": 1,
	} {
		j := newJob(t)
		// The runner lets each line be carried out, and ends at the first one that fails. All checks would take minutes.
		lines := strings.ReplaceAll(strings.Join(job.Script, "\n"), "grasp-check --", "grasp-check --id G01-N11 --")
		code, out := j.run(t, []string{"SERVER=" + server}, "bash", "-eo", "pipefail", "-c", lines)
		if code != want {
			t.Errorf("%s: got exit code %d, want %d:\n%s", server, code, want, out)
		}
		if j.file(t, job.Artifacts.Reports["junit"]) == "" || j.file(t, job.Artifacts.Paths[0]+"/run.json") == "" {
			t.Errorf("%s: a report is missing", server)
		}
	}
}
