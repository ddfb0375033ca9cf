package archtest_test

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// An importRule forbids the rooms From to import the rooms To.
type importRule struct {
	Name   string
	From   []string
	Except []string // rooms below From that the rule does not bind
	To     []string
	But    []string // rooms below To that may be imported
	// Through extends the rule over packages of this module that the rule does not bind: what they
	// import outside their tests counts as imported.
	Through bool
	// TestsFree leaves _test.go files alone.
	TestsFree bool
	Why       string
}

var importRules = []importRule{
	{
		Name: "server-unaware", Through: true,
		From: []string{"reference"},
		To:   []string{"sim", "features", "conformance", "internal/defect", "internal/legal", "internal/judgetest"},
		But:  []string{"conformance/spec"},
		Why:  "the server must not know that it is simulated or judged",
	},
	{
		Name: "operator-honest", Through: true, TestsFree: true,
		From: []string{"cmd/grasp-sim"},
		To:   []string{"internal/defect", "internal/legal", "internal/judgetest", "internal/servetarget"},
		Why:  "what an operator runs has no planted mistake in it",
	},
	{
		Name: "judge-apart", Through: true,
		From: []string{"conformance"},
		To:   []string{"reference", "sim", "internal/servetarget", "internal/hosts", "internal/defect", "internal/legal", "internal/judgetest"},
		Why:  "the judge shares no code with the judged",
	},
	{
		Name: "sim-no-shell",
		From: []string{"sim"},
		To:   []string{"reference/node", "reference/httpd", "reference/fetch", "reference/peer", "reference/gitexec", "reference/gitdisk", "reference/gitlayout", "reference/gitlock", "reference/gitread", "reference/gitspool", "reference/gitturn"},
		Why:  "the simulator runs the core itself; the live shells would bring sockets, disks and clocks",
	},
	{
		Name: "sim-values-only",
		From: []string{"sim"}, Except: []string{"sim/simtarget"},
		// relay and gitstore may be imported: their words stand in the inputs and effects of the core.
		To:  []string{"reference/web", "reference/gitserve"},
		Why: "the world speaks to the core in values; only simtarget speaks the wire",
	},
	{
		Name: "invariant-independent",
		From: []string{"sim/invariant"},
		To:   []string{"reference/policy", "reference/push", "reference/purgatory", "reference/hunt"},
		Why:  "an invariant must not reuse the decision that it checks",
	},
	{
		Name: "leaf", TestsFree: true,
		From: []string{"conformance/spec", "conformance/target", "conformance/gitclient", "reference/instant", "internal/mutate"},
		To:   []string{""},
		Why:  "a leaf imports nothing of this module, so that every room may import it",
	},
	{
		Name: "commands-outside",
		From: []string{"reference", "sim", "conformance", "features", "scenarios"},
		To:   []string{"cmd", "internal/cli"},
		Why:  "only commands know arguments, environment and exit codes",
	},
}

// starters are the rooms of the judge that start processes: servers that it was told to start, and the stock git.
var starters = []string{"conformance/launch", "conformance/gitclient"}

// binds reports whether the rule speaks about the files of this room.
func (r importRule) binds(room string) bool {
	return withinAny(room, r.From) && !withinAny(room, r.Except)
}

// forbids reports whether the rule denies an import of this room.
func (r importRule) forbids(room string) bool {
	return (slices.Contains(r.To, "") || withinAny(room, r.To)) && !withinAny(room, r.But)
}

// checkImports judges every import within the module and, in the pure rooms, every other one too. It also
// finds the rooms that the table does not list.
func checkImports(tr *tree) []finding {
	var found []finding
	graph := importGraph(tr)
	reported := map[string]bool{}
	for _, src := range tr.goFiles() {
		room := src.room()
		if (within(room, "reference") || within(room, "sim")) && rooms[room] == unlisted && !reported[room] {
			reported[room] = true
			found = append(found, finding{src.Path, tr.line(src.Syntax.Package), "unlisted", "say in the table of rooms whether it is pure or a shell"})
		}
		src.imports(func(spec *ast.ImportSpec, importPath string) {
			if importPath == "os/exec" && within(room, "conformance") && !withinAny(room, starters) && !src.isTest() {
				found = append(found, finding{src.Path, tr.line(spec.Pos()), "process", "of the judge only the rooms that own one start processes: what a step judges comes through them"})
			}
			if why, banned := banOf(importPath); banned && isPure(room) && !src.isTest() {
				found = append(found, finding{src.Path, tr.line(spec.Pos()), "pure-import", importPath + ": " + why})
			}
			to, ours := strings.CutPrefix(importPath, module)
			if !ours {
				return
			}
			for _, rule := range importRules {
				if !rule.binds(room) || rule.TestsFree && src.isTest() || to == room {
					continue
				}
				if why, denied := rule.denies(graph, to); denied {
					found = append(found, finding{src.Path, tr.line(spec.Pos()), rule.Name, why})
				}
			}
			if isPure(room) && !src.isTest() && rooms[to] == shell {
				found = append(found, finding{src.Path, tr.line(spec.Pos()), "pure-over-shell", "a pure room stands on pure rooms"})
			}
		})
	}
	return found
}

// denies reports whether an import of the room to breaks the rule, directly or through rooms that the
// rule does not bind.
func (r importRule) denies(graph map[string][]string, to string) (why string, denied bool) {
	if r.forbids(to) {
		return r.Why, true
	}
	if !r.Through || r.binds(to) {
		return "", false
	}
	seen := map[string]bool{to: true}
	for queue := []string{to}; len(queue) > 0; queue = queue[1:] {
		for _, next := range graph[queue[0]] {
			if r.forbids(next) {
				return fmt.Sprintf("%s (%s imports %s)", r.Why, queue[0], next), true
			}
			if !seen[next] && !r.binds(next) {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return "", false
}

// importGraph maps each room to the rooms that it imports outside its tests, sorted.
func importGraph(tr *tree) map[string][]string {
	graph := map[string][]string{}
	for _, src := range tr.goFiles() {
		if src.isTest() {
			continue
		}
		src.imports(func(_ *ast.ImportSpec, importPath string) {
			if to, ours := strings.CutPrefix(importPath, module); ours && !slices.Contains(graph[src.room()], to) {
				graph[src.room()] = append(graph[src.room()], to)
			}
		})
	}
	for _, to := range graph {
		slices.Sort(to)
	}
	return graph
}
