package actiontest

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// judge runs action/judge.sh as a runner of GitHub does, and returns the exit code and what it wrote.
func judge(t *testing.T, j *job, env ...string) (code int, out string) {
	t.Helper()
	env = append(env, "GITHUB_ACTIONS=true", "GITHUB_OUTPUT="+j.path("output"), "GITHUB_STEP_SUMMARY="+j.path("summary"))
	return j.run(t, env, filepath.Join(root(t), "action", "judge.sh"))
}

func TestJudgeARightServer(t *testing.T) {
	j := newJob(t)
	if err := os.WriteFile(j.path("summary"), []byte("of another step\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out := judge(t, j, "JUDGE_URL="+j.serve(t, "grasp-sim", "serve", "--memory"), "JUDGE_ARGS=--id G01-N11\n--tags '@G01-N11-01 or @G01-N11-02'", "JUDGE_REPORT=my report")
	if code != 0 {
		t.Fatalf("exit code: got %d, want 0:\n%s", code, out)
	}
	if got, want := j.file(t, "output"), "exit-code=0\nreport=my report\n"; got != want {
		t.Errorf("outputs: got %q, want %q", got, want)
	}
	if got := j.file(t, "summary"); !strings.HasPrefix(got, "of another step\n") || !strings.Contains(got, "CONFORMANT") {
		t.Errorf("summary: got %q, want the other step's and the verdict", got)
	}
	if got := j.file(t, "my report/console.txt"); !strings.Contains(got, "CONFORMANT") {
		t.Errorf("console.txt: got %q, want the verdict", got)
	}
	if got := j.file(t, "my report/run.json"); !json.Valid([]byte(got)) || !strings.Contains(got, "G01-N11-02") {
		t.Errorf("run.json: got %q, want JSON with the requirement", got)
	}
	var junit struct {
		XMLName xml.Name `xml:"testsuites"`
	}
	if err := xml.Unmarshal([]byte(j.file(t, "my report/junit.xml")), &junit); err != nil {
		t.Errorf("junit.xml: %v", err)
	}
}

func TestJudgeAWrongServer(t *testing.T) {
	j := newJob(t)
	code, out := judge(t, j, "JUDGE_URL="+j.serve(t, "grasp-wrong", "--defect", "nip11-without-grasps"), "JUDGE_ARGS=--id G01-N11")
	if code != 1 {
		t.Fatalf("exit code: got %d, want 1:\n%s", code, out)
	}
	if !strings.Contains(out, "::error title=grasp-check::a MUST is violated\n") {
		t.Errorf("got no annotation in:\n%s", out)
	}
	if got := j.file(t, "output"); !strings.HasPrefix(got, "exit-code=1\n") {
		t.Errorf("outputs: got %q, want exit code 1", got)
	}
	if got := j.file(t, "summary"); !strings.Contains(got, "G01-N11-02") {
		t.Errorf("summary: got %q, want what is violated", got)
	}
	if j.file(t, "grasp-report/run.json") == "" || j.file(t, "grasp-report/junit.xml") == "" {
		t.Error("the report of a failed run is missing")
	}
}

// A server is started by the action where launch is given.
func TestJudgeALaunchedServer(t *testing.T) {
	j := newJob(t)
	code, out := judge(t, j, "JUDGE_LAUNCH=grasp-sim serve --memory --addr {addr}", "JUDGE_ARGS=--id G01-N11-01")
	if code != 0 || !strings.Contains(j.file(t, "summary"), "G01-N11-01") {
		t.Errorf("exit code: got %d, want 0 and a summary:\n%s", code, out)
	}
}

// What cannot be carried out fails the job with a word about why, and whatever there is of a summary.
func TestJudgeRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		code int
		want string
	}{
		{"nothing to judge", nil, 2, "which server?"},
		{"two servers", []string{"JUDGE_URL=ws://127.0.0.1:1", "JUDGE_LAUNCH=x"}, 2, "leave out one of them"},
		{"an open quote", []string{"JUDGE_URL=ws://127.0.0.1:1", "JUDGE_ARGS=--tags '@a"}, 2, "a quote is not closed"},
		{"no folder", []string{"JUDGE_URL=ws://127.0.0.1:1", "JUDGE_REPORT=/dev/null/x"}, 2, "/dev/null/x"},
		{"a wrong argument", []string{"JUDGE_URL=ws://127.0.0.1:1", "JUDGE_ARGS=--no-such-flag"}, 2, "::error title=grasp-check::the command line is wrong"},
		{"arguments are no script", []string{"JUDGE_URL=ws://127.0.0.1:1", "JUDGE_ARGS=$(touch pwned) `touch pwned` ; touch pwned"}, 2, "$(touch"},
		{"nobody there", []string{"JUDGE_URL=ws://127.0.0.1:1", "JUDGE_ARGS=--id G01-N11-01"}, 4, "the server cannot be reached"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t)
			code, out := judge(t, j, c.env...)
			if code != c.code || !strings.Contains(out, c.want) {
				t.Errorf("got exit code %d, want %d and %q:\n%s", code, c.code, c.want, out)
			}
			if _, err := os.Stat(j.path("pwned")); err == nil {
				t.Error("an argument was carried out")
			}
		})
	}
}

