package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// raceless is the list of rooms that the gate runs without the race detector.
var raceless = regexp.MustCompile(`(?s)\none_goroutine=\(([^)]*)\)`)

// What runs without the race detector starts no goroutine, in its tests either, but for tests side by side.
func TestRoomsWithoutRacesStartNoGoroutine(t *testing.T) {
	root := filepath.Join("..", "..")
	gate, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	list := raceless.FindSubmatch(gate)
	if list == nil || len(strings.Fields(string(list[1]))) == 0 {
		t.Fatal("the gate lists no room without goroutines, or in another form")
	}
	for _, room := range strings.Fields(string(list[1])) {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(room), "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: got no file and %v, want a room", room, err)
		}
		for _, name := range files {
			for _, why := range startsGoroutines(t, name, nil) {
				t.Errorf("%s: %s; take %s from the list of step race in .ci/run", name, why, room)
			}
		}
	}
}

// A file that starts goroutines is found, in whichever way it does.
func TestGoroutinesAreFound(t *testing.T) {
	for _, text := range []string{
		"package p\nfunc f() { go f() }", "package p\nimport \"sync\"\nvar w sync.WaitGroup", "package p\nimport _ \"sync/atomic\"",
		"package p\nimport _ \"net/http\"", "package p\nimport _ \"golang.org/x/sync/errgroup\"",
	} {
		if got := startsGoroutines(t, "p.go", text); len(got) == 0 {
			t.Errorf("got nothing in %q, want a finding", text)
		}
	}
}

// startsGoroutines says where a file starts goroutines, or imports what is of use to several alone.
func startsGoroutines(t *testing.T, name string, text any) (found []string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		if path == "sync" || path == "net" || strings.HasPrefix(path, "sync/") || strings.HasPrefix(path, "net/http") || strings.HasPrefix(path, "golang.org/x/sync/") {
			found = append(found, "it imports "+path)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, is := n.(*ast.GoStmt); is {
			found = append(found, "a goroutine begins in line "+strconv.Itoa(fset.Position(s.Pos()).Line))
		}
		return true
	})
	return found
}
