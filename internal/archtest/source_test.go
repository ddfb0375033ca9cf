package archtest_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A finding is one breach of one rule.
type finding struct {
	Path string // slash-separated, from the module's root
	Line int
	Rule string // the short name that a planted violation is marked with
	Why  string
}

func (f finding) String() string { return fmt.Sprintf("%s:%d: %s: %s", f.Path, f.Line, f.Rule, f.Why) }

// A source is one file of the tree; Syntax is nil unless it is Go.
type source struct {
	Path   string
	Text   []byte
	Syntax *ast.File
}

// A tree is a set of sources sorted by path, judged together.
type tree struct {
	Fset  *token.FileSet
	Files []*source
}

// add parses one file into the tree. Files must be added in the order of their paths.
func (tr *tree) add(name string, text []byte) error {
	src := &source{Path: name, Text: text}
	if strings.HasSuffix(name, ".go") && !underTestdata(name) {
		file, err := parser.ParseFile(tr.Fset, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		src.Syntax = file
	}
	tr.Files = append(tr.Files, src)
	return nil
}

// readTree reads every text file below root, the go tool's own folders, build results and examples excepted.
func readTree(t *testing.T, root string) *tree {
	t.Helper()
	tr := &tree{Fset: token.NewFileSet()}
	skip := []string{".git", "bin", "out", "examples"} // examples are modules of strangers
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skip, name):
			return fs.SkipDir
		case !d.Type().IsRegular(), name == ".git": // a file in a linked work tree
			return nil
		}
		text, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return nil // not text
		}
		if err := tr.add(name, text); err != nil {
			t.Errorf("a file that does not parse is not judged: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatalf("read the tree: %v", err)
	}
	return tr
}

func (tr *tree) line(pos token.Pos) int { return tr.Fset.Position(pos).Line }

// goFiles returns the parsed Go files: all of them, whatever their build constraints.
func (tr *tree) goFiles() []*source {
	var files []*source
	for _, src := range tr.Files {
		if src.Syntax != nil {
			files = append(files, src)
		}
	}
	return files
}

// room returns the folder of the file, which is the package's import path below the module.
func (s *source) room() string { return path.Dir(s.Path) }

func (s *source) isTest() bool { return strings.HasSuffix(s.Path, "_test.go") }

// imports returns the import specs of the file with their unquoted paths.
func (s *source) imports(visit func(spec *ast.ImportSpec, importPath string)) {
	for _, spec := range s.Syntax.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			visit(spec, importPath)
		}
	}
}

// selections calls visit for each selector on an imported package, such as os.Exit, with the import
// path of the package. It goes by names alone, so it also sees files that this platform does not build.
func (s *source) selections(visit func(sel *ast.SelectorExpr, importPath, name string)) {
	names := map[string]string{}
	s.imports(func(spec *ast.ImportSpec, importPath string) {
		name := path.Base(importPath)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = importPath
	})
	ast.Inspect(s.Syntax, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if id, ok := sel.X.(*ast.Ident); ok && id.Obj == nil && names[id.Name] != "" {
			visit(sel, names[id.Name], sel.Sel.Name)
		}
		return true
	})
}

func underTestdata(name string) bool {
	return strings.HasPrefix(name, "testdata/") || strings.Contains(name, "/testdata/")
}

// sortFindings orders findings by place and drops repetitions.
func sortFindings(found []finding) []finding {
	slices.SortFunc(found, func(a, b finding) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Rule+a.Why, b.Rule+b.Why)
	})
	return slices.Compact(found)
}
