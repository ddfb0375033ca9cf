package archtest_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Limits of the shape of the tree.
const (
	maxFileLines   = 400 // of a Go file that nobody generated
	maxDefectSites = 10  // `if` statements in pure rooms that a planted defect switches
)

// vagueNames lists words that say nothing about what a package or a file is for.
var vagueNames = []string{"util", "utils", "common", "helper", "helpers", "manager", "managers"}

// outside lists what only commands may touch: arguments, environment and the end of the process.
var outside = map[string][]string{
	"os":      {"Args", "Exit", "ExpandEnv", "Getenv", "LookupEnv", "Setenv", "Unsetenv"},
	"syscall": {"Exit", "Getenv", "Setenv"},
	"log":     {"Fatal", "Fatalf", "Fatalln"},
}

// checkShape judges what can be seen in the syntax of one file or one package.
func checkShape(tr *tree) []finding {
	found := checkPackageComments(tr)
	found = append(found, checkDefectSites(tr)...)
	for _, src := range tr.goFiles() {
		at := func(pos token.Pos, rule, why string, args ...any) {
			found = append(found, finding{src.Path, tr.line(pos), rule, fmt.Sprintf(why, args...)})
		}
		checkNames(src, at)
		if lines := bytes.Count(src.Text, []byte("\n")); lines > maxFileLines && !ast.IsGenerated(src.Syntax) {
			at(src.Syntax.Package, "file-length", "%d lines, at most %d: is it one concept?", lines, maxFileLines)
		}
		for _, group := range src.Syntax.Comments {
			for _, comment := range group.List {
				if strings.IndexFunc(comment.Text, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
					at(comment.Pos(), "ascii", "comments are ASCII")
				}
			}
		}
		for _, decl := range src.Syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				at(fn.Pos(), "no-init", "nothing happens before main: build the value where it is needed")
			}
		}
		commands := within(src.room(), "cmd") || within(src.room(), "internal/cli")
		src.selections(func(sel *ast.SelectorExpr, importPath, name string) {
			switch {
			case importPath == "time" && name == "Sleep" && src.isTest():
				at(sel.Pos(), "test-sleep", "a test waits for what it expects, not for time to pass")
			case commands:
			case slices.Contains(outside[importPath], name):
				at(sel.Pos(), "outside", "%s.%s: only cmd/* and internal/cli touch arguments, environment and exit codes", importPath, name)
			case importPath == "fmt" && strings.HasPrefix(name, "Print") && !src.isTest():
				at(sel.Pos(), "ambient-print", "write to the io.Writer that was passed in")
			}
		})
	}
	return found
}

// checkNames judges the names of the package and of the file.
func checkNames(src *source, at func(pos token.Pos, rule, why string, args ...any)) {
	if name := strings.TrimSuffix(src.Syntax.Name.Name, "_test"); slices.Contains(vagueNames, name) {
		at(src.Syntax.Name.Pos(), "vague-name", "package %s: name it after what it holds", name)
	}
	base := strings.TrimSuffix(path.Base(src.Path), ".go")
	for word := range strings.SplitSeq(base, "_") {
		if slices.Contains(vagueNames, word) {
			at(src.Syntax.Package, "vague-name", "file %s: name it after what it holds", path.Base(src.Path))
		}
	}
}

// checkPackageComments wants one comment per package, in a file that is not a test. A folder of tests
// alone may carry it in a test.
func checkPackageComments(tr *tree) []finding {
	var found []finding
	byRoom := map[string][]*source{}
	var order []string
	for _, src := range tr.goFiles() {
		if byRoom[src.room()] == nil {
			order = append(order, src.room())
		}
		byRoom[src.room()] = append(byRoom[src.room()], src)
	}
	for _, room := range order {
		files := slices.DeleteFunc(slices.Clone(byRoom[room]), (*source).isTest)
		if len(files) == 0 {
			files = byRoom[room]
		}
		var documented []*source
		for _, src := range files {
			if src.Syntax.Doc != nil && strings.TrimSpace(src.Syntax.Doc.Text()) != "" {
				documented = append(documented, src)
			}
		}
		if len(documented) == 0 {
			found = append(found, finding{files[0].Path, tr.line(files[0].Syntax.Package), "package-comment", "no file says what the package is for and what it does not do"})
		}
		for i, src := range documented {
			if i > 0 {
				found = append(found, finding{src.Path, tr.line(src.Syntax.Package), "package-comment", "a second package comment beside that of " + path.Base(documented[0].Path)})
			}
		}
	}
	return found
}

var defectMark = regexp.MustCompile(`^// ?defect:`)

// checkDefectSites counts the `if` statements of pure rooms that a planted defect switches. Each is
// marked by a comment "// defect: NAME" on its own line or on the line before.
func checkDefectSites(tr *tree) []finding {
	var found []finding
	sites := 0
	for _, src := range tr.goFiles() {
		if !isPure(src.room()) || src.isTest() {
			continue
		}
		ifs := map[int]bool{}
		ast.Inspect(src.Syntax, func(n ast.Node) bool {
			if stmt, ok := n.(*ast.IfStmt); ok {
				ifs[tr.line(stmt.Pos())] = true
			}
			return true
		})
		for _, group := range src.Syntax.Comments {
			for _, comment := range group.List {
				if !defectMark.MatchString(comment.Text) {
					continue
				}
				sites++
				line := tr.line(comment.Pos())
				if !ifs[line] && !ifs[line+1] {
					found = append(found, finding{src.Path, line, "defect-mark", "the mark stands on an if statement or on the line before it"})
				}
				if sites > maxDefectSites {
					found = append(found, finding{src.Path, line, "defect-count", fmt.Sprintf("more than %d sites: make it a parameter or a filter in internal/defect", maxDefectSites)})
				}
			}
		}
	}
	return found
}