// What a server says is text in the summary, whatever it says.
func TestSummaryIsEscaped(t *testing.T) {
	j := newJob(t)
	fake := "#!/bin/sh\n[ \"$1\" = --help ] || printf '</pre><script>&\\n'\n"
	if err := os.WriteFile(j.path("grasp-check"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, v := range j.env {
		if rest, found := strings.CutPrefix(v, "PATH="); found {
			j.env[i] = "PATH=" + j.dir + string(os.PathListSeparator) + rest
		}
	}
	if code, out := judge(t, j, "JUDGE_URL=ws://127.0.0.1:1"); code != 0 {
		t.Fatalf("exit code: got %d, want 0:\n%s", code, out)
	}
	if got := j.file(t, "summary"); !strings.Contains(got, "&lt;/pre&gt;&lt;script&gt;&amp;\n") || strings.Contains(got, "<script>") {
		t.Errorf("summary: got %q, want the text escaped", got)
	}
}

// Reports that a version writes are asked for, and its own summary is the only one.
func TestJudgeUsesWhatThereIs(t *testing.T) {
	j := newJob(t)
	fake := `#!/bin/sh
if [ "$1" = --help ]; then printf '      --html FILE   x\n      --markdown FILE   x\n'; exit; fi
echo "$@" >arguments
while [ $# -gt 0 ]; do [ "$1" != --markdown ] || echo '# mine' >"$2"; shift; done
`
	if err := os.WriteFile(j.path("grasp-check"), []byte(fake), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, v := range j.env {
		if rest, found := strings.CutPrefix(v, "PATH="); found {
			j.env[i] = "PATH=" + j.dir + string(os.PathListSeparator) + rest
		}
	}
	code, out := judge(t, j, "JUDGE_URL=ws://127.0.0.1:1", "JUDGE_PROFILE=smoke", "JUDGE_KNOWN=my known.yaml", "JUDGE_FAIL_ON=warn")
	if code != 0 {
		t.Fatalf("exit code: got %d, want 0:\n%s", code, out)
	}
	want := "--json grasp-report/run.json --junit grasp-report/junit.xml ws://127.0.0.1:1 --profile smoke --known my known.yaml --fail-on warn " +
		"--html grasp-report/report.html --markdown grasp-report/summary.md\n"
	if got := j.file(t, "arguments"); got != want {
		t.Errorf("arguments:\n got %swant %s", got, want)
	}
	if got := j.file(t, "summary"); got != "# mine\n" {
		t.Errorf("summary: got %q, want that of grasp-check", got)
	}
}

// The action installs grasp-check of its own checkout, and puts it on the PATH of the steps that follow.
func TestInstall(t *testing.T) {
	j := newJob(t)
	code, out := j.run(t, []string{"GITHUB_PATH=" + j.path("path"), "RUNNER_TEMP=" + j.dir}, filepath.Join(root(t), "action", "install.sh"))
	if code != 0 || !strings.HasPrefix(out, "grasp-check version ") {
		t.Fatalf("got exit code %d, want 0 and the version:\n%s", code, out)
	}
	bin := strings.TrimSpace(j.file(t, "path"))
	if _, err := os.Stat(filepath.Join(bin, "grasp-check")); err != nil {
		t.Errorf("in GITHUB_PATH: %v", err)
	}
}
